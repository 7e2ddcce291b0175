"""Breadth-first search over hashable states, and the four ways a search can end.

"Proved impossible", "gave up" and "timed out" are types of their own, so that no caller can read one as
another: only `Unsolvable` is a statement about the task. Plans found are shortest.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

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

    def successors(self, node: Node) -> Iterable[tuple[Step, Node]]: ...


def solve(
    task: Task[Node],
    *,
    max_nodes: int,
    max_length: int | None = None,
    deadline: float | None = None,
) -> Result:
    """A shortest plan, or why there is none.

    `max_nodes` bounds the different states generated; `deadline` is a reading of `time.monotonic`, and the
    only thing that makes the result depend on the machine.
    """
    root = task.initial
    if task.is_goal(root):
        return Plan(())
    came_from: dict[Node, tuple[Node, Step] | None] = {root: None}
    layer = deque([root])
    length = 0
    while layer and (max_length is None or length < max_length):
        length += 1
        following: deque[Node] = deque()
        for node in layer:
            if deadline is not None and time.monotonic() > deadline:
                return TimedOut()
            for step, successor in task.successors(node):
                if successor in came_from:
                    continue
                came_from[successor] = (node, step)
                if task.is_goal(successor):
                    return Plan(_steps(came_from, successor))
                if len(came_from) > max_nodes:
                    return GaveUp(f"{max_nodes} states were not enough")
                following.append(successor)
        layer = following
    return Unsolvable() if task.complete else GaveUp("not every step was considered")


def _steps(came_from: dict[Node, tuple[Node, Step] | None], node: Node) -> tuple[Step, ...]:
    steps = []
    while (origin := came_from[node]) is not None:
        node, step = origin
        steps.append(step)
    return tuple(reversed(steps))
