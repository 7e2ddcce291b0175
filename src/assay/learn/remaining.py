"""The conjunctive models of an action that give all answers, one by one, whoever chose the questions.

Preconditions come in the order of their size. Of models that do the same everywhere one is listed: an
effect that its own precondition makes void is left out. An action that never ran has no model to list, and
neither has one that is no conjunction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, islice, product

from assay.core.model import ActionModel
from assay.core.symbols import Literal
from assay.core.universe import indices
from assay.core.vocabulary import Vocabulary
from assay.learn.conjunctive import VersionSpace
from assay.learn.evidence import Example


def remaining_models(
    vocabulary: Vocabulary, action: str, examples: Iterable[Example], most: int
) -> tuple[ActionModel, ...]:
    """At most so many of the models that are left; fewer only if there are no more."""
    space = VersionSpace(len(vocabulary.lifted_atoms(action)))
    for example in examples:
        space.add(example)
    return tuple(islice(models_of(vocabulary, action, space), most))


def models_of(vocabulary: Vocabulary, action: str, space: VersionSpace) -> Iterator[ActionModel]:
    """All models of a version space, those with few conditions first."""
    if not space.ran or space.collapsed is not None:
        return
    header, atoms = vocabulary.action[action], vocabulary.lifted_atoms(action)
    for needed in _preconditions(space):
        literals = [Literal(atoms[n], bool(space.may_true >> n & 1)) for n in indices(needed)]
        for effects in product(*(_effects(space, needed, n) for n in range(space.size))):
            done = [Literal(atoms[n], mode == "+") for n, mode in enumerate(effects) if mode]
            yield ActionModel.strips(header, literals, done)


def _preconditions(space: VersionSpace) -> Iterator[int]:
    """Sets of facts that meet every clause, smallest first; after a run only one sign of each is left."""
    clauses = [clause.true | clause.false for clause in space.clauses]
    for size in range(space.open_needs.bit_count() + 1):
        for chosen in _meeting(clauses, 0, space.open_needs, size):
            yield space.required | chosen


def _meeting(clauses: list[int], chosen: int, allowed: int, size: int) -> Iterator[int]:
    """The ways to choose so many more facts, each once, so that every clause is met."""
    unmet = next((c for c in clauses if not c & chosen), None)
    if unmet is None:
        for more in combinations(indices(allowed & ~chosen), size):
            yield chosen | sum(1 << n for n in more)
    elif size:
        for n in indices(unmet & allowed):
            allowed &= ~(1 << n)  # what follows is without this fact, or it would come twice
            yield from _meeting(clauses, chosen | 1 << n, allowed, size - 1)


def _effects(space: VersionSpace, needed: int, place: int) -> list[str]:
    """The effects on a fact that differ under this precondition: "" is none."""
    keep, add, delete = (mask >> place & 1 for mask in (space.may_keep, space.may_add, space.may_delete))
    known = needed >> place & 1
    value = space.may_true >> place & 1
    found = [""] if keep or (known and (add if value else delete)) else []
    if add and not (known and value):
        found.append("+")
    if delete and not (known and not value):
        found.append("-")
    return found
