"""Drawing preconditions that explain all refusals so far, a thousand at once.

They follow what is expected of the action (`habits`), given that every refusal was due to at least one
literal: Gibbs sampling, all chains in parallel as the bits of integers (see `crowd`). What is required of an
atom is drawn anew for all members by tossing a thousand coins, except for those that need it to explain a
refusal which nothing else explains. How much the action forbids is uncertain, too: members are more or less
strict, and the more tries are refused the stricter they get.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import accumulate
from math import prod

from assay.strategies.crowd import Crowd
from assay.strategies.habits import Habits

SIZE, SWEEPS = 1024, 12
STRICTNESS = (0.0, 0.5, 1.0, 2.0, 4.0)
"""Odds of what is forbidden, against those expected; equally likely."""
LINK = 8.0
"""How much likelier something is required true for each of its parameters of which nothing else is."""
PRECISION = 12
"""Bits to which chances are rounded."""
ATTEMPTS = 4
"""Rounds in which members that explain too little are given one literal more."""
EVERYBODY = (1 << SIZE) - 1


def gather(habits: Habits, refused: Iterable[int], rng: random.Random) -> Crowd:
    """Preconditions that explain the refusals, drawn by what is expected of the action."""
    chains = _Chains(habits, sorted(refused), rng)
    for _ in range(SWEEPS):
        chains.sweep()
        chains.rise()
    return chains.crowd()


class _Chains:
    def __init__(self, habits: Habits, refused: list[int], rng: random.Random) -> None:
        self._habits, self._refused, self._rng = habits, refused, rng
        self._numbers = range(len(habits.true))
        self._true_odds = [chance / (1 - chance) for chance in habits.true]
        self._false_odds = [chance / (1 - chance) for chance in habits.false]
        self._positive, self._forbidden = [0] * len(habits.true), [0] * len(habits.true)
        self._rising = self._drawn_rising()
        """What each forbids because the action makes it true: one thing, or none."""
        for refusal in refused:
            self._explain(refusal)

    def crowd(self) -> Crowd:
        members = EVERYBODY
        for refusal in self._refused:
            members &= self._explaining(refusal)
        negative = [f | r for f, r in zip(self._forbidden, self._rising, strict=True)]
        return Crowd(members, self._positive, negative, self._refused)

    def sweep(self) -> None:
        """Draw anew what each member requires of each atom, given what it requires of the others."""
        strict = self._strict()
        later = []  # per refusal, who explains it by one of the atoms from each on
        for refusal in self._refused:
            backwards = (self._reason(i, refusal) for i in reversed(self._numbers))
            later.append(list(accumulate(backwards, int.__or__, initial=0))[::-1])
        earlier = [0] * len(self._refused)
        for index in self._numbers:
            must_true = must_false = 0
            for number, refusal in enumerate(self._refused):
                must = ~(earlier[number] | later[number][index + 1])
                if refusal >> index & 1:
                    must_false |= must
                else:
                    must_true |= must
            taken = self._rising[index]
            odds = self._true_odds[index] / (1 + self._false_odds[index])
            true = self._toss_odds(
                (LINK**count * odds, who) for count, who in enumerate(self._unlinked(index))
            )
            true = true & ~must_false & ~taken | must_true & self._positive[index]
            odds = self._false_odds[index]
            false = self._toss_odds((s * odds, who) for s, who in zip(STRICTNESS, strict, strict=True))
            false = false & ~true & ~must_true & ~taken | must_false & self._forbidden[index]
            self._positive[index], self._forbidden[index] = true, false
            for number, refusal in enumerate(self._refused):
                earlier[number] |= self._reason(index, refusal)

    def rise(self) -> None:
        """Let each member take another thing for what the action makes true, if that explains as much."""
        before, self._rising = self._rising, self._drawn_rising()
        fine = EVERYBODY
        for rising, positive in zip(self._rising, self._positive, strict=True):
            fine &= ~(rising & positive)
        for refusal in self._refused:
            fine &= self._explaining(refusal)
        for index in self._numbers:
            self._rising[index] = before[index] & ~fine | self._rising[index] & fine
            self._forbidden[index] &= ~self._rising[index]

    def _drawn_rising(self) -> list[int]:
        rest = max(0.0, 1 - sum(self._habits.rising))
        return list(self._deal([*self._habits.rising, rest], EVERYBODY))[:-1]

    def _explain(self, refusal: int) -> None:
        """Let members that do not explain the refusal require one thing more."""
        odds = [(self._false_odds if refusal >> i & 1 else self._true_odds)[i] for i in self._numbers]
        for _ in range(ATTEMPTS):
            left = EVERYBODY & ~self._explaining(refusal)
            if not left:
                return
            for index, chosen in zip(self._numbers, self._deal(odds, left), strict=True):
                if refusal >> index & 1:
                    self._forbidden[index] |= chosen & ~self._positive[index]
                else:
                    self._positive[index] |= chosen & ~self._forbidden[index] & ~self._rising[index]

    def _explaining(self, refusal: int) -> int:
        """Who explains the refusal."""
        found = 0
        for index in self._numbers:
            found |= self._reason(index, refusal)
        return found

    def _reason(self, index: int, refusal: int) -> int:
        """Who explains the refusal by this atom."""
        if refusal >> index & 1:
            return self._forbidden[index] | self._rising[index]
        return self._positive[index]

    def _strict(self) -> list[int]:
        """Who is how strict, given how much each forbids."""
        digits = [0, 0, 0, 0]  # of how much it is, lowest first
        for carry in self._forbidden:
            for place, digit in enumerate(digits):
                digits[place], carry = digit ^ carry, digit & carry
        found = [0] * len(STRICTNESS)
        nothing = [1 / prod(1 + s * odds for odds in self._false_odds) for s in STRICTNESS]
        for count in range(1 << len(digits)):
            members = EVERYBODY
            for place, digit in enumerate(digits):
                members &= digit if count >> place & 1 else ~digit
            if members:
                weights = [weight * s**count for s, weight in zip(STRICTNESS, nothing, strict=True)]
                for number, chosen in enumerate(self._deal(weights, members)):
                    found[number] |= chosen
        return found

    def _unlinked(self, index: int) -> list[int]:
        """Who requires nothing else true of none of the atom's parameters, of one, of two..."""
        about = self._habits.about
        found = [EVERYBODY]
        for parameter in sorted(about[index]):
            linked = 0
            for other in self._numbers:
                if other != index and parameter in about[other]:
                    linked |= self._positive[other]
            more = [members & ~linked for members in found]
            found = [members & linked for members in found] + [0]
            for count, members in enumerate(more, 1):
                found[count] |= members
        return found

    def _deal(self, weights: list[float], members: int) -> Iterator[int]:
        """Give each of the members to one of the weights."""
        left = sum(weights)
        for weight in weights:
            taken = members & self._toss(min(1.0, weight / left)) if members and left > 0 else 0
            yield taken
            members &= ~taken
            left -= weight

    def _toss_odds(self, cases: Iterable[tuple[float, int]]) -> int:
        """Coins for all members, whose odds depend on the case that each is in."""
        heads = 0
        for odds, members in cases:
            if members and odds:
                heads |= members & self._toss(odds / (1 + odds))
        return heads

    def _toss(self, chance: float) -> int:
        """Each bit is set with this chance."""
        heads, threshold = 0, round(chance * (1 << PRECISION))
        if threshold >= 1 << PRECISION:
            return EVERYBODY
        for bit in range(PRECISION):
            coins = self._rng.getrandbits(SIZE)
            heads = heads | coins if threshold >> bit & 1 else heads & coins
        return heads
