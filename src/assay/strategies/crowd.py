"""Many preconditions thought of at once, each of which explains all refusals so far.

They are drawn by Gibbs sampling from what is expected of the action (`habits`), given that every refusal was
due to at least one literal. The members of the crowd are the bits of integers: for every atom one
integer says which members require it true, one which require it false; so a step of the sampling is a few
operations on integers for all of them, and so is counting those that accept a valuation. How much the action
forbids is uncertain, too: members are more or less strict, and the more tries are refused the stricter they
get.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import accumulate
from math import prod

from assay.core.universe import indices
from assay.strategies.habits import Habits

SIZE, SWEEPS = 1024, 12
STRICTNESS = (0.0, 0.5, 1.0, 2.0, 4.0)
"""Odds of what is forbidden, against those expected; equally likely."""
LINKING = (1.0, 8.0, 64.0, 512.0)
"""Odds of what is required true, against those expected, by the number of its parameters of which nothing else
is required true: most often something is of each."""
PRECISION = 12
"""Bits to which chances are rounded."""
NEAR_MISS = 0.3
"""Worth of a refusal for one reason alone: once the action has run, it will convict that literal."""
STARTS, LOOKED_AT = 6, 60

Reasons = tuple[int, int, int]
NOTHING: Reasons = 0, 0, 0


class Crowd:
    def __init__(self, habits: Habits, refused: Iterable[int], rng: random.Random) -> None:
        self._rng = rng
        self._about = habits.about
        self._refused = sorted(refused)
        self._numbers = range(len(habits.true))
        self._everybody = (1 << SIZE) - 1
        self._true_odds = [chance / (1 - chance) for chance in habits.true]
        self._false_odds = [chance / (1 - chance) for chance in habits.false]
        self._rising_chances = habits.rising
        self.positive, self._forbidden, self._rising = ([0] * len(habits.true) for _ in range(3))
        self._gather()
        for _ in range(SWEEPS):
            self._sweep(self._strict())
            self._rise()
        self.members = self._consistent()
        self.negative = [f | r for f, r in zip(self._forbidden, self._rising, strict=True)]
        self._witnessed = self._find_witnessed()

    # Drawing

    def _toss(self, chance: float) -> int:
        """Each bit is set with this chance."""
        heads, threshold = 0, round(chance * (1 << PRECISION))
        if threshold >= 1 << PRECISION:
            return self._everybody
        for bit in range(PRECISION):
            coins = self._rng.getrandbits(SIZE)
            heads = heads | coins if threshold >> bit & 1 else heads & coins
        return heads

    def _deal(self, weights: list[float], members: int) -> Iterator[int]:
        """Gives each of the members to one of the weights."""
        left = sum(weights)
        for weight in weights:
            taken = members & self._toss(min(1.0, weight / left)) if members and left > 0 else 0
            yield taken
            members &= ~taken
            left -= weight

    def _gather(self) -> None:
        """Members that require as little as explains all refusals."""
        rest = max(0.0, 1 - sum(self._rising_chances))
        self._rising = list(self._deal([*self._rising_chances, rest], self._everybody))[:-1]
        for refusal in self._refused:
            for _ in range(4):
                left = self._everybody & ~self._explained(refusal)
                if not left:
                    break
                odds = [self._odds(i, refusal) for i in self._numbers]
                for index, chosen in zip(self._numbers, self._deal(odds, left), strict=True):
                    if refusal >> index & 1:
                        self._forbidden[index] |= chosen & ~self.positive[index]
                    else:
                        self.positive[index] |= chosen & ~self._forbidden[index] & ~self._rising[index]

    def _odds(self, index: int, refusal: int) -> float:
        return (self._false_odds if refusal >> index & 1 else self._true_odds)[index]

    def _explains(self, index: int, refusal: int) -> int:
        """The members for which this atom explains the refusal."""
        if refusal >> index & 1:
            return self._forbidden[index] | self._rising[index]
        return self.positive[index]

    def _explained(self, refusal: int) -> int:
        explained = 0
        for index in self._numbers:
            explained |= self._explains(index, refusal)
        return explained

    def _consistent(self) -> int:
        members = self._everybody
        for refusal in self._refused:
            members &= self._explained(refusal)
        return members

    def _strict(self) -> list[int]:
        """Who is how strict, given how much each forbids."""
        planes = [0, 0, 0, 0]  # the binary digits of how much it is
        for members in self._forbidden:
            carry = members
            for place, plane in enumerate(planes):
                planes[place], carry = plane ^ carry, plane & carry
        found = [0] * len(STRICTNESS)
        nothing = [1 / prod(1 + level * each for each in self._false_odds) for level in STRICTNESS]
        for count in range(1 << len(planes)):
            members = self._everybody
            for place, plane in enumerate(planes):
                members &= plane if count >> place & 1 else ~plane
            if members:
                weights = [weight * level**count for level, weight in zip(STRICTNESS, nothing, strict=True)]
                for number, chosen in enumerate(self._deal(weights, members)):
                    found[number] |= chosen
        return found

    def _toss_odds(self, odds: float, levels: Iterable[float], members: list[int]) -> int:
        """Each bit is set with these odds, times the level of the member."""
        heads = 0
        for level, those in zip(levels, members, strict=False):
            if those and level:
                heads |= those & self._toss(level * odds / (1 + level * odds))
        return heads

    def _sweep(self, strict: list[int]) -> None:
        """Draw anew what each member requires of each atom, given what it requires of the others."""
        later = []  # per refusal, who explains it by one of the atoms from each on
        for refusal in self._refused:
            backwards = accumulate(
                (self._explains(i, refusal) for i in reversed(self._numbers)), int.__or__, initial=0
            )
            later.append(list(backwards)[::-1])
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
            true = self._toss_odds(odds, LINKING, self._unlinked(index))
            true = true & ~must_false & ~taken | must_true & self.positive[index]
            false = self._toss_odds(self._false_odds[index], STRICTNESS, strict)
            false = false & ~true & ~must_true & ~taken | must_false & self._forbidden[index]
            self.positive[index], self._forbidden[index] = true, false
            for number, refusal in enumerate(self._refused):
                earlier[number] |= self._explains(index, refusal)

    def _unlinked(self, index: int) -> list[int]:
        """Who requires nothing else true of none of the atom's parameters, of one, of two..."""
        found = [self._everybody]
        for parameter in sorted(self._about[index]):
            linked = 0
            for other in self._numbers:
                if other != index and parameter in self._about[other]:
                    linked |= self.positive[other]
            more = [members & ~linked for members in found]
            found = [members & linked for members in found] + [0]
            for count, members in enumerate(more, 1):
                found[count] |= members
        return found

    def _rise(self) -> None:
        """Let each member forbid another thing because the action makes it true, if that explains as much."""
        rest = max(0.0, 1 - sum(self._rising_chances))
        proposed = list(self._deal([*self._rising_chances, rest], self._everybody))[:-1]
        fine = self._everybody
        for index in self._numbers:
            fine &= ~(proposed[index] & self.positive[index])
        for refusal in self._refused:
            explained = 0
            for index in self._numbers:
                if refusal >> index & 1:
                    explained |= self._forbidden[index] | proposed[index]
                else:
                    explained |= self.positive[index]
            fine &= explained
        for index in self._numbers:
            self._rising[index] = self._rising[index] & ~fine | proposed[index] & fine
            self._forbidden[index] &= ~self._rising[index]

    # Judging

    def _violations(self, valuation: int) -> Iterator[int]:
        """Per atom, the members by which the valuation violates it."""
        for index in self._numbers:
            yield (self.negative if valuation >> index & 1 else self.positive)[index] & self.members

    def _find_witnessed(self) -> list[int]:
        """Per atom, the members for which one of the refusals is due to it alone."""
        found = [0] * len(self._numbers)
        for refusal in self._refused:
            alone = self._alone(refusal)
            for index, violating in enumerate(self._violations(refusal)):
                found[index] |= violating & alone
        return found

    def _alone(self, valuation: int) -> int:
        """The members by which the valuation violates just one literal."""
        once = twice = 0
        for violating in self._violations(valuation):
            twice |= once & violating
            once |= violating
        return once & ~twice

    def accepting(self, valuation: int) -> int:
        refusing = 0
        for violating in self._violations(valuation):
            refusing |= violating
        return self.members & ~refusing

    def worth(self, valuation: int) -> float:
        return self._rate(reduce(_together, self._reasons(valuation), NOTHING))

    def _reasons(self, valuation: int) -> Iterator[Reasons]:
        """Per atom, the members that refuse the valuation because of it: once, twice, and as news."""
        for violating, witnessed in zip(self._violations(valuation), self._witnessed, strict=True):
            yield violating, 0, violating & ~witnessed

    def _rate(self, reasons: Reasons) -> float:
        once, twice, news = reasons
        return (self.members & ~once).bit_count() + NEAR_MISS * (news & ~twice).bit_count()

    def confidence(self, valuation: int) -> float:
        return self.accepting(valuation).bit_count() / self.members.bit_count()

    def required(self, valuation: int) -> tuple[float, ...]:
        """How likely each atom is to be required if the action runs there."""
        right = self.accepting(valuation)
        count = right.bit_count() or 1
        return tuple(
            ((p | n) & right).bit_count() / count for p, n in zip(self.positive, self.negative, strict=True)
        )

    def best(self, tried: set[int]) -> int | None:
        """The untried valuation of the highest worth, as far as found by flipping single atoms."""
        if not self.members:
            return None
        full = (1 << len(self._numbers)) - 1
        starts = {full: None, self._majority(): None}
        for member in self._rng.sample(indices(self.members), min(LOOKED_AT, self.members.bit_count())):
            starts[full & ~sum(1 << i for i, n in enumerate(self.negative) if n >> member & 1)] = None
        ranked = sorted(starts, key=self.worth, reverse=True)
        found = {v: self.worth(v) for v in (self._climb(s, tried) for s in ranked[:STARTS]) if v not in tried}
        return max(found, key=lambda v: found[v]) if found else None

    def _majority(self) -> int:
        return sum(
            1 << i
            for i in self._numbers
            if (self.positive[i] & self.members).bit_count() >= (self.negative[i] & self.members).bit_count()
        )

    def _climb(self, valuation: int, tried: set[int]) -> int:
        """Flip single atoms as long as that makes the valuation better."""
        worth = -1.0 if valuation in tried else self.worth(valuation)
        while True:
            reasons = list(self._reasons(valuation))
            flipped = list(self._reasons(~valuation))
            before = accumulate(reasons, _together, initial=NOTHING)
            after = list(accumulate(reversed(reasons), _together, initial=NOTHING))[-2::-1]
            rated = [
                (self._rate(_together(_together(left, own), right)), valuation ^ 1 << index)
                for index, (left, own, right) in enumerate(zip(before, flipped, after, strict=False))
                if valuation ^ 1 << index not in tried
            ]
            if not rated or max(rated)[0] <= worth:
                return valuation
            worth, valuation = max(rated)


def _together(first: Reasons, second: Reasons) -> Reasons:
    return first[0] | second[0], first[1] | second[1] | first[0] & second[0], first[2] | second[2]
