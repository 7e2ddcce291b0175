"""An agent that executes a hidden model, as a symbolic planner's simulator would.

It accepts any start state and any objects, because its model is lifted, and tells the states between steps.
Any objects may be arguments, be it twice, of an action that does not ask of some that they differ. Given
initial states it offers them and situations from a seeded walk of its own, without saying what it did in
between. Asked to do as it likes, it takes such a walk, and tells.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from itertools import islice

from assay.agents.execution import Worlds, moved
from assay.agents.wandering import stroll, wander
from assay.core.execution import Execution
from assay.core.formula import Equality, leaves
from assay.core.model import ActionModel, Model
from assay.core.query import PlanQuery, PlanResponse, Start, WalkQuery, WalkResponse
from assay.core.symbols import Atom, Object
from assay.core.universe import State, Universe


class ModelAgent:
    start = Start.ANY
    new_objects = True
    tells_states = True

    def __init__(
        self,
        model: Model,
        objects: tuple[Object, ...] = (),
        initial: tuple[frozenset[Atom], ...] = (),
        seed: int = 0,
    ) -> None:
        self.vocabulary = model.vocabulary
        self.objects = objects
        constants = {c.name for c in model.vocabulary.constants}
        self.free_arguments: Collection[str] = frozenset(
            a.header.name for a in model.actions if not _compares_arguments(a, constants)
        )
        self.walks = bool(initial)
        self._model, self._initial, self._seed = model, initial, seed
        self._worlds = Worlds(model)

    def ask(self, query: PlanQuery, /) -> PlanResponse:
        universe = query.state.universe
        execution = self._worlds.execution(universe, query.objects)
        ran = execution.states(moved(query.state, execution.universe), query.plan)
        states = tuple(moved(state, universe) for state in ran)
        return PlanResponse(len(states), states[-1] if states else query.state, states)

    def states(self, count: int, universe: Universe) -> Iterator[State]:
        own = tuple(o for o in universe.objects if o.name in universe.own)
        execution = self._worlds.execution(universe, own)
        starts = [execution.universe.state(sorted(atoms)) for atoms in self._initial]
        walk = wander(execution, starts, random.Random(self._seed))
        return (moved(state, universe) for state in islice(walk, count))

    def walk(self, query: WalkQuery, /) -> WalkResponse:
        own = Universe(self.vocabulary, self.objects)  # others' objects are nothing to do as it likes with
        start = own.state(list(query.state))
        taken = stroll(Execution(self._model, own), start, query.steps, random.Random(self._seed))
        return WalkResponse(tuple(step for step, _ in taken), tuple(state for _, state in taken))


def _compares_arguments(action: ActionModel, constants: set[str]) -> bool:
    """Whether it asks if arguments, or an argument and a constant, are the same."""
    terms = constants | {p.name for p in action.header.parameters}
    return any(
        isinstance(leaf, Equality) and {leaf.left, leaf.right} <= terms
        for condition in action.conditions()
        for leaf in leaves(condition)
    )
