"""Breadth-first search: shortest plans, and four endings that are never confused."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from assay.core.symbols import Step
from assay.planning.search import GaveUp, Plan, TimedOut, Unsolvable, solve


class Counting:
    """Add one or two; the goal is a number."""

    def __init__(self, goal: int, top: int = 10**9, complete: bool = True) -> None:
        self.initial, self.complete = 0, complete
        self._goal, self._top = goal, top

    def is_goal(self, node: int) -> bool:
        return node == self._goal

    def successors(self, node: int, last: bool) -> Iterator[tuple[Step, int]]:
        for name, after in (("one", node + 1), ("two", node + 2)):
            if after <= self._top and (not last or self.is_goal(after)):
                yield Step(name), after


def test_a_plan_is_shortest():
    assert solve(Counting(5), max_nodes=100) == Plan((Step("one"), Step("two"), Step("two")))


def test_a_goal_that_holds_needs_no_step():
    assert solve(Counting(0), max_nodes=0) == Plan(())


def test_unsolvable_only_after_everything_was_seen():
    assert solve(Counting(-1, top=50), max_nodes=100) == Unsolvable()
    assert isinstance(solve(Counting(-1, top=50), max_nodes=10), GaveUp)
    assert isinstance(solve(Counting(-1, top=50, complete=False), max_nodes=100), GaveUp)


@pytest.mark.parametrize("length", [0, 1, 2])
def test_unsolvable_within_a_length(length):
    assert solve(Counting(6), max_nodes=100, max_length=length) == Unsolvable()
    assert len(solve(Counting(6), max_nodes=100, max_length=3).steps) == 3


def test_time_is_not_proof():
    assert solve(Counting(10**8), max_nodes=10**9, deadline=time.monotonic() - 1) == TimedOut()
