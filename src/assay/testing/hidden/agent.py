"""An agent that executes a hidden ADL model, and that can be made as awkward as real ones are.

Quantifiers range over exactly the objects of the question. It takes any state and new objects, or with an
invariant any valid state; it tells the states between or only the last one; it offers states or none. It is
deterministic, and counts the questions and steps it was asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.core.model import Model
from assay.core.query import Invalid, PlanQuery, PlanResponse, Response, Start
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe
from assay.testing.hidden.invariant import Invariant
from assay.testing.hidden.world import Facts, World


class HiddenAgent:
    start = Start.ANY
    new_objects = True

    def __init__(
        self,
        model: Model,
        objects: Iterable[Object] = (),
        situations: Iterable[frozenset[Atom]] = (),
        *,
        tells_states: bool = False,
        invariant: Invariant | None = None,
    ) -> None:
        self.vocabulary, self.objects, self.tells_states = model.vocabulary, tuple(objects), tells_states
        self.questions = self.steps = 0
        """Questions asked so far, and steps that ran in them."""
        self._model, self._situations, self._invariant = model, tuple(situations), invariant

    def ask(self, query: PlanQuery, /) -> Response:
        self.questions += 1
        if self._invariant and not self._invariant.holds(query.state):
            return Invalid("there is no such state")
        ran = list(self.run(World(self._model, query.objects), frozenset(query.state), query.plan))
        self.steps += len(ran)
        told = [
            query.state.universe.state(sorted(facts)) for facts in (ran if self.tells_states else ran[-1:])
        ]
        last = told[-1] if told else query.state
        return PlanResponse(len(ran), last, tuple(told) if self.tells_states else None)

    def run(self, world: World, facts: Facts, plan: tuple[Step, ...]) -> Iterator[Facts]:
        """The facts after each step that runs."""
        for step in plan:
            after = self.after(world, facts, step)
            if after is None:
                return
            yield (facts := after)

    def after(self, world: World, facts: Facts, step: Step) -> Facts | None:
        """The facts after one step, or None if it is refused."""
        return world.after(facts, step)

    def states(self, count: int, universe: Universe) -> list[State]:
        return [universe.state(sorted(atoms)) for atoms in self._situations[:count]]
