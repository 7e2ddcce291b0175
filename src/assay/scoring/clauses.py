"""Conditions on states as clauses for a SAT solver; the atoms of a universe are its first variables."""

from __future__ import annotations

from collections.abc import Iterable

from assay.core.condition import Condition
from assay.core.universe import indices


class Clauses:
    """A growing set of clauses, in which every part of a condition is named by a literal."""

    def __init__(self, atoms: int) -> None:
        self._top = atoms + 1
        self.true = self._top
        self.clauses: list[list[int]] = [[self.true]]
        self._named: dict[Condition, int] = {}

    @staticmethod
    def atom(index: int) -> int:
        """The variable of the atom with this bit number."""
        return index + 1

    def fresh(self) -> int:
        self._top += 1
        return self._top

    def condition(self, condition: Condition) -> int:
        """A literal that is true exactly where the condition holds."""
        if condition not in self._named:
            parts = [self.atom(i) for i in indices(condition.true)]
            parts += [-self.atom(i) for i in indices(condition.false)]
            parts += map(self.condition, condition.parts)
            self._named[condition] = self.every(parts) if condition.every else self.any(parts)
        return self._named[condition]

    def every(self, literals: Iterable[int]) -> int:
        wanted = sorted(set(literals) - {self.true})
        if -self.true in wanted or any(-x in wanted for x in wanted if x < 0):
            return -self.true
        if len(wanted) < 2:
            return wanted[0] if wanted else self.true
        name = self.fresh()
        self.clauses += [[-name, x] for x in wanted]
        self.clauses.append([name, *(-x for x in wanted)])
        return name

    def any(self, literals: Iterable[int]) -> int:
        return -self.every([-x for x in literals])

    def same(self, one: int, two: int) -> int:
        """Whether both are true or both are false."""
        return self.any([self.every([one, two]), self.every([-one, -two])])
