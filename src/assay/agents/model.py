"""An agent that executes a hidden model, as a symbolic planner's simulator would.

It accepts any start state and any objects, because its model is lifted. Any of them may be an argument, be it
twice, of an action that does not ask of some that they differ. Given initial states it offers them and
situations from a seeded walk of its own, without saying what it did in between. Asked to do as it likes, it
takes such a walk, and tells.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from itertools import islice

from assay.agents.wandering import stroll, wander
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.query import PlanQuery, PlanResponse, Start, WalkQuery, WalkResponse
from assay.core.symbols import Atom, Object
from assay.core.universe import State, Universe


class ModelAgent:
    start = Start.ANY
    new_objects = True

    def __init__(
        self,
        model: Model,
        objects: tuple[Object, ...] = (),
        initial: tuple[frozenset[Atom], ...] = (),
        seed: int = 0,
    ) -> None:
        self.vocabulary = model.vocabulary
        self.objects = objects
        self.free_arguments: Collection[str] = frozenset(
            a.header.name for a in model.actions if not a.distinct
        )
        self.walks = bool(initial)
        self._model, self._initial, self._seed = model, initial, seed
        self._execution: Execution | None = None

    def ask(self, query: PlanQuery, /) -> PlanResponse:
        return PlanResponse(*self._in(query.state.universe).run(query.state, query.plan))

    def states(self, count: int, universe: Universe) -> Iterator[State]:
        starts = [universe.state(sorted(atoms)) for atoms in self._initial]
        return islice(wander(self._in(universe), starts, random.Random(self._seed)), count)

    def walk(self, query: WalkQuery, /) -> WalkResponse:
        own = Universe(self.vocabulary, self.objects)  # others' objects are nothing to do as it likes with
        start = own.state(list(query.state))
        taken = stroll(Execution(self._model, own), start, query.steps, random.Random(self._seed))
        return WalkResponse(tuple(step for step, _ in taken), tuple(state for _, state in taken))

    def _in(self, universe: Universe) -> Execution:
        if self._execution is None or self._execution.universe is not universe:
            self._execution = Execution(self._model, universe)
        return self._execution
