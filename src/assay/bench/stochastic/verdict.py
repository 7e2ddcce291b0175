"""Whether the structure of a model is right: preconditions and outcome sets, probabilities aside.

Of an agent that can start anywhere, that is QACE's Definition 2: sound and complete over all states. One that
can only be led somewhere is judged where it can be led to: in states within reach of its beginning, nearest
first, the model must let the same steps run, to the same states.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from assay.bench.stochastic.subjects import subject
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Step
from assay.core.universe import Universe
from assay.scoring.correctness import correctness

STATES = 400
"""States within reach that are looked at."""

Case = tuple[int, Step, frozenset[int] | None]
"""A step in a state, and the states that may follow; None: it does not run."""


def right(model: Model, name: str, everywhere: bool) -> bool:
    if everywhere:
        found = correctness(model, subject(name).truth)
        return found.sound and found.complete
    universe, cases = _within_reach(name)
    chances = Execution(model, universe)
    for bits, step, expected in cases:
        after = chances.after(bits, step) if step.action in model.action else None
        said = None if after is None else frozenset(state for state, p in after.items() if p > 0)
        if said != expected:
            return False
    return True


@cache
def _within_reach(name: str) -> tuple[Universe, list[Case]]:
    agent = subject(name)
    universe = Universe(agent.truth.vocabulary, agent.training.objects)
    chances = Execution(agent.truth, universe)
    steps = [step for action in sorted(agent.truth.action) for step in _steps(universe, action)]
    begin = universe.bits(sorted(agent.training.initial))
    found: list[Case] = []
    queue, known = [begin], {begin}
    for bits in queue:
        if len(known) > STATES:
            break
        for step in steps:
            after = chances.after(bits, step)
            found.append((bits, step, None if after is None else frozenset(after)))
            for state in sorted(after or ()):
                if state not in known:
                    known.add(state)
                    queue.append(state)
    return universe, found


def _steps(universe: Universe, action: str) -> list[Step]:
    fits, parameters = universe.vocabulary.fits, universe.vocabulary.action[action].parameters
    every = product(*([o.name for o in universe.objects if fits(o.type, p.types)] for p in parameters))
    return [Step(action, args) for args in every if len(set(args)) == len(args)]
