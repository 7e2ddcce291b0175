"""Covering arrays: few rows of n bits in which any t columns show all 2^t patterns, CA(t, n).

CA(1) has two rows, one the opposite of the other. CA(2) is the closed form of Kleitman and Spencer (1973) and of
Katona (1973), which is optimal. CA(3) doubles: Roux's construction puts CA(3, n/2) beside itself, and CA(2, n/2)
beside its opposite. A random order of the columns and a random row added keep the coverage and make arrays differ
from use to use, so that no family of functions hides behind the regularity of a construction.

Guarantee: `covering_array(n, t, rng)` shows every pattern of any t columns, for t up to 3.
"""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import combinations, product
from math import comb


def covering_array(columns: int, strength: int, rng: random.Random) -> list[int]:
    """The rows as integers, bit i for column i."""
    if columns == 0 or strength == 0:
        return [rng.getrandbits(columns) if columns else 0]
    order = list(range(columns))
    rng.shuffle(order)
    shift = rng.getrandbits(columns)
    return [
        sum(1 << place for place, column in enumerate(order) if row >> column & 1) ^ shift
        for row in _rows(columns, min(strength, columns))
    ]


@lru_cache(maxsize=1024)
def _rows(columns: int, strength: int) -> tuple[int, ...]:
    if strength == 1:
        return (0, (1 << columns) - 1)
    lists = _pairs(columns) if strength == 2 else _triples(columns)
    return tuple(sum(bit << place for place, bit in enumerate(row)) for row in lists)


def _pairs(columns: int) -> list[list[int]]:
    """CA(2): the columns are the sets of half of the rows that share one row."""
    if columns == 1:
        return [[0], [1]]
    rows = 4
    while comb(rows - 1, (rows + 1) // 2) < columns:
        rows += 1
    table = [[0] * columns for _ in range(rows)]
    halves = combinations(range(1, rows), (rows + 1) // 2)
    for column, half in zip(range(columns), halves, strict=False):
        for row in half:
            table[row][column] = 1
    return table


def _triples(columns: int) -> list[list[int]]:
    """CA(3) by doubling."""
    if columns <= 3:
        return [list(row) for row in product((0, 1), repeat=columns)]
    half = (columns + 1) // 2
    beside = [(row + row)[:columns] for row in _triples(half)]
    return beside + [(row + [1 - bit for bit in row])[:columns] for row in _pairs(half)]


def spread(row: int, places: list[int]) -> int:
    """The row's bits at the given places."""
    return sum(1 << place for column, place in enumerate(places) if row >> column & 1)


Pattern = tuple[tuple[int, ...], tuple[int, ...]]
"""Places, and the bit wanted at each."""


def missing_patterns(rows: list[int], places: list[int], strength: int) -> list[Pattern]:
    """The patterns of so many places that no row shows."""
    if strength == 0:
        return [] if rows else [((), ())]
    every = (1 << len(rows)) - 1
    ones = {p: sum(1 << n for n, row in enumerate(rows) if row >> p & 1) for p in places}
    values = list(product((0, 1), repeat=min(strength, len(places))))
    found: list[Pattern] = []
    for chosen in combinations(places, min(strength, len(places))):
        for wanted in values:
            left = every
            for place, bit in zip(chosen, wanted, strict=True):
                left &= ones[place] if bit else ~ones[place]
            if not left & every:
                found.append((chosen, wanted))
    return found
