"""What an action that never ran may need: preconditions drawn in proportion to how likely they are.

Every atom is required true, or false, with a chance of its own; a refusal rules out all preconditions that
the situation would have met, and atoms that were never seen true together are not required together. The
arguments of an action have to do with each other: the fewer pieces they fall into, where atoms about several
of them join them, the likelier a precondition is.

From what is left, preconditions are drawn by Gibbs' method, hundreds of them side by side as the bits of
integers (see `members`): one literal after the other is put in or left out by its chance, except where
a refusal needs it; and one may take another's place, for those that were never seen together could not follow
each other otherwise. All of them go on from where they were when another refusal comes. One chain alone would
dwell on a few preconditions at a time and promise far too much of these.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from math import prod

from assay.core.universe import indices
from assay.strategies.members import Members, Others, counted

SIZE, SWEEPS = 512, 24
"""Preconditions drawn side by side, and how often each literal is looked at when there is news. With a third
of that they may stay where they began, and an action of termes was given up."""
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
        self._members = Members(SIZE, rng)
        self._chances = [*chances, *([negative] * len(chances))]
        """For every atom to be required true; then for every atom to be required false."""
        self._odds = [chance / (1 - chance) for chance in self._chances]
        self._together: tuple[int, ...] | None = None
        self._rivals: list[list[int]] = []
        """For each literal, those that it is never required with."""
        self._refusals: list[int] = []
        """For each refusal, the literals that would explain it."""
        self._requiring = [0] * 2 * self._size
        """For each literal, which of the preconditions drawn have it."""
        self.drawn: list[int] = []
        """The atoms required true by the preconditions drawn, what most of them require first."""
        self._refusing: dict[tuple[int, int], int] = {}
        """Which of them refuse, by the number of a byte of the valuation and its value."""
        self._blind: dict[int, float] = {}

    def learn(self, failures: set[int], together: Sequence[int]) -> None:
        """Take in all refusals so far, and for each atom what it was seen with, if there is news."""
        if len(failures) > len(self._refusals) or self._together != tuple(together):
            if self._together != tuple(together):
                self._together = tuple(together)
                self._exclude()
            atoms = (1 << self._size) - 1
            self._refusals = [atoms & ~f | f << self._size for f in sorted(failures)]
            for literals in self._refusals:
                self._explain(literals)
            for _ in range(SWEEPS if self._size else 0):
                self._sweep()
                self._exchange()
            self._refusing = {}
            self.drawn = [true for true, _ in Counter(self._each()).most_common()]

    def _exclude(self) -> None:
        """Note which literals are not required together; what was never seen true is not required at all."""
        assert self._together is not None
        self._rivals = [[] for _ in self._chances]
        for i, j in combinations(range(self._size), 2):
            if not self._together[i] >> j & 1:
                self._rivals[i].append(j)
                self._rivals[j].append(i)
        for i in range(self._size):
            self._rivals[i].append(i + self._size)
            self._rivals[i + self._size].append(i)
            if not self._together[i] >> i & 1:
                self._requiring[i] = 0

    def _possible(self, literal: int) -> bool:
        assert self._together is not None
        return literal >= self._size or bool(self._together[literal] >> literal & 1)

    def _explain(self, literals: int) -> None:
        """Let all that do not explain a refusal require one of these literals more, one that fits if any."""
        left = self._members.everybody
        for i in indices(literals):
            left &= ~self._requiring[i]
        choices = [i for i in indices(literals) if self._possible(i)] or indices(literals)
        for fitting in (True, False):
            barred = [self._opposed(i) if fitting else 0 for i in choices]
            for i, chosen in zip(
                choices, self._members.deal([self._odds[i] for i in choices], left, barred), strict=True
            ):
                self._requiring[i] |= chosen
                left &= ~chosen

    def _opposed(self, literal: int) -> int:
        """Those that require something that does not go with the literal."""
        found = 0
        for rival in self._rivals[literal]:
            found |= self._requiring[rival]
        return found

    def _sweep(self) -> None:
        """Put each literal in or leave it out, given the others."""
        reasons = self._reasons([(i,) for i in range(2 * self._size)])
        for literal, odds in enumerate(self._odds):
            must = 0
            for literals, others in reasons:
                if literals >> literal & 1:
                    must |= ~others.than(literal)
            kept = must & self._requiring[literal]
            free = self._members.everybody & ~self._opposed(literal) if self._possible(literal) else 0
            joins = self._joins(literal, (literal,))
            drawn = self._members.toss((odds / LOOSE**n, who & free) for n, who in enumerate(joins))
            self._requiring[literal] = drawn | kept
            for literals, others in reasons:
                if literals >> literal & 1:
                    others.before |= self._requiring[literal]

    def _exchange(self) -> None:
        """Let one atom take another's place, for pairs of them at random."""
        atoms = [i for i in range(self._size) if self._possible(i)]
        self._rng.shuffle(atoms)
        pairs = list(zip(atoms[::2], atoms[1::2], strict=False))
        reasons = self._reasons(pairs)
        for number, (i, j) in enumerate(pairs):
            must_i = must_j = 0
            for literals, others in reasons:
                if literals >> i & ~literals >> j & 1:
                    must_i |= ~others.than(number)
                elif literals >> j & ~literals >> i & 1:
                    must_j |= ~others.than(number)
            mine, theirs = self._requiring[i], self._requiring[j]
            self._requiring[i] = self._requiring[j] = 0
            away = mine & ~theirs & ~must_i & ~self._opposed(j)
            back = theirs & ~mine & ~must_j & ~self._opposed(i)
            change = 0
            for (n, who_i), (m, who_j) in product(
                enumerate(self._joins(i, (i, j))), enumerate(self._joins(j, (i, j)))
            ):
                gain = self._odds[j] / self._odds[i] * LOOSE ** (n - m)
                change |= self._members.coins(min(1.0, gain), who_i & who_j & away)
                change |= self._members.coins(min(1.0, 1 / gain), who_i & who_j & back)
            self._requiring[i], self._requiring[j] = mine ^ change, theirs ^ change
            for literals, others in reasons:
                for k in (i, j):
                    if literals >> k & 1:
                        others.before |= self._requiring[k]

    def _reasons(self, groups: Sequence[tuple[int, ...]]) -> list[tuple[int, Others]]:
        """For each refusal the literals that would explain it, and who explains it by others than a group."""
        grouped = {i for group in groups for i in group}
        found = []
        for literals in self._refusals:
            own = []
            for group in groups:
                explaining = 0
                for i in group:
                    if literals >> i & 1:
                        explaining |= self._requiring[i]
                own.append(explaining)
            others = Others(own)
            for i in indices(literals):
                if i not in grouped:
                    others.before |= self._requiring[i]
            found.append((literals, others))
        return found

    def _joins(self, literal: int, without: tuple[int, ...]) -> list[int]:
        """Who has how many more pieces of the arguments without the literal, and without some others."""
        scope = indices(self._scopes[literal]) if literal < self._size else []
        if len(scope) < 2:
            return [self._members.everybody]
        joined: dict[tuple[int, int], int] = {}
        for i, s in enumerate(self._scopes):
            if s & s - 1 and i not in without and (who := self._requiring[i]):
                for pair in combinations(indices(s), 2):
                    joined[pair] = joined.get(pair, 0) | who
        places = sorted({p for pair in joined for p in pair})
        for via in places:
            for pair in combinations([p for p in places if p != via], 2):
                through = joined.get(_pair(pair[0], via), 0) & joined.get(_pair(via, pair[1]), 0)
                if through:
                    joined[pair] = joined.get(pair, 0) | through
        apart = []
        for number, place in enumerate(scope[1:], 1):
            linked = 0
            for earlier in scope[:number]:
                linked |= joined.get((earlier, place), 0)
            apart.append(self._members.everybody & ~linked)
        return counted(apart, self._members.everybody)

    def _each(self) -> list[int]:
        """What each of the preconditions drawn requires true, in no order."""
        rows = [f"{who:0{SIZE}b}" for who in reversed(self._requiring[: self._size])]
        found = [int("".join(column), 2) for column in zip(*rows, strict=True)]
        self._rng.shuffle(found)
        return found

    def suspicions(self) -> list[float]:
        """How likely each atom is to be required true."""
        return [(with_it.bit_count() + 1) / (SIZE + 2) for with_it in self._requiring[: self._size]]

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
        return 1 - refusing.bit_count() / SIZE + FADED * self._blind[valuation]

    def _refused_by(self, number: int, value: int) -> int:
        """The preconditions drawn that one byte of a valuation violates."""
        refusing = 0
        for i in range(8 * number, min(8 * number + 8, self._size)):
            refusing |= self._requiring[i + self._size if value >> i - 8 * number & 1 else i]
        return refusing


def _pair(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first < second else (second, first)
