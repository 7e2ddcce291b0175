"""The one place where python-sat is called: a typed, incremental solver and smallest hitting sets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pysat.examples.hitman import Hitman  # type: ignore[import-untyped]  # python-sat ships no types
from pysat.solvers import Solver  # type: ignore[import-untyped]  # as above

Clause = Sequence[int]

ENGINE = "glucose4"
"""Measured best here: thousands of small calls, each with a few hundred assumptions."""


class Sat:
    """Clauses that only ever grow, asked again and again under assumptions."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        self._solver = Solver(name=ENGINE, bootstrap_with=clauses, incr=True)

    def extend(self, clauses: Iterable[Clause]) -> None:
        for clause in clauses:
            self._solver.add_clause(clause)

    def prefer(self, literals: Sequence[int]) -> None:
        """Values to try first; they change which solution is found, never whether there is one."""
        self._solver.set_phases(literals)

    def solve(self, assumptions: Sequence[int]) -> bool:
        return bool(self._solver.solve(assumptions=assumptions))

    def solution(self) -> set[int]:
        """The literals that are true in the solution just found."""
        return set(self._solver.get_model() or ())

    def core(self) -> list[int]:
        """Assumptions that were enough to make the last call fail."""
        return list(self._solver.get_core() or ())

    def close(self) -> None:
        self._solver.delete()


class HittingSets:
    """A smallest set that meets every set given so far."""

    def __init__(self) -> None:
        self._hitman = Hitman(htype="sorted", solver="m22")

    def add(self, members: Iterable[int]) -> None:
        self._hitman.hit(sorted(members))

    def smallest(self) -> list[int]:
        return sorted(self._hitman.get() or ())

    def close(self) -> None:
        self._hitman.delete()
