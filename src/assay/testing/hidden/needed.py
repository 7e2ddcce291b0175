"""Which strength a hidden action needs: the least class of functions that contains it.

An action over different arguments is a Boolean function of features (see `features`). Strength (v, t, s)
finds a precondition if from any of its prime implicants, taken as learned, all others can be reached one
after the other: each turns round at most v literals of one that is known and names at most t facts beside
it. And its prime implicates must have at most s literals, so that a term which lacks one is refused in a
tested row. The same s bounds conditions of effects, within each prime implicant of the precondition.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from assay.core.model import ActionModel
from assay.core.vocabulary import Vocabulary
from assay.testing.hidden.features import (
    Beyond,
    Feature,
    Function,
    Reader,
    Term,
    is_about_others,
    negation,
    within,
)
from assay.testing.hidden.implicants import prime_implicants

LEVELS = ((1, 0), (1, 1), (2, 1), (2, 2))
"""(v, t) of the strength levels. With two literals turned round, one fact less is named."""
MOST_TESTED = 3
"""The largest s of any level: more facts together are never tested."""


@dataclass(frozen=True, order=True)
class Needed:
    """The least level (of v and t), and the least s."""

    level: int
    tested: int


def needed_strength(action: ActionModel, vocabulary: Vocabulary) -> Needed | None:
    """None where no level is enough: too many facts together, a quantifier in a quantifier, counting."""
    try:
        return _needed(action, vocabulary)
    except Beyond:
        return None


def _needed(action: ActionModel, vocabulary: Vocabulary) -> Needed:
    """A conjunction of parts that share no feature needs what its parts need."""
    reader = Reader(vocabulary, action.header)
    level = tested = 0
    parts: list[tuple[tuple[Feature, ...], list[Term]]] = []
    for function, names in reader.factors(action.precondition):
        terms = prime_implicants(function, names)
        parts.append((names, terms))
        level = max(level, _level(terms), int(any(map(is_about_others, names))))
        tested = max(tested, _longest(prime_implicants(negation(function), names)))
    for condition, named in reader.effect_conditions(action):
        level = max(level, 1)
        touched = [terms for names, terms in parts if not set(names).isdisjoint(named)]
        for chosen in product(*touched):
            tested = max(tested, _told_apart(condition, named, {f: v for t in chosen for f, v in t.items()}))
    return Needed(level, tested if level else 0)


def _told_apart(function: Function, names: Sequence[Feature], term: Term) -> int:
    """How many facts together tell the condition of an effect from others, where the term holds."""
    free = [f for f in names if f not in term]
    inside = within(function, term)
    return max(_longest(prime_implicants(side, free)) for side in (inside, negation(inside)))


def _longest(terms: Iterable[Term]) -> int:
    found = max((len(t) for t in terms), default=0)
    if found > MOST_TESTED:
        raise Beyond
    return found


def _level(terms: Sequence[Term]) -> int:
    """The least level at which every term leads to every other one."""
    for level, (turned, beside) in enumerate(LEVELS):
        if all(len(_reached(start, terms, turned, beside)) == len(terms) for start in range(len(terms))):
            return level
    raise Beyond


def _reached(start: int, terms: Sequence[Term], turned: int, beside: int) -> set[int]:
    known, todo = {start}, [start]
    while todo:
        here = terms[todo.pop()]
        for number, there in enumerate(terms):
            if number not in known and _leads(here, there, turned, beside):
                known.add(number)
                todo.append(number)
    return known


def _leads(here: Term, there: Term, turned: int, beside: int) -> bool:
    """Whether a row of the level around one term shows that the other one runs, too."""
    against = sum(f in here and here[f] != value for f, value in there.items())
    named = sum(f not in here for f in there)
    return against <= turned and named <= (beside if against < 2 else beside - 1)
