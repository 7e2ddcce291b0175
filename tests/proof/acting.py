"""Agents that only act, random questions to them, and brute force over all states they can reach."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from assay.agents.model import ModelAgent
from assay.core.confinement import distinct_arguments
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.query import PlanQuery, Start
from assay.core.setting import Setting
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe
from assay.store.journal import Entry

from .reference import ground_steps


class ActingAgent(ModelAgent):
    """Every question starts in one of the initial states."""

    start = Start.RESET
    new_objects = False

    def states(self, count: int, universe: Universe) -> Iterator[State]:
        yield from (universe.state(sorted(atoms)) for atoms in self._initial)


class Walks:
    """Random walks of an agent, each a question; the step after a walk may be refused."""

    def __init__(
        self,
        rng: random.Random,
        truth: Model,
        objects: Sequence[Object],
        initial: Sequence[frozenset[Atom]],
        free: bool = False,
    ) -> None:
        self._rng, self.truth = rng, truth
        self.agent = ActingAgent(truth, tuple(objects), tuple(initial))
        self.agent.free_arguments = frozenset(truth.vocabulary.action if free else ())
        self.setting = Setting.of(self.agent)
        self.steps = telling_steps(self.setting.universe, free)

    def entries(self, count: int, longest: int) -> list[Entry]:
        execution = Execution(self.truth, self.setting.universe)
        found = []
        for number in range(1, count + 1):
            state = self._rng.choice(self.setting.offered)
            bits, plan = state.bits, list[Step]()
            for _ in range(self._rng.randint(0, longest)):
                step = self._rng.choice(self.steps)
                if (after := execution.apply(bits, step)) is not None:
                    plan.append(step)
                    bits = after
            query = PlanQuery(state, (*plan, self._rng.choice(self.steps)))
            found.append(Entry(number, query, self.agent.ask(query)))
        return found


def telling_steps(universe: Universe, free: bool = False) -> list[Step]:
    return [step for step in ground_steps(universe) if free or distinct_arguments(universe, step)]


def reach(model: Model, starts: Sequence[State], free: bool = False) -> set[int]:
    """The states that the model reaches, by the core's own semantics."""
    universe = starts[0].universe
    execution, steps = Execution(model, universe), telling_steps(universe, free)
    found = {state.bits for state in starts}
    todo = sorted(found)
    while todo:
        bits = todo.pop()
        for step in steps:
            if step.action in model.action:
                after = execution.apply(bits, step)
                if after is not None and after not in found:
                    found.add(after)
                    todo.append(after)
    return found


def conduct(
    model: Model, universe: Universe, states: Sequence[int], free: bool = False
) -> tuple[int | None, ...]:
    """What the model does in these states; an action it does not have never runs."""
    execution = Execution(model, universe)
    return tuple(
        execution.apply(bits, step) if step.action in model.action else None
        for step in telling_steps(universe, free)
        for bits in states
    )
