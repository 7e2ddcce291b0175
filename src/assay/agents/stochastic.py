"""An agent that executes a hidden model with chance, as a simulator would: it draws one of the outcomes.

Every run of a policy draws from a generator of its own, made from the agent's seed, the question's number and
the run's, so that a run is the same whatever was run before it, beside it, or by whom. A step whose
precondition does not hold is refused; one that runs and changes nothing is not. An agent that does not show
its refusals lets them look like that.

Its model being lifted it could start anywhere and with any objects; as an agent that can only be put where
it has been (`visited`), or only be reset, it declines everything else as `Invalid`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from assay.agents.execution import Worlds, moved
from assay.agents.pddl import read_file, read_situation
from assay.agents.worlds import training_problem, truth
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.policy import PolicyQuery, Trace, follow
from assay.core.query import Invalid, PlanQuery, PlanResponse, Start
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe
from assay.pddl.reader import read_ppddl
from assay.planning.walk import walk


class StochasticAgent:
    stochastic = True
    tells_states = True

    def __init__(
        self,
        model: Model,
        objects: tuple[Object, ...] = (),
        initial: tuple[frozenset[Atom], ...] = (),
        seed: int = 0,
        *,
        start: Start = Start.ANY,
        new_objects: bool = True,
        shows_refusals: bool = True,
    ) -> None:
        self.vocabulary, self.objects, self.start = model.vocabulary, objects, start
        self.new_objects, self.shows_refusals = new_objects and start is Start.ANY, shows_refusals
        self._initial, self._seed = initial, seed
        self._worlds = Worlds(model)
        self._plans = 0
        self._known = set(initial)
        """States that a question may start in, where it may not start anywhere."""

    def rollout(self, query: PolicyQuery, number: int, run: int, /) -> Trace | Invalid:
        universe = query.state.universe
        own = tuple(o for o in universe.objects if o.name in universe.own)
        execution = self._worlds.execution(universe, own + query.new_objects)
        if not self._admits(query.state):
            return Invalid("it has never been in this state")
        trace = follow(query, self._drawing(execution, f"{self._seed} {number} {run}"))
        self._visit(trace.states)
        return trace

    def ask(self, query: PlanQuery, /) -> PlanResponse | Invalid:
        """How far a plan ran, once."""
        execution = self._worlds.execution(query.state.universe, query.objects)
        if not self._admits(query.state):
            return Invalid("it has never been in this state")
        self._plans += 1
        execute = self._drawing(execution, f"{self._seed} plan {self._plans}")
        here, states = query.state, list[State]()
        for step in query.plan:
            after = execute(here, step)
            if after is None:
                break
            here = after
            states.append(here)
        self._visit(states)
        return PlanResponse(len(states), here, tuple(states))

    def states(self, count: int, universe: Universe) -> Iterator[State]:
        """The initial states and, if it can start anywhere, situations from a walk of its own."""
        starts = [universe.state(sorted(atoms)) for atoms in self._initial][:count]
        yield from starts
        if starts and self.start is Start.ANY:
            own = tuple(o for o in universe.objects if o.name in universe.own)
            execution = self._worlds.execution(universe, own)
            world, rng = execution.universe, random.Random(f"{self._seed} walk")
            moves = walk(execution, [moved(s, world).bits for s in starts], rng)
            for move in islice(moves, count - len(starts)):
                yield moved(State(world, move.after), universe)

    def _drawing(self, execution: Execution, seed: str) -> _Drawing:
        return _Drawing(execution, random.Random(seed), self.shows_refusals)

    def _admits(self, state: State) -> bool:
        return self.start is Start.ANY or frozenset(state) in self._known

    def _visit(self, states: Iterable[State]) -> None:
        if self.start is Start.VISITED:
            self._known.update(map(frozenset, states))


def open_ppddl(domain: Path, problem: Path | None = None, seed: int = 0) -> StochasticAgent:
    """The model of a PPDDL file; a problem adds the agent's own objects and where it begins."""
    model = read_ppddl(read_file(domain), str(domain))
    if problem is None:
        return StochasticAgent(model, seed=seed)
    situation = read_situation(problem, model.vocabulary)
    return StochasticAgent(model, situation.objects, (situation.initial,), seed)


def open_world(name: str, seed: int = 0) -> StochasticAgent:
    """A bundled world in its training problem."""
    situation = training_problem(name)
    return StochasticAgent(truth(name), situation.objects, (situation.initial,), seed, new_objects=False)


class _Drawing:
    """Executes steps in states, as chance has it."""

    def __init__(self, execution: Execution, rng: random.Random, shown: bool) -> None:
        self._execution, self._rng, self._shown = execution, rng, shown

    def __call__(self, state: State, step: Step, /) -> State | None:
        world = self._execution.universe
        bits = self._execution.draw(moved(state, world).bits, step, self._rng)
        if bits is None:
            return None if self._shown else state
        return moved(State(world, bits), state.universe)
