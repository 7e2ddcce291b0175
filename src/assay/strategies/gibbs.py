"""Drawing preconditions that explain all refusals so far, a thousand at once.

They follow what is expected of the action (`habits`), given that every refusal was due to at least one
literal: Gibbs sampling, all chains side by side as bits of integers (see `members`). What is required of an
atom is drawn anew for all members by tossing a thousand coins, except for those that need it to explain a
refusal which nothing else explains. How much the action forbids is uncertain, too: members are more or less
strict, and the more tries are refused the stricter they get.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from math import prod

from assay.strategies.crowd import Crowd
from assay.strategies.habits import Habits
from assay.strategies.members import Members, Others, counted

SIZE, SWEEPS = 1024, 12
STRICTNESS = (0.0, 0.3, 0.7, 1.5, 3.0)
"""Odds of what is forbidden, against those expected; equally likely."""
LINK = 8.0
"""How much likelier something is required true for each of its parameters of which nothing else is."""
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
        self._habits, self._refused, self._members = habits, refused, Members(SIZE, rng)
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
        strict, about = self._strict(), self._habits.about
        explaining = [Others([self._reason(i, f) for i in self._numbers]) for f in self._refused]
        linking = {
            p: Others([true if p in those else 0 for true, those in zip(self._positive, about, strict=True)])
            for p in {p for those in about for p in those}
        }
        for index in self._numbers:
            must_true = must_false = 0
            for refusal, others in zip(self._refused, explaining, strict=True):
                if refusal >> index & 1:
                    must_false |= ~others.than(index)
                else:
                    must_true |= ~others.than(index)
            unlinked = counted([~linking[p].than(index) for p in about[index]], EVERYBODY)
            true, false = self._redrawn(index, strict, unlinked)
            must_false &= ~self._rising[index]
            true = true & ~must_false | must_true & self._positive[index]
            false = false & ~true & ~must_true | must_false & self._forbidden[index]
            self._positive[index], self._forbidden[index] = true, false
            for refusal, others in zip(self._refused, explaining, strict=True):
                others.before |= self._reason(index, refusal)
            for parameter in about[index]:
                linking[parameter].before |= true

    def _redrawn(self, index: int, strict: list[int], unlinked: list[int]) -> tuple[int, int]:
        """Who would require the atom true, and false, if no refusal had to be explained."""
        true_odds, false_odds = self._true_odds[index], self._false_odds[index]
        odds = true_odds / (1 + false_odds)
        true = self._members.toss((LINK**count * odds, who) for count, who in enumerate(unlinked))
        false = self._members.toss((s * false_odds, who) for s, who in zip(STRICTNESS, strict, strict=True))
        return true & ~self._rising[index], false

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

    def _drawn_rising(self) -> list[int]:
        rest = max(0.0, 1 - sum(self._habits.rising))
        return list(self._members.deal([*self._habits.rising, rest], EVERYBODY))[:-1]

    def _explain(self, refusal: int) -> None:
        """Let members that do not explain the refusal require one thing more."""
        odds = [(self._false_odds if refusal >> i & 1 else self._true_odds)[i] for i in self._numbers]
        for _ in range(ATTEMPTS):
            left = EVERYBODY & ~self._explaining(refusal)
            if not left:
                return
            for index, chosen in zip(self._numbers, self._members.deal(odds, left), strict=True):
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
                for number, chosen in enumerate(self._members.deal(weights, members)):
                    found[number] |= chosen
        return found
