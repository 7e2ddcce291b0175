"""Where may an action run that never did? Steps in S and made-up states, by turns.

What is tried next is what most conjunctions accept that explain all refusals so far: a sample of the
version space, in which short conjunctions and positive literals weigh more. So neither many offered
situations nor a rare combination of facts uses up the tries for the other.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from typing import NamedTuple

TRIES = 300
"""Refused tries after which an action counts as never run. A random try meets a given conjunction of eight
literals once in 256."""
TRIES_A_VISIT = 12
"""Refusals after which an action is left alone until the others have been looked at."""
SAMPLE = 60
"""Conjunctions drawn for each choice."""
CLIMBS = 3
"""Random places from which the best made-up valuation is searched, besides the majority's."""
POSITIVE = 3
"""How much likelier a literal is positive than negative, while nothing is known of other actions."""


class Conjunction(NamedTuple):
    mask: int
    value: int
    weight: float


class VersionSample:
    """Conjunctions over so many facts that explain all refusals."""

    def __init__(self, size: int, tried: Collection[int], odds: float, rng: random.Random) -> None:
        """`odds` says how much likelier a literal is positive than negative."""
        self.size, self._tried, self._odds, self._rng = size, tried, odds, rng
        refusals = sorted(tried)
        drawn = (self._draw(refusals) for _ in range(SAMPLE))
        self._sample = [c for c in drawn if c is not None]

    def _draw(self, refused: list[int]) -> Conjunction | None:
        """A conjunction lengthened until it is false at every refusal; shorter ones weigh more."""
        rng, mask, value = self._rng, 0, 0
        for own in rng.sample(refused, len(refused)):
            if own & mask != value:
                continue
            free = [n for n in range(self.size) if not mask >> n & 1]
            if not free:
                return None
            n = rng.choices(free, [1 if own >> n & 1 else self._odds for n in free])[0]
            mask, value = mask | 1 << n, value | ~own & 1 << n
        return Conjunction(mask, value, 0.5 ** mask.bit_count())

    def weight(self, own: int) -> float:
        return sum(c.weight for c in self._sample if own & c.mask == c.value)

    def best(self, candidates: Iterable[int]) -> int:
        """The valuation that most conjunctions accept; of several the one with most facts."""
        return max(candidates, key=lambda own: (self.weight(own), own.bit_count(), own))

    def made_up(self, anywhere: bool) -> int | None:
        """A valuation not tried yet: all facts but one, or what hill climbing finds best anywhere."""
        full = (1 << self.size) - 1
        near = [own for n in range(self.size) if (own := full ^ 1 << n) not in self._tried]
        if near and not anywhere:
            return self.best(near)
        starts = [self._majority(), *self._random()]
        found = dict.fromkeys(own for start in starts for own in (self._climb(start), start))
        fresh = [own for own in found if own not in self._tried]
        return self.best(fresh) if fresh else None

    def _random(self) -> list[int]:
        return [self._rng.getrandbits(self.size) if self.size else 0 for _ in range(CLIMBS)]

    def _majority(self) -> int:
        """Each fact as the weightier part of the sample wants it, and true where nobody cares."""
        own = 0
        for n in range(self.size):
            votes = sum(
                (c.weight if c.value >> n & 1 else -c.weight) for c in self._sample if c.mask >> n & 1
            )
            own |= (votes >= 0) << n
        return own

    def _climb(self, own: int) -> int:
        here = self.weight(own)
        for n in self._rng.sample(range(self.size), self.size):
            there = self.weight(own ^ 1 << n)
            if there > here:
                own, here = own ^ 1 << n, there
        return own
