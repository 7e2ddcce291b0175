"""The patterns of features that no row shows.

Rows are put side by side as columns, one bit per row, so that a pair of literals selects its rows with one
`and`. Of the last feature of a pattern all are looked at together: a few rows one by one, which is nearly
always enough, and then what is left column by column.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from assay.proof.recount.features import Cube

SCANNED = 32
"""Rows looked at one by one before columns are used; about three times the logarithm of 1,000 features."""


class Gaps(NamedTuple):
    """Beside this prefix, the features of which the value false, or true, is shown by no row."""

    prefix: Cube
    false: int
    true: int


def gaps(rows: Collection[int], features: Sequence[int], size: int) -> Iterator[Gaps]:
    """Patterns of `size` features (bits, ascending; at least one) that no row shows."""
    table = list(rows)
    every = (1 << len(table)) - 1
    columns = [(every & ~(column := _column(table, bit)), column) for bit in features]
    """Of each feature, the rows in which it is false and those in which it is true."""

    def below(first: int, prefix: Cube, selected: int, left: int) -> Iterator[Gaps]:
        if left == 1:
            false, true = _unseen(table, columns, features, first, selected)
            if false or true:
                yield Gaps(prefix, false, true)
            return
        for place in range(first, len(features) - left + 1):
            bit = features[place]
            for true, column in zip((0, bit), columns[place], strict=True):
                yield from below(place + 1, prefix.join(Cube(bit, true)), selected & column, left - 1)

    yield from below(0, Cube(), every, size)


def _column(table: Sequence[int], bit: int) -> int:
    return int("".join("1" if row & bit else "0" for row in reversed(table)) or "0", 2)


def _unseen(
    table: Sequence[int],
    columns: Sequence[tuple[int, int]],
    features: Sequence[int],
    first: int,
    selected: int,
) -> tuple[int, int]:
    """The features from this place on whose value false, or true, no selected row shows."""
    false = true = sum(features[first:])
    rest = selected
    for _ in range(SCANNED):
        if not rest or not (false or true):
            break
        row = table[(rest & -rest).bit_length() - 1]
        false, true = false & row, true & ~row
        rest &= rest - 1
    if rest and (false or true):
        for place in range(first, len(features)):
            bit, (without, having) = features[place], columns[place]
            if false & bit and rest & without:
                false ^= bit
            if true & bit and rest & having:
                true ^= bit
    return false, true
