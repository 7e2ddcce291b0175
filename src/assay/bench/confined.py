"""A hidden model behind a simulator's door: it starts where its problem starts, or where it has been.

What such an agent costs is compared with one that can be put into any state. With `free` arguments it
declares that its actions ask nothing about which of them are the same object; so does the peers' benchmark.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.query import Invalid, PlanQuery, PlanResponse, Start
from assay.core.universe import State, Universe
from assay.pddl.reader import Problem


class ConfinedAgent:
    new_objects, tells_states = False, True

    def __init__(
        self, model: Model, problem: Problem, start: Start = Start.RESET, free: bool = False
    ) -> None:
        self.vocabulary, self.objects, self.start = model.vocabulary, problem.objects, start
        self._model, self._initial, self.free_arguments = model, problem.initial, free
        self._execution: Execution | None = None
        self._known: set[int] = set()

    def ask(self, query: PlanQuery, /) -> PlanResponse | Invalid:
        universe = query.state.universe
        if self._execution is None or self._execution.universe is not universe:
            self._execution = Execution(self._model, universe)
            self._known = {universe.bits(sorted(self._initial))}
        if query.state.bits not in self._known:
            return Invalid("it has never been in this state")
        states = tuple(self._execution.states(query.state, query.plan))
        state = states[-1] if states else query.state
        if self.start is Start.VISITED:
            self._known.add(state.bits)
        return PlanResponse(len(states), state, states)

    def states(self, count: int, universe: Universe) -> Iterator[State]:
        if count:
            yield universe.state(sorted(self._initial))
