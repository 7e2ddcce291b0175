"""The states that are known to be reachable, and how: by steps that are sure to run, with sure results.

What is sure stays sure as more is learned, so the territory only grows. It is explored in thought, never by
asking: by walks that do what was done least, breadth first where walks find nothing new, and by search for
a state that has certain facts. Once every sure step of every state leads back inside it is *closed*:
nothing else can be reached surely.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush

from assay.core.model import Model
from assay.core.symbols import Step
from assay.core.universe import Universe
from assay.planning.relaxed import Ground, relaxed_reach

WALK = 12
"""Steps of one walk."""
MOST_STEPS = 20_000
"""Ground actions that are considered at all."""


class Territory:
    def __init__(self, universe: Universe, starts: Iterable[int], rng: random.Random) -> None:
        self._universe, self._rng = universe, rng
        self._sure = Model(universe.vocabulary, ())
        self._grounds: tuple[Ground, ...] | None = ()
        self._complete = True
        self._done: Counter[str] = Counter()
        self.states: list[int] = []
        """In the order found."""
        self._origin: dict[int, tuple[int, Step] | None] = {}
        self._distance: dict[int, int] = {}
        self._expanded = 0
        """How many of the states had all their sure steps followed, under the present model."""
        for bits in starts:
            self.settle(bits)

    def settle(self, bits: int) -> None:
        """The agent can be put into this state."""
        if bits not in self._origin:
            self.states.append(bits)
            self._grounds, self._expanded = None, 0
        self._origin[bits], self._distance[bits] = None, 0

    def learn(self, sure: Model) -> None:
        """The steps that are sure now."""
        if sure.actions != self._sure.actions:
            self._sure, self._grounds, self._expanded = sure, None, 0

    @property
    def closed(self) -> bool:
        return self._complete and self._expanded == len(self.states)

    def distance(self, bits: int) -> int:
        return self._distance[bits]

    def path(self, bits: int) -> tuple[int, tuple[Step, ...]]:
        """A state the agent can be put into, and the sure steps from there."""
        steps = []
        while (origin := self._origin[bits]) is not None:
            bits, step = origin
            steps.append(step)
        return bits, tuple(reversed(steps))

    def _successors(self, bits: int) -> Iterator[tuple[Step, int]]:
        """Where sure steps lead that change something."""
        if self._grounds is None:
            settled = [bits for bits, origin in self._origin.items() if origin is None]
            reach = relaxed_reach(self._sure, self._universe, settled, MOST_STEPS)
            self._complete = reach is not None
            self._grounds = reach.grounds if reach is not None else ()
        for ground in self._grounds:
            if bits & ground.needed == ground.needed and not bits & ground.forbidden:
                after = bits & ~ground.delete | ground.add
                if after != bits:
                    yield ground.step, after

    def walk(self, bits: int, length: int = WALK) -> Iterator[tuple[Step, int]]:
        """A walk of sure steps, each doing what was done least so far."""
        for _ in range(length):
            ways = list(self._successors(bits))
            if not ways:
                return
            least = min(self._done[step.action] for step, _ in ways)
            step, bits = self._rng.choice([way for way in ways if self._done[way[0].action] == least])
            self._done[step.action] += 1
            yield step, bits

    def wander(self, wanted: int) -> int:
        """How many new states some walks find; they may keep coming back to what is known."""
        known = len(self.states)
        for _ in range(4 + wanted // 2):
            bits = self._rng.choice(self.states)
            for step, after in self.walk(bits):
                self._add(after, bits, step)
                bits = after
            if len(self.states) - known >= wanted:
                break
        return len(self.states) - known

    def expand(self, wanted: int) -> int:
        """How many new states following every sure step finds."""
        known = len(self.states)
        while self._expanded < len(self.states) and len(self.states) - known < wanted:
            bits = self.states[self._expanded]
            self._expanded += 1
            for step, after in self._successors(bits):
                self._add(after, bits, step)
        return len(self.states) - known

    def seek(self, true: int, false: int, most: int) -> bool:
        """Whether a state with these facts was found, and is now part of the territory.

        Best-first search by the number of facts that are missing, from all that is known; `most` states are
        followed up. Finding nothing proves nothing.
        """

        def missing(bits: int) -> int:
            return (true & ~bits).bit_count() + (false & bits).bit_count()

        queue = [(missing(bits), number, bits) for number, bits in enumerate(self.states)]
        heapify(queue)
        origin: dict[int, tuple[int, Step]] = {}
        number = len(queue)
        for _ in range(most):
            if not queue:
                return False
            score, _, bits = heappop(queue)
            if score == 0:
                self._adopt(bits, origin)
                return True
            for step, after in self._successors(bits):
                if after not in origin and after not in self._origin:
                    origin[after] = bits, step
                    number += 1
                    heappush(queue, (missing(after), number, after))
        return False

    def _adopt(self, bits: int, origin: dict[int, tuple[int, Step]]) -> None:
        way = []
        while bits in origin:
            parent, step = origin[bits]
            way.append((bits, parent, step))
            bits = parent
        for bits, parent, step in reversed(way):
            self._add(bits, parent, step)

    def _add(self, bits: int, parent: int, step: Step) -> None:
        distance = self._distance[parent] + 1
        if bits not in self._origin:
            self.states.append(bits)
        elif distance >= self._distance[bits]:
            return
        self._origin[bits], self._distance[bits] = (parent, step), distance
