"""S, the states that questions start from (AIA-21 section 3.1, input of Algorithm 1).

First come the situations the agent offers, at most 60; what the agent reports at the end of a plan that
started in one of them is a situation too, so S grows like a walk without a question of its own. Steps
through decided actions extend it further: their ends need not be asked for. For each action there is also
the state where all its atoms are true on objects of its own, and nothing else is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.query import Start
from assay.core.setting import Setting
from assay.core.symbols import Object, Step
from assay.core.universe import State, Universe
from assay.learn.remaining import models_of
from assay.planning.grounding import Grounding, Situation
from assay.planning.stage import staged, staged_step
from assaylab.strategies.conjunctive import ActionRecord

MOST = 60
"""States of S that come from the agent (as many as AIA-21 section 4)."""

STEPS = 100
"""Ground actions considered per action and state; where there are more, those with most atoms true."""

WALK = 12
"""Steps of one walk through decided actions."""


class Situations:
    def __init__(
        self,
        setting: Setting,
        universe: Universe,
        offered: Sequence[State],
        records: Mapping[str, ActionRecord],
        rng: random.Random,
    ) -> None:
        self._profile, self._universe, self._records, self._rng = setting.profile, universe, records, rng
        self.editable = setting.profile.start is Start.ANY
        objects = list(setting.profile.objects)
        rng.shuffle(objects)
        self._objects: tuple[Object, ...] = tuple(objects)
        self._seen: set[int] = set()
        self.real: list[Situation] = []
        self.grounding = Grounding(universe.vocabulary, STEPS)
        for state in offered:
            self._add(state, MOST)
        self._stages: dict[str, tuple[Situation, Step] | None] = {}

    def _add(self, state: State, most: int) -> None:
        if state.bits not in self._seen and len(self.real) < most:
            self._seen.add(state.bits)
            self.real.append(Situation(state, self._objects))

    def reached(self, origin: Situation, state: State) -> None:
        """Takes in where a plan from a situation of S ended."""
        if origin in self.real and self._profile.start is not Start.RESET:
            self._add(state, MOST)

    def stage(self, action: str) -> tuple[Situation, Step] | None:
        """The state with all atoms of the action true, if states may be made up and objects suffice."""
        if action not in self._stages:
            step = staged_step(self._universe, self._profile, action) if self.editable else None
            full = self._records[action].space.full
            self._stages[action] = None if step is None else (staged(self._universe, step, full), step)
        return self._stages[action]

    def for_action(self, action: str) -> Iterator[Situation]:
        if (stage := self.stage(action)) is not None:
            yield stage[0]
        yield from list(self.real)

    def extend(self) -> None:
        """More states, reached from those of S by a walk through decided actions."""
        if not self.editable or not self.real:
            return
        vocabulary = self._universe.vocabulary
        models = {
            name: next(models_of(vocabulary, name, record.space))
            for name, record in sorted(self._records.items())
            if record.space.decided and not record.trouble
        }
        execution = Execution(Model(vocabulary, tuple(models.values())), self._universe)
        place = self._rng.choice(self.real)
        for _ in range(WALK):
            ends = [
                after
                for name in models
                for step in self.grounding.steps(place, name).steps
                if (after := execution.apply(place.state.bits, step)) is not None and after not in self._seen
            ]
            if not ends:
                return
            place = Situation(State(self._universe, self._rng.choice(ends)), self._objects)
            self._add(place.state, 2 * MOST)
