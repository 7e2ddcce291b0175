"""A short DNF from rows that were seen to run and rows that were refused.

Each term grows from one run by the literal that excludes most refusals and loses fewest runs, first with a
bias to literals that all runs share; then what it does not need goes. Of terms grown from several runs the
one that explains most is taken. Always agrees with the rows; ties go to the first feature, so that all
actions choose alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from assay.learn.dnf import TRUE_TERM, Term, bits, covers

SEEDS = 6
"""Runs from which a term is grown: more find hardly shorter ones."""


class _Columns(NamedTuple):
    """By value and feature, the rows of one side that have it, as bits."""

    rows: list[int]
    having: tuple[list[int], list[int]]

    @classmethod
    def of(cls, rows: list[int], width: int) -> _Columns:
        having = ([0] * width, [0] * width)
        for number, row in enumerate(rows):
            for feature in range(width):
                having[row >> feature & 1][feature] |= 1 << number
        return cls(rows, having)


def induce(running: Iterable[int], refused: Iterable[int], width: int) -> list[Term] | None:
    """The DNF; no terms if nothing ran; None if a row is on both sides."""
    runs, refusals = sorted(set(running)), sorted(set(refused))
    if not runs or not refusals:
        return [TRUE_TERM] if runs else []
    positive, negative = _Columns.of(runs, width), _Columns.of(refusals, width)
    left, terms = (1 << len(runs)) - 1, list[Term]()
    while left:
        open_runs = bits(left)
        seeds = open_runs[:: max(1, len(open_runs) // SEEDS)][:SEEDS]
        grown = [
            _grow(runs[seed], left, positive, negative, shared) for seed in seeds for shared in (True, False)
        ]
        found = [x for x in grown if x is not None]
        if len(found) < len(grown):
            return None
        _, term, explained = max(found, key=lambda x: x[0])
        terms.append(term)
        left &= ~explained
    for term in list(terms):
        rest = [t for t in terms if t != term]
        if rest and all(covers(rest, row) for row in runs):
            terms = rest
    return terms


Grown = tuple[tuple[int, int], Term, int]


def _grow(row: int, left: int, positive: _Columns, negative: _Columns, shared: bool) -> Grown | None:
    """A term that the row satisfies and no refusal does, with the runs it explains."""
    explained, against = left, (1 << len(negative.rows)) - 1
    chosen: list[int] = []
    width = len(positive.having[0])
    while against:
        best, choice = None, -1
        many = explained.bit_count()
        for feature in range(width):
            bit = row >> feature & 1
            gone = (against & ~negative.having[bit][feature]).bit_count()
            if not gone:
                continue
            keeps = (explained & positive.having[bit][feature]).bit_count()
            score = (keeps == many if shared else False, gone * keeps, keeps, bit, -feature)
            if best is None or score > best:
                best, choice = score, feature
        if best is None:
            return None
        chosen.append(choice)
        explained &= positive.having[row >> choice & 1][choice]
        against &= negative.having[row >> choice & 1][choice]
    chosen = _pruned(chosen, row, negative)
    explained = left
    for feature in chosen:
        explained &= positive.having[row >> feature & 1][feature]
    mask = sum(1 << feature for feature in chosen)
    return (explained.bit_count(), -len(chosen)), (mask, row & mask), explained


def _pruned(chosen: list[int], row: int, negative: _Columns) -> list[int]:
    for feature in list(chosen):
        against = (1 << len(negative.rows)) - 1
        for other in chosen:
            if other != feature:
                against &= negative.having[row >> other & 1][other]
        if not against:
            chosen = [f for f in chosen if f != feature]
    return chosen


def shared_by_runs(terms: Iterable[Term], runs: Iterable[int], width: int) -> list[Term]:
    """For each term, all that its runs have in common: the cautious reading."""
    rows, found = list(runs), []
    for mask, value in terms:
        inside = [row for row in rows if row & mask == value]
        same = (1 << width) - 1
        for row in inside:
            same &= ~(row ^ inside[0])
        found.append((same, inside[0] & same) if inside else (mask, value))
    return found
