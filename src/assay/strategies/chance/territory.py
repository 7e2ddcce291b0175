"""Where an agent that must be led can be, and what could be tried there.

States are those the agent has been in, and those that the outcomes known so far lead to from there by steps
that are sure to run. A *place* for a capability is a state and arguments; all that the capability can tell at
two places with one valuation of its atoms is the same, so one place for each valuation is remembered, the
nearest found first. Arguments are the agent's own objects, all different.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import product

from assay.core.query import Start
from assay.core.symbols import Step
from assay.core.universe import indices
from assay.knowledge.experience import Experience
from assay.strategies.chance.estimates import Estimates

EXPANDED = 1500
"""States looked at beyond those to start from in one search."""

Ends = tuple[tuple[int, float], ...]
"""States that may follow upon a step, with their probabilities."""


@dataclass(frozen=True, slots=True)
class Place:
    state: int
    step: Step


Places = dict[str, dict[int, Place]]
"""By capability and valuation."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """A step that is sure to run where the masks say, and what it then may do."""

    true: int
    false: int
    branches: tuple[tuple[int, int, float], ...]


class Territory:
    def __init__(self, experience: Experience, estimates: Estimates) -> None:
        self._experience, self._estimates = experience, estimates
        setting = experience.setting
        self._rewinds = setting.profile.start is Start.VISITED
        steps = [
            Step(header.name, args)
            for header in setting.profile.vocabulary.actions
            for args in product(*setting.fitting(header))
            if len(set(args)) == len(args)
        ]
        self._positions = {step: experience.universe.positions(step) for step in steps}
        self._valuations: dict[int, dict[Step, int]] = {}
        self._known: dict[str, object] = {}
        self._ground: dict[Step, _Ground] = {}
        self._successors: dict[int, tuple[tuple[Step, Ends], ...]] = {}
        self._depth: dict[int, int] = {}
        self._places: Places | None = None
        self.exhausted = False
        """Whether the last survey looked at every state that the outcomes known so far lead to."""

    def starts(self) -> Iterable[int]:
        """Where a question may begin."""
        if self._rewinds:
            return self._experience.visited
        return [state.bits for state in self._experience.setting.offered]

    def near(self) -> Places:
        """The places where a question may begin."""
        found: Places = {name: {} for name in self._experience.capabilities}
        for state in self.starts():
            self._look(state, found)
        return found

    def survey(self) -> Places:
        """The places within reach."""
        if not self._refresh() and self._places is not None and all(s in self._depth for s in self.starts()):
            return self._places
        found: Places = {name: {} for name in self._experience.capabilities}
        self._depth = dict.fromkeys(self.starts(), 0)
        queue, room = deque(self._depth), len(self._depth) + EXPANDED
        self.exhausted = True
        while queue:
            state = queue.popleft()
            self._look(state, found)
            if len(self._depth) > room:
                self.exhausted = False
                continue
            for _, ends in self._after(state):
                for end, _ in ends:
                    if end not in self._depth:
                        self._depth[end] = self._depth[state] + 1
                        queue.append(end)
        self._places = found
        return found

    def _look(self, state: int, found: Places) -> None:
        for step, valuation in self._valued(state).items():
            found[step.action].setdefault(valuation, Place(state, step))

    def distance(self, state: int) -> int:
        """Steps to the state, if chance is kind."""
        return 0 if self._rewinds and state in self._experience.visited else self._depth.get(state, 0)

    def route(self, place: Place) -> tuple[int, dict[int, Step], int]:
        """Where to start, what to do in which state, and in how many steps, to try the place's step there."""
        if not self.distance(place.state):
            return place.state, {place.state: place.step}, 1
        starts = set(self.starts())
        back: dict[int, list[tuple[int, Step, float]]] = {}
        for state in self._depth:
            for step, ends in self._after(state):
                for end, chance in ends:
                    if end != state:
                        back.setdefault(end, []).append((state, step, chance))
        cost: dict[int, float] = {place.state: 0.0}
        steps: dict[int, Step] = {place.state: place.step}
        heap, start = [(0.0, place.state)], place.state
        while heap:
            far, state = heappop(heap)
            if far > cost[state]:
                continue
            if state in starts:
                start = state
                break
            for before, step, chance in back.get(state, ()):
                if (new := far + 1 / chance) < cost.get(before, float("inf")):
                    cost[before], steps[before] = new, step
                    heappush(heap, (new, before))
        return start, *self._followed(start, steps, place)

    def _followed(self, start: int, steps: Mapping[int, Step], place: Place) -> tuple[dict[int, Step], int]:
        """The part of the policy that can come up, and a bound on the length of a run."""
        policy: dict[int, Step] = {}
        todo, depth = deque([start]), {start: 1}
        while todo:
            state = todo.popleft()
            policy[state] = steps[state]
            if state == place.state:
                continue
            ends = next(ends for step, ends in self._after(state) if step == steps[state])
            for end, _ in ends:
                if end in steps and end not in depth:
                    depth[end] = depth[state] + 1
                    todo.append(end)
        return policy, depth[place.state] + 2

    def _valued(self, state: int) -> dict[Step, int]:
        if state not in self._valuations:
            found = {}
            for step, positions in self._positions.items():
                value = 0
                for index, position in enumerate(positions):
                    value |= (state >> position & 1) << index
                found[step] = value
            self._valuations[state] = found
        return self._valuations[state]

    def _refresh(self) -> bool:
        """Learn where steps lead; whether more is known than before."""
        news = False
        for name, capability in self._experience.capabilities.items():
            needs = capability.dossier.precondition
            branches = [(b.add, b.delete, b.probability) for b in self._estimates.outcomes(name).branches]
            known = (capability.contradicted, needs.may_true, needs.may_false, [b[:2] for b in branches])
            if self._known.get(name) == known:
                continue
            self._known[name], news = known, True
            for step in [s for s in self._positions if s.action == name]:
                self._ground.pop(step, None)
                if branches and not capability.contradicted and not needs.may_true & needs.may_false:
                    self._ground[step] = _Ground(
                        self._bits(step, needs.may_true),
                        self._bits(step, needs.may_false),
                        tuple((self._bits(step, a), self._bits(step, d), p) for a, d, p in branches),
                    )
        if news:
            self._successors.clear()
        return news

    def _bits(self, step: Step, slots: int) -> int:
        positions, found = self._positions[step], 0
        for index in indices(slots):
            found |= 1 << positions[index]
        return found

    def _after(self, state: int) -> tuple[tuple[Step, Ends], ...]:
        """The steps that are sure to run there, and what the outcomes known so far lead to."""
        if state not in self._successors:
            found = []
            for step, ground in self._ground.items():
                if state & ground.true == ground.true and not state & ground.false:
                    ends: dict[int, float] = {}
                    for add, delete, chance in ground.branches:
                        end = state & ~delete | add
                        ends[end] = ends.get(end, 0.0) + chance
                    found.append((step, tuple(ends.items())))
            self._successors[state] = tuple(found)
        return self._successors[state]
