"""The fewest inserted, removed or replaced steps after which a plan leads to a goal.

The search goes by the number of changes, through states rather than plans, so the first plan found has the
fewest, and of those it keeps the most of the old one. It ends with a plan, with the proof that there is none,
or at a bound, and says which. A changed plan must run to its end, unless refused steps are passed over.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assay.causal.scope import StateSpace
from assay.causal.variables import Refused
from assay.causal.words import Words
from assay.core.condition import Condition
from assay.core.quantity import count
from assay.core.symbols import Step


@dataclass(frozen=True)
class Edit:
    """One change of a plan, at a place of the plan as it was, counted from 1."""

    place: int
    old: Step | None
    new: Step | None

    @property
    def kind(self) -> str:
        return "inserted" if self.old is None else "removed" if self.new is None else "replaced"

    def to_dict(self) -> dict[str, Any]:
        old, new = (str(s) if s is not None else None for s in (self.old, self.new))
        return {"kind": self.kind, "place": self.place, "old": old, "new": new}

    def told(self, words: Words, length: int, end: str) -> str:
        """In words, for a plan of this length; `end` says where its end is."""
        if self.old is None:
            assert self.new is not None
            return (
                f"{f'before step {self.place}' if self.place <= length else end}, do {words.step(self.new)}"
            )
        if self.new is None:
            return f"leave out step {self.place} ({words.step(self.old)})"
        return f"instead of step {self.place} ({words.step(self.old)}), do {words.step(self.new)}"


@dataclass(frozen=True)
class PlanChange:
    """A plan that would have done it, and how it differs."""

    plan: tuple[Step, ...]
    edits: tuple[Edit, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"plan": [str(s) for s in self.plan], "edits": [e.to_dict() for e in self.edits]}


@dataclass(frozen=True)
class NoPlan:
    """No plan at all does it: every state within reach was looked at."""

    def to_dict(self) -> dict[str, Any]:
        return {"impossible": True}


@dataclass(frozen=True)
class Unknown:
    """The search stopped at a bound; nothing follows."""

    bound: str

    def to_dict(self) -> dict[str, Any]:
        return {"gave_up": self.bound}


PlanAnswer = PlanChange | NoPlan | Unknown

Node = tuple[int, int]
"""How much of the old plan is dealt with, and the state reached."""
Move = tuple[Node, Step | None, Edit | None]
"""Where it leads, the step taken if one is, and the change of the plan if it is one."""


def change_plan(
    space: StateSpace,
    start: int,
    plan: tuple[Step, ...],
    goal: Condition,
    *,
    refused: Refused,
    max_states: int,
    deadline: float,
) -> PlanAnswer:
    """A plan with the fewest changes that leads from the start to the goal."""
    moves = _Moves(space, plan, refused)
    root: Node = (0, start)
    cost = {root: (0, 0)}
    came: dict[Node, Move] = {}
    queue: list[tuple[tuple[int, int], int, Node]] = [((0, 0), 0, root)]
    done: set[Node] = set()
    while queue:
        _, _, node = heapq.heappop(queue)
        if node in done:
            continue
        done.add(node)
        if node[0] == len(plan) and goal.holds(node[1]):
            return _retrace(came, node)
        if len(done) > max_states:
            return Unknown(f"the search stopped after {count(max_states, 'state')}")
        if not len(done) % 64 and time.monotonic() > deadline:
            return Unknown("the search ran out of time")
        for target, taken, edit in moves(node):
            edits, lost = cost[node]
            if edit is not None:
                edits, lost = edits + 1, lost + (edit.old is not None)
            if target not in cost or (edits, lost) < cost[target]:
                cost[target] = (edits, lost)
                came[target] = (node, taken, edit)
                heapq.heappush(queue, ((edits, lost), len(came), target))
    return NoPlan()


class _Moves:
    """What can be done at a node: go on with the plan, or change it."""

    def __init__(self, space: StateSpace, plan: tuple[Step, ...], refused: Refused) -> None:
        self._space, self._plan, self._refused = space, plan, refused
        self._successors: dict[int, list[tuple[Step, int]]] = {}

    def __call__(self, node: Node) -> Iterator[Move]:
        place, bits = node
        if place < len(self._plan):
            old = self._plan[place]
            after = self._space.execution.apply(bits, old)
            if after is not None:
                yield (place + 1, after), old, None
            elif self._refused is Refused.SKIP:
                yield (place + 1, bits), old, None
            yield (place + 1, bits), None, Edit(place + 1, old, None)
            for new, after in self._following(bits):
                if new != old:
                    yield (place + 1, after), new, Edit(place + 1, old, new)
        for new, after in self._following(bits):
            yield (place, after), new, Edit(place + 1, None, new)

    def _following(self, bits: int) -> list[tuple[Step, int]]:
        if bits not in self._successors:
            self._successors[bits] = list(self._space.successors(bits))
        return self._successors[bits]


def _retrace(came: dict[Node, Move], node: Node) -> PlanChange:
    steps: list[Step] = []
    edits: list[Edit] = []
    while node in came:
        node, taken, edit = came[node]
        if taken is not None:
            steps.append(taken)
        if edit is not None:
            edits.append(edit)
    return PlanChange(tuple(reversed(steps)), tuple(reversed(edits)))
