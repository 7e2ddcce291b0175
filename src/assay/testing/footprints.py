"""Where each step led from each state, as an agent has shown: ways back there, and round in circles."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Collection

from assay.core.query import PlanQuery, PlanResponse
from assay.core.symbols import Step
from assay.core.universe import State

Print = tuple[int | None, PlanQuery, PlanResponse]
"""Where a step led (None: it was refused), and the question and answer that showed it."""


class Footprints:
    def __init__(self) -> None:
        self.ran: set[Step] = set()
        """Steps that ran, in whatever state."""
        self._prints: dict[tuple[int, Step], Print] = {}
        self._refused: dict[int, set[Step]] = {}

    def leave(self, here: State, step: Step, found: Print) -> Print:
        """What is known of the step in the state: what was found first."""
        return self._prints.setdefault((here.bits, step), found)

    def refuse(self, here: State, step: Step) -> None:
        self._refused.setdefault(here.bits, set()).add(step)

    def refused_in(self, here: State) -> Collection[Step]:
        return self._refused.get(here.bits, ())

    def circles(self, began: State, longest: int, rng: random.Random) -> tuple[Step, ...] | None:
        """Round and round on a way seen before, to wear out what the states do not show."""
        edges = [(here, step, led) for (here, step), (led, *_) in self._prints.items() if led is not None]
        for here, step, there in rng.sample(edges, len(edges)):
            lead, back = self._way(began.bits, here), self._way(there, here)
            if lead is not None and back is not None:
                circle = (step, *back)
                return (*lead, *circle * max(1, (longest - len(lead)) // len(circle)))
        return None

    def _way(self, here: int, there: int) -> tuple[Step, ...] | None:
        """A shortest way by steps that were seen to run."""
        ways: dict[int, tuple[Step, ...]] = {here: ()}
        edges: dict[int, list[tuple[Step, int]]] = {}
        for (state, step), (after, *_) in self._prints.items():
            if after is not None:
                edges.setdefault(state, []).append((step, after))
        queue = deque([here])
        while queue and there not in ways:
            state = queue.popleft()
            for step, after in edges.get(state, ()):
                if after not in ways:
                    ways[after] = (*ways[state], step)
                    queue.append(after)
        return ways.get(there)
