"""An agent that executes a hidden model, as a symbolic planner's simulator would.

It accepts any start state and any objects, because its model is lifted. Any of them may be an argument, be it
twice, of an action that does not ask of some that they differ. Given initial states it offers them and
situations from a seeded walk of its own, in which it often does what it has done least so far; it never
reveals what it did in between.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import count, islice

from assay.core.model import Execution, Model
from assay.core.query import PlanQuery, PlanResponse, Start
from assay.core.symbols import Atom, Object
from assay.core.universe import State, Universe
from assay.planning.applicable import Applicable

RESTART, RARE = 30, 0.7
"""The walk goes back after so many steps: to an initial state, or more often to where the rarest action so
far was last done, or led."""
LEAST = 0.8
"""Share of steps in which the agent does what it has done least often so far."""


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
        self._model, self._initial, self._seed = model, initial, seed
        self._execution: Execution | None = None

    def ask(self, query: PlanQuery, /) -> PlanResponse:
        return PlanResponse(*self._in(query.state.universe).run(query.state, query.plan))

    def states(self, count: int, universe: Universe) -> Iterator[State]:
        return islice(self._walk(universe), count)

    def _walk(self, universe: Universe) -> Iterator[State]:
        """The initial states, and a walk without end. Before it jumps elsewhere, a state is offered twice."""
        starts = [universe.state(sorted(atoms)) for atoms in self._initial]
        if not starts:
            return
        for start in starts[:-1]:
            yield from (start, start)
        yield starts[-1]
        rng = random.Random(self._seed)
        applicable = Applicable(self._in(universe), constants=True)
        bits = starts[-1].bits
        seen = {start.bits for start in starts}
        done: Counter[str] = Counter()
        places: dict[str, tuple[int, int]] = {}
        """Where each action was last done, and where that led."""
        for number in count(1):
            drawn = None
            if number % RESTART:  # only ever what was done least would go round in circles
                drawn = applicable.draw(bits, rng, done if rng.random() < LEAST else None, seen)
            if drawn is not None:
                step, after = drawn
                done[step.action] += 1
                places[step.action] = bits, after
                bits = after
                seen.add(after)
            else:
                yield State(universe, bits)
                if places and rng.random() < RARE:
                    bits = rng.choice(places[min(places, key=lambda action: (done[action], action))])
                else:
                    bits = rng.choice(starts).bits
            yield State(universe, bits)

    def _in(self, universe: Universe) -> Execution:
        if self._execution is None or self._execution.universe is not universe:
            self._execution = Execution(self._model, universe)
        return self._execution
