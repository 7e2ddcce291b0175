"""The one place where the checker calls python-sat: a typed, incremental solver."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pysat.solvers import Solver  # type: ignore[import-untyped]  # python-sat ships no types

Clause = Sequence[int]

ENGINE = "glucose4"
"""For thousands of small calls under assumptions."""


class Sat:
    """Clauses that only ever grow, asked again and again under assumptions."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        self._solver = Solver(name=ENGINE, bootstrap_with=clauses, incr=True)

    def extend(self, clauses: Iterable[Clause]) -> None:
        for clause in clauses:
            self._solver.add_clause(clause)

    def solve(self, assumptions: Sequence[int]) -> bool:
        return bool(self._solver.solve(assumptions=assumptions))

    def solution(self) -> set[int]:
        """The literals that are true in the solution just found."""
        return set(self._solver.get_model() or ())

    def close(self) -> None:
        self._solver.delete()
