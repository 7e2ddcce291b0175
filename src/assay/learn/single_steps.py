"""Answers of a journal as examples, step by step: what each action met, and what came of it.

A step counts where the states before and after it are known: told by the agent, or foretold by a model
whose end of the plan is the state that the agent told. Steps that name one object twice, or a constant, are
left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from assay.core.confinement import distinct_arguments
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.query import PlanQuery, PlanResponse, Response
from assay.core.symbols import Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.learn.evidence import Example, Point

Answer = tuple[int, PlanQuery, Response]
"""The number of the journal entry, the question, the answer."""


def examples_of(
    vocabulary: Vocabulary, answers: Iterable[Answer], model: Model | None = None
) -> dict[str, list[Example]]:
    """By action, its examples; the `model`, if given, foretells states that were not told."""
    found: dict[str, list[Example]] = {name: [] for name in sorted(vocabulary.action)}
    for entry, query, response in answers:
        if isinstance(response, PlanResponse):
            for step, before, after in _steps(query, response, model):
                if distinct_arguments(before.universe, step):
                    own = _own(before.universe, step, before)
                    later = None if after is None else _own(before.universe, step, after)
                    found[step.action].append(Example(Point(own), later, entry=entry))
    return found


def _own(universe: Universe, step: Step, state: State) -> int:
    """Which of the action's lifted atoms hold."""
    bits = state.bits if state.universe is universe else universe.bits(sorted(state))
    return sum((bits >> place & 1) << n for n, place in enumerate(universe.positions(step)))


def _steps(
    query: PlanQuery, response: PlanResponse, model: Model | None
) -> Iterable[tuple[Step, State, State | None]]:
    """The steps around which the states are known; the last one may be refused."""
    known = {0: query.state, response.steps: response.state}
    if response.states is not None:
        known |= dict(enumerate(response.states, start=1))
    elif response.steps > 1 and model is not None:
        known |= _foretold(query, response, model)
    for number, step in enumerate(query.plan[: response.steps + 1]):
        if number == response.steps:
            yield step, known[number], None
        elif number in known and number + 1 in known:
            yield step, known[number], known[number + 1]


def _foretold(query: PlanQuery, response: PlanResponse, model: Model) -> dict[int, State]:
    ran = query.plan[: response.steps]
    if any(step.action not in model.action for step in ran):
        return {}
    states = Execution(model, query.state.universe).states(query.state, ran)
    foretold = len(states) == response.steps and states[-1] == response.state
    return dict(enumerate(states, start=1)) if foretold else {}
