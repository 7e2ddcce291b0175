"""The minimal sets of literals with which clauses can be satisfied, smallest first, by a MaxSAT solver.

The solver yields a smallest set; the clause that rules out its supersets is added; and so on. So each minimal
set comes once, none is missed, and subsets are never listed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from threading import Timer

from pysat.examples.rc2 import RC2  # type: ignore[import-untyped]  # python-sat ships no types
from pysat.formula import WCNF  # type: ignore[import-untyped]  # python-sat ships no types

from assay.scoring.clauses import Clauses


def minimal_sets(
    clauses: Clauses, selectors: list[int], seconds: float | None = None
) -> Generator[tuple[list[int], list[int]], None, bool]:
    """The minimal sets of selectors that satisfy the clauses, smallest first, each with a solution.

    The generator's return value says whether it ended because the time given was over.
    """
    problem = WCNF()
    problem.extend(clauses.clauses)
    for selector in selectors:
        problem.append([-selector], weight=1)
    wanted = set(selectors)
    with RC2(problem, solver="g3", adapt=True) as solver, _alarm(seconds, solver.interrupt) as expired:
        while not expired:
            solution = solver.compute(expect_interrupt=seconds is not None)
            if solution is None:
                break
            chosen = [s for s in solution if s in wanted]
            yield chosen, solution
            if not chosen:
                break
            solver.add_clause([-s for s in chosen])
        return bool(expired)


@contextmanager
def _alarm(seconds: float | None, ring: Callable[[], None]) -> Iterator[list[bool]]:
    """Calls when the time is over; from then on the list is not empty."""
    expired: list[bool] = []
    if seconds is None:
        yield expired
        return

    def wake() -> None:
        expired.append(True)
        ring()

    timer = Timer(seconds, wake)
    timer.daemon = True
    timer.start()
    try:
        yield expired
    finally:
        timer.cancel()
        timer.join()
