"""Which ground actions to consider in a situation: those under which most of the action's atoms hold, first.

Nothing is known yet of what an action needs, so its steps cannot be found by joining preconditions. But
situations that really occur make few atoms true, and actions mostly need true atoms: the arguments
under which many hold together are the likeliest to work. They are chosen parameter by parameter; where
there are more tuples than the limit, the poorest partial ones are dropped and the list is marked as
incomplete. Arguments are all different and never constants.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.symbols import Object, Step
from assay.core.universe import State
from assay.core.vocabulary import Vocabulary

Pattern = tuple[str, tuple[int | str, ...]]
"""A lifted atom with parameters written as their numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """A state and the objects that steps may be applied to there. Compared by identity."""

    state: State
    objects: tuple[Object, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """The richest steps first."""

    steps: tuple[Step, ...]
    complete: bool


class Grounding:
    """Lists the steps of each action in each situation, once."""

    def __init__(self, vocabulary: Vocabulary, limit: int) -> None:
        self._vocabulary, self._limit = vocabulary, limit
        self._constants = frozenset(c.name for c in vocabulary.constants)
        self._patterns = {a.name: _patterns(vocabulary, a.name) for a in vocabulary.actions}
        self._found: dict[tuple[Situation, str], Steps] = {}

    def steps(self, situation: Situation, action: str) -> Steps:
        key = situation, action
        if key not in self._found:
            self._found[key] = self._search(situation, action)
        return self._found[key]

    def _search(self, situation: Situation, action: str) -> Steps:
        facts = frozenset(situation.state)
        present = {atom.predicate for atom in facts}
        tuples: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        complete = True
        header = self._vocabulary.action[action]
        for parameter, patterns in zip(header.parameters, self._patterns[action], strict=True):
            names = [
                o.name
                for o in situation.objects
                if o.name not in self._constants and self._vocabulary.fits(o.type, parameter.types)
            ]
            known = [p for p in patterns if p[0] in present]
            tuples = [
                (score + _count(known, (*args, name), facts), (*args, name))
                for score, args in tuples
                for name in names
                if name not in args
            ]
            tuples.sort(key=lambda entry: -entry[0])
            if len(tuples) > self._limit:
                tuples = tuples[: self._limit]
                complete = False
        return Steps(tuple(Step(action, args) for _, args in tuples), complete)


def _patterns(vocabulary: Vocabulary, action: str) -> list[list[Pattern]]:
    """Per parameter, the lifted atoms whose last free parameter it is."""
    number = {p.name: n for n, p in enumerate(vocabulary.action[action].parameters)}
    found: list[list[Pattern]] = [[] for _ in number]
    for atom in vocabulary.lifted_atoms(action):
        if atom.variables:
            last = max(number[v] for v in atom.variables)
            found[last].append((atom.predicate, tuple(number.get(a, a) for a in atom.args)))
    return found


def _count(patterns: list[Pattern], args: tuple[str, ...], facts: frozenset[tuple[str, tuple[str, ...]]]) -> int:
    return sum(
        (predicate, tuple([args[a] if isinstance(a, int) else a for a in places])) in facts
        for predicate, places in patterns
    )
