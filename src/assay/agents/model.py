"""An agent that executes a hidden model, as a symbolic planner's simulator would.

It accepts any start state and any objects, because its model is lifted. Given initial states it offers
them and situations from a seeded walk of its own, in which it does what it has done least often so far;
it never reveals what it did in between.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from assay.core.model import Execution, Model
from assay.core.query import PlanQuery, PlanResponse, Start
from assay.core.symbols import Atom, Object
from assay.core.universe import State, Universe
from assay.planning.applicable import Applicable

RESTART = 20
"""The walk goes back to an initial state after so many steps."""


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
        self._model, self._initial, self._seed = model, initial, seed
        self._execution: Execution | None = None

    def ask(self, query: PlanQuery, /) -> PlanResponse:
        return PlanResponse(*self._in(query.state.universe).run(query.state, query.plan))

    def states(self, count: int, universe: Universe) -> Iterator[State]:
        starts = [universe.state(sorted(atoms)) for atoms in self._initial]
        yield from starts[:count]
        if not starts:
            return
        rng = random.Random(self._seed)
        applicable = Applicable(self._in(universe), constants=True)
        bits = starts[0].bits
        done: Counter[str] = Counter()
        for number in range(count - len(starts)):
            if number % RESTART == 0:
                bits = rng.choice(starts).bits
            drawn = applicable.draw(bits, rng, done)
            if drawn is None:
                bits = rng.choice(starts).bits
            else:
                done[drawn[0].action] += 1
                bits = drawn[1]
            yield State(universe, bits)

    def _in(self, universe: Universe) -> Execution:
        if self._execution is None or self._execution.universe is not universe:
            self._execution = Execution(self._model, universe)
        return self._execution
