"""Breadth-first search over hashable states, and the four ways a search can end.

"Proved impossible", "gave up" and "timed out" are types of their own, so that no caller can read one as
another: only `Unsolvable` is a statement about the task. Plans found are shortest.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from assay.core.quantity import count
from assay.core.symbols import Step

Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Plan:
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Unsolvable:
    """Every state within the plan length allowed was looked at; none is a goal."""


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The search stopped before it had seen everything; nothing follows."""

    reason: str


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The deadline passed; nothing follows."""


Result = Plan | Unsolvable | GaveUp | TimedOut


class Task(Protocol[Node]):
    """A state space. `complete` says whether `successors` leaves nothing out."""

    @property
    def initial(self) -> Node: ...

    @property
    def complete(self) -> bool: ...

    def is_goal(self, node: Node) -> bool: ...

    def successors(self, node: Node, last: bool) -> Iterable[tuple[Step, Node]]:
        """What the steps lead to; if the plan must end there, only goals are of use."""
        ...


def solve(
    task: Task[Node],
    *,
    max_nodes: int,
    max_length: int | None = None,
    deadline: float | None = None,
) -> Result:
    """A shortest plan, or why there is none.

    `max_nodes` bounds the states expanded; `deadline` is a reading of `time.monotonic`, and the only thing
    that makes the result depend on the machine.
    """
    root = task.initial
    if task.is_goal(root):
        return Plan(())
    came_from: dict[Node, tuple[Node, Step] | None] = {root: None}
    layer, length, expanded = [root], 0, 0
    while layer and length != max_length:
        length += 1
        following = []
        for node in layer:
            if expanded == max_nodes:
                return GaveUp(f"looking at {count(max_nodes, 'state')} was not enough")
            if deadline is not None and time.monotonic() > deadline:
                return TimedOut()
            expanded += 1
            for step, successor in task.successors(node, length == max_length):
                if successor not in came_from:
                    came_from[successor] = (node, step)
                    if task.is_goal(successor):
                        return Plan(_steps(came_from, successor))
                    following.append(successor)
        layer = following
    return Unsolvable() if task.complete else GaveUp("not every step was considered")


def _steps(came_from: dict[Node, tuple[Node, Step] | None], node: Node) -> tuple[Step, ...]:
    steps = []
    while (origin := came_from[node]) is not None:
        node, step = origin
        steps.append(step)
    return tuple(reversed(steps))
