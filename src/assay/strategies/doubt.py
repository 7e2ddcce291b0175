"""How likely flips are to do no harm, where refusals have left some literals in doubt.

Every literal in doubt is required with a chance of its own, but each refusal that is not explained yet has at
least one of its literals required. How likely none of some literals is required, given that, is exact by
inclusion and exclusion over the refusals that say most; the others raise the chances of their literals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from itertools import combinations
from math import exp, log, prod
from operator import or_

from assay.core.universe import indices

LEAST, MOST = 1e-4, 0.95
"""No chance is taken to be less, or more."""
MOST_CLAUSES = 6
"""Refusals that are weighed exactly, those with the fewest literals first."""


class Doubt:
    def __init__(self, chances: Mapping[int, float], clauses: Iterable[int]) -> None:
        smallest: list[int] = []
        for clause in sorted(set(clauses), key=lambda c: (c.bit_count(), c)):
            if not any(other & clause == other for other in smallest):
                smallest.append(clause)
        self._clauses, told = smallest, smallest[:MOST_CLAUSES]
        raised = {index: min(MOST, max(LEAST, chance)) for index, chance in chances.items()}
        for clause in reversed(smallest[MOST_CLAUSES:]):
            members = indices(clause)
            met = 1 - prod(1 - raised[index] for index in members)
            raised |= {index: min(MOST, raised[index] / met) for index in members}
        self._free = {index: log(1 - chance) for index, chance in raised.items()}
        self._terms = [
            (-1 if count % 2 else 1, reduce(or_, some, 0))
            for count in range(len(told) + 1)
            for some in combinations(told, count)
        ]
        self._found: dict[int, float] = {}
        self._total = self._weight(0)

    def harmless(self, flips: int) -> float:
        """The chance that none of these literals is required."""
        if flips not in self._found:
            refused = any(not clause & ~flips for clause in self._clauses)
            self._found[flips] = 0.0 if refused else min(1.0, max(0.0, self._weight(flips) / self._total))
        return self._found[flips]

    def _weight(self, flips: int) -> float:
        """The chance that none of these is required, and that still every refusal is explained."""
        return self._none_of(flips) * sum(
            sign * self._none_of(literals & ~flips) for sign, literals in self._terms
        )

    def _none_of(self, literals: int) -> float:
        return exp(sum(self._free[index] for index in indices(literals)))
