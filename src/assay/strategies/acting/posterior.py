"""What an action that never ran may need: preconditions drawn in proportion to how likely they are.

Every atom is required true, or false, with a chance of its own; a refusal rules out all preconditions that
the situation would have met, and atoms that were never seen true together are not required together. The
arguments of an action have to do with each other: the fewer pieces they fall into, where atoms about several
of them join them, the likelier a precondition is.

From what is left, preconditions are drawn by Gibbs' method: one literal after the other is put in or left out
at random, by its chance, unless a refusal needs it; where it only fits instead of another, it may take that
one's place. The chain goes on from where it was when another refusal comes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import prod

from assay.core.universe import bits_of, indices

DRAWS = 200
"""Preconditions drawn; between two of them every literal was looked at once on average."""
LOOSE = 0.1
"""How much less likely a precondition is for each piece of the arguments that is not joined to the rest."""
FADED = 0.001
"""Weight of the chances alone, to order situations that no precondition drawn accepts."""


class Posterior:
    def __init__(
        self, chances: Sequence[float], negative: float, scopes: Sequence[int], rng: random.Random
    ) -> None:
        self._size, self._rng, self._scopes = len(chances), rng, scopes
        """`scopes`: for every atom, the parameters it is about."""
        self._atoms = (1 << self._size) - 1
        self._chances = [*chances, *([negative] * len(chances))]
        """For every atom to be required true; then for every atom to be required false."""
        self._together: tuple[int, ...] | None = None
        self._present = 0
        self._failures = 0
        """How many refusals were taken in."""
        self._explained = [0] * 2 * self._size
        """For each literal, the refusals that it would explain."""
        self.drawn: list[int] = []
        """The atoms required true by each of the preconditions drawn."""
        self._requiring = [0] * 2 * self._size
        """For each literal, which of the preconditions drawn have it."""
        self._refusing: dict[tuple[int, int], int] = {}
        """Which of them refuse, by the number of a byte of the valuation and its value."""
        self._blind: dict[int, float] = {}

    def learn(self, failures: set[int], together: Sequence[int]) -> None:
        """Take in all refusals so far, and for each atom what it was seen with, if there is news."""
        if len(failures) > self._failures or self._together != tuple(together):
            self._together = tuple(together)
            # the literals that each refusal violates, as bits of both kinds
            refusals = [self._atoms & ~f | f << self._size for f in sorted(failures)]
            self._failures, self._explained = len(refusals), [0] * 2 * self._size
            for number, violated in enumerate(refusals):
                for i in indices(violated):
                    self._explained[i] |= 1 << number
            seen = bits_of(i for i, others in enumerate(together) if others >> i & 1) | ~self._atoms
            self._present &= seen
            for violated in refusals:
                if not self._present & violated:
                    choices = indices(violated & seen) or indices(violated)
                    (chosen,) = self._rng.choices(choices, [self._chances[i] for i in choices])
                    self._present |= 1 << chosen
            self._draw()

    def _draw(self) -> None:
        self._requiring = [0] * 2 * self._size
        self._refusing = {}
        self.drawn = []
        for number in range(DRAWS if self._size else 0):
            for _ in range(self._size):
                self._reconsider(self._rng.randrange(2 * self._size))
            self.drawn.append(self._present & self._atoms)
            for i in indices(self._present):
                self._requiring[i] |= 1 << number

    def _reconsider(self, literal: int) -> None:
        """Put one literal in or leave it out, or let it take the place of the one that it does not fit to."""
        bit, chance = 1 << literal, self._chances[literal]
        if literal < self._size and self._together and not self._together[literal] & bit:
            return  # never seen true
        without = self._present & ~bit
        rivals = self._rivals(literal)
        if self._present & bit and rivals:  # two that do not fit: this one had better go
            if self._explains(without):
                self._present = without
            return
        if rivals & rivals - 1:
            rivals &= -rivals if self._rng.random() < 0.5 else rivals & ~(rivals & -rivals)
        others = without & ~rivals
        joins = self._joins(literal, others)
        odds = chance / (1 - chance) / LOOSE**joins
        if rivals:
            rival = rivals.bit_length() - 1
            odds /= self._chances[rival] / (1 - self._chances[rival]) / LOOSE ** self._joins(rival, others)
        present = others | bit if self._rng.random() * (1 + odds) < odds else without
        if present != self._present and self._explains(present):
            self._present = present

    def _explains(self, present: int) -> bool:
        """Whether these literals explain every refusal, as those that are required so far do."""
        unexplained = 0
        for i in indices(self._present & ~present):
            unexplained |= self._explained[i]
        while unexplained and present:
            bit = present & -present
            unexplained &= ~self._explained[bit.bit_length() - 1]
            present ^= bit
        return not unexplained

    def _joins(self, literal: int, others: int) -> int:
        """How many pieces of the arguments the literal makes one, beside what else is required true."""
        scope = self._scopes[literal] if literal < self._size else 0
        if not scope & scope - 1:
            return 0
        links = [s for i in indices(others & self._atoms) if (s := self._scopes[i]) & s - 1]
        pieces = -1
        while scope:
            piece, before = scope & -scope, 0
            while piece != before:
                before = piece
                for link in links:
                    if link & piece:
                        piece |= link
            scope &= ~piece
            pieces += 1
        return pieces

    def _rivals(self, literal: int) -> int:
        """What is required so far and was never seen together with the literal."""
        if literal >= self._size:
            return self._present & 1 << literal - self._size
        opposite = self._present & 1 << literal + self._size
        assert self._together is not None
        return opposite | self._present & self._atoms & ~(self._together[literal] | 1 << literal)

    def suspicions(self) -> list[float]:
        """How likely each atom is to be required true."""
        return [(with_it.bit_count() + 1) / (DRAWS + 2) for with_it in self._requiring[: self._size]]

    def chance(self, valuation: int) -> float:
        """How likely the action runs under the valuation."""
        refusing = 0
        for number in range((self._size + 7) // 8):
            value = valuation >> 8 * number & 255
            found = self._refusing.get((number, value))
            if found is None:
                found = self._refusing[number, value] = self._refused_by(number, value)
            refusing |= found
        if valuation not in self._blind:
            untrue = (1 - self._chances[i] for i in range(self._size) if not valuation >> i & 1)
            self._blind[valuation] = prod(untrue, start=1.0)
        return 1 - refusing.bit_count() / DRAWS + FADED * self._blind[valuation]

    def _refused_by(self, number: int, value: int) -> int:
        """The preconditions drawn that one byte of a valuation violates."""
        refusing = 0
        for i in range(8 * number, min(8 * number + 8, self._size)):
            refusing |= self._requiring[i + self._size if value >> i - 8 * number & 1 else i]
        return refusing
