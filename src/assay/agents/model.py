"""An agent that executes a hidden model, as a symbolic planner's simulator would.

It accepts any start state and any objects, because its model is lifted. Given initial states it offers
them and situations from a seeded random walk of its own; it never reveals what it did in between.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from assay.core.model import Execution, Model, distinct_arguments
from assay.core.query import PlanQuery, PlanResponse, Start
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe

WALK_TRIES = 2000
"""Ground actions drawn at one situation before the walk gives up on it."""


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
        execution, pools = self._in(universe), self._pools()
        bits = starts[0].bits
        for number in range(count - len(starts)):
            bits = self._wander(rng, execution, pools, bits)
            if number % 10 == 9:
                bits = rng.choice(starts).bits
            yield State(universe, bits)

    def _wander(
        self, rng: random.Random, execution: Execution, pools: dict[str, list[tuple[str, ...]]], bits: int
    ) -> int:
        actions = [a for a in sorted(pools) if pools[a]]
        for _ in range(WALK_TRIES if actions else 0):
            action = rng.choice(actions)
            step = Step(action, rng.choice(pools[action]))
            after = execution.apply(bits, step)
            if after is not None and after != bits:
                return after
        return bits

    def _pools(self) -> dict[str, list[tuple[str, ...]]]:
        """Argument tuples per action; thinned out where there are very many."""
        vocabulary = self.vocabulary
        universe = Universe(vocabulary, self.objects)
        pools = {}
        for header in vocabulary.actions:
            places = [
                [o.name for o in (*vocabulary.constants, *self.objects) if vocabulary.fits(o.type, p.types)]
                for p in header.parameters
            ]
            found = []
            for args in product(*places):
                if distinct_arguments(universe, Step(header.name, args)):
                    found.append(args)
                if len(found) >= 20_000:
                    break
            pools[header.name] = found
        return pools

    def _in(self, universe: Universe) -> Execution:
        if self._execution is None or self._execution.universe is not universe:
            self._execution = Execution(self._model, universe)
        return self._execution
