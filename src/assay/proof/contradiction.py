"""When no model gives all the answers: a smallest set of them that already shows it.

Every set of answers that no model explains meets the complement of every set that one explains. So the
smallest set that meets all complements known so far is never larger than what is sought: either it is
itself inexplicable, and then it is a smallest one, or a model explains it, and the largest set of answers
around it that a model explains gives one more complement to meet (implicit hitting sets; Ignatiev et al.,
"Smallest MUS extraction with minimal hitting set dualization", CP 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.core.setting import Setting
from assay.proof.examination import Examination, Item
from assay.proof.simulation import gives
from assay.proof.solver import HittingSets
from assay.store.journal import Entry

ROUNDS = 200
"""Hitting sets tried before a set that merely cannot be reduced is returned."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Entries that no model explains together."""

    numbers: tuple[int, ...]
    smallest: bool
    """Whether no smaller set would do; if not, at least none of these can be left out."""


def smallest_contradiction(
    setting: Setting, entries: Sequence[Entry], rounds: int = ROUNDS
) -> Conflict | None:
    """A smallest set of entries that no model explains together; None if one explains all."""
    examination = Examination(setting, entries)
    hitting = HittingSets()
    try:
        core = shrink(examination, list(examination.selectors))
        if core is None:
            return None
        numbers = tuple(sorted(n for n in core if isinstance(n, int)))
        for _ in range(rounds):
            guess = hitting.smallest()
            if len(guess) >= len(numbers):
                return Conflict(numbers, smallest=True)
            if (solution := examination.solve(guess)) is None:
                return Conflict(tuple(guess), smallest=True)
            explained = _grow(examination, guess, solution)
            hitting.add(n for n in examination.testimony if n not in explained)
        return Conflict(numbers, smallest=False)
    finally:
        hitting.close()
        examination.close()


def shrink(examination: Examination, items: Sequence[Item], tries: int | None = None) -> list[Item] | None:
    """Items that no model explains together; None if one explains all.

    None of them can be left out, unless there were more of them than `tries`.
    """
    core = examination.conflict(items)
    if core is None:
        return None
    for item in core[:tries]:
        if item in core and (less := examination.conflict([x for x in core if x != item])) is not None:
            core = less
    return core


def _grow(examination: Examination, numbers: Sequence[int], solution: set[int]) -> set[int]:
    """A largest set of entries around these that one model explains, given a model of these."""
    explained = set(numbers) | _given(examination, solution)
    for number in examination.testimony:
        if number not in explained:
            found = examination.solve([*explained, number])
            if found is not None:
                explained |= {number} | _given(examination, found)
    return explained


def _given(examination: Examination, solution: set[int]) -> set[int]:
    candidate = examination.variables.decode(solution)
    return {
        n for n, answer in examination.testimony.items() if gives(candidate, examination.grounding, answer)
    }
