"""Many preconditions thought of at once, each of which explains all refusals so far, and what they say.

The members of the crowd are the bits of integers: for every atom one integer tells which members require it
true, and one which require it false. So whom a valuation suits is found for all of them by a few operations
on integers. The valuation to try next is the one that suits most, or that will have been refused
for one reason alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import accumulate

from assay.core.universe import bits_of, indices

NEAR_MISS = 0.3
"""Worth of a refusal for one reason alone: once the action has run, it will convict that literal."""
LOOKED_AT, STARTS = 60, 6
"""Members whose own valuation is looked at, and how many valuations are improved by flips."""

Reasons = tuple[int, int, int]
"""Members that refuse a valuation: for some reason, for several, and for one that no refusal so far shows."""
NONE: Reasons = 0, 0, 0


@dataclass(frozen=True, slots=True)
class Crowd:
    members: int
    positive: list[int]
    """Per atom, the members that require it true."""
    negative: list[int]
    refused: list[int]
    _shown: list[int] = field(init=False)
    """Per atom, the members for which one of the refusals is due to it alone."""

    @classmethod
    def of(cls, pairs: list[tuple[int, int]], width: int, refused: list[int]) -> Crowd:
        """Of preconditions given as atoms required true, and required false."""
        positive, negative = [0] * width, [0] * width
        for number, (true, false) in enumerate(pairs):
            for index in indices(true):
                positive[index] |= 1 << number
            for index in indices(false):
                negative[index] |= 1 << number
        return cls((1 << len(pairs)) - 1, positive, negative, refused)

    def __post_init__(self) -> None:
        shown = [0] * len(self.positive)
        for valuation in self.refused:
            violations = list(self._violations(valuation))
            twice = _several(violations)
            for index, violating in enumerate(violations):
                shown[index] |= violating & ~twice
        object.__setattr__(self, "_shown", shown)

    def confidence(self, valuation: int) -> float:
        """The share of the members that the valuation suits."""
        return self._suited(valuation).bit_count() / (self.members.bit_count() or 1)

    def required(self, valuation: int) -> tuple[float, ...]:
        """How likely each atom is to be required if the action runs there; nothing if nobody thinks so."""
        right = self._suited(valuation)
        pairs = zip(self.positive, self.negative, strict=True)
        return tuple(
            ((true | false) & right).bit_count() / right.bit_count() for true, false in pairs if right
        )

    def best(self, tried: set[int], rng: random.Random) -> int | None:
        """The untried valuation of the highest worth, as far as found by flipping single atoms."""
        if not self.members:
            return None
        full = (1 << len(self.positive)) - 1
        pairs = list(zip(self.positive, self.negative, strict=True))
        common = [
            (true & self.members).bit_count() >= (false & self.members).bit_count() for true, false in pairs
        ]
        starts = {full: None, bits_of(i for i, more in enumerate(common) if more): None}
        for member in rng.sample(indices(self.members), min(LOOKED_AT, self.members.bit_count())):
            starts[full & ~bits_of(i for i, false in enumerate(self.negative) if false >> member & 1)] = None
        ranked = sorted(starts, key=self.worth, reverse=True)[:STARTS]
        found = {v: self.worth(v) for v in (self._climb(start, tried) for start in ranked) if v not in tried}
        return max(found, key=lambda v: found[v]) if found else None

    def worth(self, valuation: int) -> float:
        once = twice = news = 0
        for violating, shown in zip(self._violations(valuation), self._shown, strict=True):
            twice |= once & violating
            once |= violating
            news |= violating & ~shown
        return self._rate((once, twice, news))

    def alone(self, valuation: int) -> Counter[int]:
        """The atoms, as bits, that alone stand between some members and the valuation, and for how many."""
        violations = list(self._violations(valuation))
        twice = _several(violations)
        return Counter({1 << i: (v & ~twice).bit_count() for i, v in enumerate(violations) if v & ~twice})

    def _rate(self, reasons: Reasons) -> float:
        once, twice, news = reasons
        return (self.members & ~once).bit_count() + NEAR_MISS * (news & ~twice).bit_count()

    def _climb(self, valuation: int, tried: set[int]) -> int:
        """Flip single atoms as long as that makes the valuation better."""
        worth = -1.0 if valuation in tried else self.worth(valuation)
        while True:
            reasons = list(self._reasons(valuation))
            before = accumulate(reasons, _together, initial=NONE)
            after = list(accumulate(reversed(reasons), _together, initial=NONE))[-2::-1]
            rated = [
                (self._rate(_together(_together(left, own), right)), valuation ^ 1 << index)
                for index, (left, own, right) in enumerate(
                    zip(before, self._reasons(~valuation), after, strict=False)
                )
                if valuation ^ 1 << index not in tried
            ]
            if not rated or max(rated)[0] <= worth:
                return valuation
            worth, valuation = max(rated)

    def _suited(self, valuation: int) -> int:
        return self.members & ~reduce(int.__or__, self._violations(valuation), 0)

    def _reasons(self, valuation: int) -> Iterator[Reasons]:
        """Who refuses the valuation because of each atom."""
        for violating, shown in zip(self._violations(valuation), self._shown, strict=True):
            yield violating, 0, violating & ~shown

    def _violations(self, valuation: int) -> Iterator[int]:
        for index, (true, false) in enumerate(zip(self.positive, self.negative, strict=True)):
            yield (false if valuation >> index & 1 else true) & self.members


def _several(sets: list[int]) -> int:
    """Who is in more than one of them."""
    once = twice = 0
    for members in sets:
        twice |= once & members
        once |= members
    return twice


def _together(first: Reasons, second: Reasons) -> Reasons:
    return first[0] | second[0], first[1] | second[1] | first[0] & second[0], first[2] | second[2]
