"""Policies for worlds in which a step has several possible outcomes (FOND planning).

A *strong cyclic* solution (Cimatti et al. 2003) is a partial policy under which, whatever the outcomes, the
goal stays within reach: every state that can come about is a goal, or the policy names a step there by which
a goal can still come about. With fair chance it is then reached with certainty, if not within a bound.

It is a fixpoint. Of the states explored, keep those that have a step all of whose outcomes were kept and by
which a goal can come about, until nothing more falls out. States not yet expanded count as lost, so that a
solution found early is one; exploring goes on, breadth first, while there is none. As in `search`, only
`Unsolvable` says something about the task.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from assay.core.quantity import count
from assay.core.symbols import Step
from assay.planning.search import GaveUp, TimedOut, Unsolvable

Node = TypeVar("Node", bound=Hashable)

FIRST, GROWTH = 32, 4
"""States expanded before a solution is first looked for, and the factor between that and the next time."""


@dataclass(frozen=True, slots=True)
class Solution(Generic[Node]):
    steps: Mapping[Node, Step]
    """What to do in every state that can come about and is no goal."""
    depth: int
    """Steps to the farthest state that can come about, by the shortest way there."""


class Task(Protocol[Node]):
    """A state space with chance. `complete` says whether `successors` leaves no step out."""

    @property
    def initial(self) -> Node: ...

    @property
    def complete(self) -> bool: ...

    def is_goal(self, node: Node) -> bool: ...

    def successors(self, node: Node) -> Iterable[tuple[Step, tuple[Node, ...]]]:
        """The steps that run there, each with every state it may lead to."""
        ...


def solve(
    task: Task[Node], *, max_nodes: int, deadline: float | None = None
) -> Solution[Node] | Unsolvable | GaveUp | TimedOut:
    """A strong cyclic solution, or why there is none.

    `max_nodes` bounds the states expanded; `deadline` is a reading of `time.monotonic`, and the only thing
    that makes the result depend on the machine.
    """
    space = _Space(task)
    threshold = FIRST
    while True:
        limit = min(threshold, max_nodes)
        if not space.expand(limit, deadline):
            return TimedOut()
        if (solution := space.solution()) is not None:
            return solution
        if not space.frontier:
            return Unsolvable() if task.complete else GaveUp("not every step was considered")
        if limit == max_nodes:
            return GaveUp(f"looking at {count(max_nodes, 'state')} was not enough")
        threshold *= GROWTH


class _Space(Generic[Node]):
    """The part of a task explored so far, breadth first."""

    def __init__(self, task: Task[Node]) -> None:
        self._task = task
        self.frontier: list[Node] = []
        self._goals: list[Node] = []
        self._seen: set[Node] = set()
        self._options: dict[Node, list[tuple[Step, tuple[Node, ...]]]] = {}
        self._leading: dict[Node, list[tuple[Node, int]]] = {}
        """For each state, the states and the numbers of their options that may lead to it."""
        self._meet(task.initial)

    def _meet(self, node: Node) -> None:
        if node not in self._seen:
            self._seen.add(node)
            (self._goals if self._task.is_goal(node) else self.frontier).append(node)

    def expand(self, limit: int, deadline: float | None) -> bool:
        """Expands until so many states are expanded or none is left; False if time ran out before."""
        while self.frontier and len(self._options) < limit:
            layer, self.frontier = self.frontier, []
            for place, node in enumerate(layer):
                if len(self._options) >= limit:
                    self.frontier = layer[place:] + self.frontier
                    break
                if deadline is not None and time.monotonic() > deadline:
                    return False
                options = self._options[node] = []
                for step, outcomes in self._task.successors(node):
                    different = tuple(dict.fromkeys(outcomes))
                    if different == (node,):
                        continue
                    for after in different:
                        self._meet(after)
                        self._leading.setdefault(after, []).append((node, len(options)))
                    options.append((step, different))
        return True

    def solution(self) -> Solution[Node] | None:
        initial = self._task.initial
        kept = {*self._goals, *self._options}
        while initial in kept:
            choice = self._choices(kept)
            reaching = {*self._goals, *choice}
            if len(reaching) == len(kept):
                return self._restricted(choice)
            kept = reaching
        return None

    def _choices(self, kept: set[Node]) -> dict[Node, int]:
        """Per state, the option that stays among the states kept and by which a goal is nearest."""
        choice: dict[Node, int] = {}
        lost = {
            (node, number)
            for outcome, sources in self._leading.items()
            if outcome not in kept
            for node, number in sources
        }
        layer: list[Node] = list(self._goals)
        while layer:
            following = []
            for after in layer:
                for node, number in self._leading.get(after, ()):
                    if node not in choice and node in kept and (node, number) not in lost:
                        choice[node] = number
                        following.append(node)
            layer = following
        return choice

    def _restricted(self, choice: dict[Node, int]) -> Solution[Node]:
        """The policy on the states that can come about under it."""
        steps: dict[Node, Step] = {}
        seen, layer, depth = {self._task.initial}, [self._task.initial], 0
        while layer:
            following = []
            for node in layer:
                if node in choice:
                    steps[node], outcomes = self._options[node][choice[node]]
                    fresh = [n for n in outcomes if n not in seen]
                    seen.update(fresh)
                    following += fresh
            layer = following
            depth += bool(layer)
        return Solution(steps, depth)
