"""What an action that never ran may need: preconditions drawn in proportion to how likely they are.

Every atom is required true, or false, with a chance of its own; a refusal rules out all preconditions that
the situation would have met, and atoms that were never seen true together are not required together. From
what is left, preconditions are drawn by Gibbs' method: one literal after the other is put in or left out at
random, by its chance, unless a refusal needs it. The chain goes on from where it was when another refusal
comes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from assay.core.universe import indices

DRAWS = 200
"""Preconditions drawn; between two of them every literal was looked at once on average."""
FADED = 0.001
"""Weight of the chances alone, to order situations that no precondition drawn accepts."""


class Posterior:
    def __init__(self, chances: Sequence[float], negative: float, rng: random.Random) -> None:
        self._size, self._rng = len(chances), rng
        self._chances = [*chances, *([negative] * len(chances))]
        """For every atom to be required true; then for every atom to be required false."""
        self._together: Sequence[int] = ()
        self._present = 0
        self._failures: list[int] = []
        self._requiring = [0] * 2 * self._size
        """For each literal, which of the preconditions drawn have it."""
        self._draw()

    def refuse(self, failures: set[int], together: Sequence[int]) -> None:
        """Take in all refusals so far, if there are new ones; and for each atom, what it was seen with."""
        self._together = together
        full = (1 << self._size) - 1
        if len(failures) > len(self._failures):
            # the literals that each refusal violates, as bits of both kinds
            self._failures = [full & ~f | f << self._size for f in sorted(failures)]
            for violated in self._failures:
                if not self._present & violated:
                    choices = indices(violated)
                    (chosen,) = self._rng.choices(choices, [self._chances[i] for i in choices])
                    self._present |= 1 << chosen
            self._draw()

    def _draw(self) -> None:
        self._requiring = [0] * 2 * self._size
        for number in range(DRAWS if self._size else 0):
            for _ in range(self._size):
                i = self._rng.randrange(2 * self._size)
                bit, opposite = 1 << i, 1 << (i + self._size) % (2 * self._size)
                if self._rng.random() < self._chances[i]:
                    if not self._present & opposite and self._fits(i):
                        self._present |= bit
                elif self._present & bit:
                    without = self._present & ~bit
                    if all(without & violated for violated in self._failures):
                        self._present = without
            for i in indices(self._present):
                self._requiring[i] |= 1 << number

    def _fits(self, literal: int) -> bool:
        """Whether what is required true so far was seen together with it."""
        if literal >= self._size or not self._together:
            return True
        return not self._present & ((1 << self._size) - 1) & ~(self._together[literal] | 1 << literal)

    def suspicions(self) -> list[float]:
        """How likely each atom is to be required true."""
        return [(mask.bit_count() + 1) / (DRAWS + 2) for mask in self._requiring[: self._size]]

    def chance(self, valuation: int) -> float:
        """How likely the action runs under the valuation."""
        refusing, blind = 0, 1.0
        for i in range(self._size):
            true = valuation >> i & 1
            refusing |= self._requiring[i + self._size if true else i]
            if not true:
                blind *= 1 - self._chances[i]
        return 1 - refusing.bit_count() / DRAWS + FADED * blind
