"""Many drawn side by side, as the bits of integers: each bit of an integer is one member's own matter.

So whatever is tossed, or asked of a set, is so for all members by a few operations on integers.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

PRECISION = 12
"""Bits to which chances are rounded."""


class Members:
    def __init__(self, size: int, rng: random.Random) -> None:
        self._size, self._rng = size, rng
        self.everybody = (1 << size) - 1

    def coins(self, chance: float, who: int) -> int:
        """Those of them whose coin, with this chance, says yes."""
        threshold = round(chance * (1 << PRECISION))
        if not who or threshold >= 1 << PRECISION:
            return who
        heads = 0
        for bit in range(PRECISION):
            coins = self._rng.getrandbits(self._size)
            heads = heads | coins if threshold >> bit & 1 else heads & coins
        return heads & who

    def toss(self, cases: Iterable[tuple[float, int]]) -> int:
        """Coins whose odds depend on the case that each is in."""
        heads = 0
        for odds, who in cases:
            if odds:
                heads |= self.coins(odds / (1 + odds), who)
        return heads

    def deal(self, weights: Sequence[float], who: int, barred: Sequence[int] | None = None) -> Iterator[int]:
        """Give each of them to one of the weights, but not where they are barred."""
        left = sum(weights)
        for number, weight in enumerate(weights):
            open_to = who & ~barred[number] if barred else who
            taken = self.coins(min(1.0, weight / left), open_to) if left > 0 else 0
            yield taken
            who &= ~taken
            left -= weight


class Others:
    """Who is in one of some sets other than one of them, while they are replaced one after the other."""

    def __init__(self, sets: Sequence[int]) -> None:
        self.before = 0
        self._from_each_on = list(accumulate(reversed(sets), int.__or__, initial=0))[::-1]

    def than(self, index: int) -> int:
        return self.before | self._from_each_on[index + 1]


def counted(sets: Iterable[int], everybody: int) -> list[int]:
    """Who is in none of the sets, in one, in two..."""
    found = [everybody]
    for members in sets:
        more = [those & members for those in found]
        found = [those & ~members for those in found] + [0]
        for count, those in enumerate(more, 1):
            found[count] |= those
    return found
