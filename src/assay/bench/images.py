"""Is the right model learned from pictures, in how many questions, and how many repeated frames does that
take?

The truth is known here, and only here. Acting in a game shows no more than its reachable states can: a
learned model is right if in every reachable state the same steps run, and lead to the same states, as in
the truth (looked at breadth first, up to a limit that is reported).
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass

from assay.agents.image import ImageAgent
from assay.agents.pddlgym import read_environment
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.universe import State, Universe
from assay.errors import InputError
from assay.perception.noise import Noise
from assay.planning.applicable import Applicable
from assay.session import assess

PUBLISHED = {"sokoban": 201, "doors": 252}
"""Questions of AIA-21 section 4, mean of five runs."""
STATES = 1500
"""Reachable states looked at when models are compared, at most."""


TELLING = {
    "sokoban": ("sokoban:0", "sokoban:1", "sokoban:2", "sokoban:3", "sokoban:4"),
    "doors": ("doors:0", "doors:1", "doors:2", "doors_test:4", "doors_test:9"),
}
"""Problems that show every action at work."""


@dataclass(frozen=True)
class Row:
    game: str
    problem: str
    seed: int
    noise: Noise
    outcome: str
    questions: int
    steps: int
    repeats: int
    frames: int
    difference: str
    """The first thing that the learned model gets wrong in a reachable state."""
    compared: int
    """States in which it was compared with the truth."""
    seconds: float

    @property
    def right(self) -> bool:
        return not self.difference


def telling(game: str, count: int) -> list[str]:
    """So many problems of a game; from the first again when they run out."""
    if game not in TELLING:
        raise InputError(f"there is no game {game!r}; there are {', '.join(sorted(TELLING))}")
    return [TELLING[game][number % len(TELLING[game])] for number in range(count)]


def measure(problem: str, noise: Noise, seed: int = 0, start: str = "visited") -> Row:
    """One run on a problem such as `sokoban:2`."""
    name, _, number = problem.partition(":")
    agent = ImageAgent(name, number, noise, seed)
    began = time.perf_counter()
    result = assess(agent, strategy="acting", seed=seed, start=start)
    seconds = time.perf_counter() - began
    universe = Universe(agent.vocabulary, agent.objects)
    (initial,) = agent.states(1, universe)
    difference, compared = difference_on_reachable(result.model, read_environment(problem).model, initial)
    return Row(
        name.removesuffix("_test"),
        problem,
        seed,
        noise,
        result.outcome.value,
        result.questions,
        result.costs.steps,
        agent.repeats,
        agent.frames,
        difference,
        compared,
        seconds,
    )


def difference_on_reachable(model: Model, truth: Model, start: State) -> tuple[str, int]:
    """What the model first gets wrong, nothing if nowhere, and the number of states compared."""
    universe = start.universe
    missing = sorted(truth.action.keys() - model.action.keys())
    if missing:
        return f"it does not know {missing[0]}", 0
    learned, real = Execution(model, universe), Execution(truth, universe)
    mine, theirs = Applicable(learned), Applicable(real)
    seen, queue = {start.bits}, deque([start.bits])
    compared = 0
    while queue and compared < STATES:
        bits = queue.popleft()
        compared += 1
        runs = {step: real.apply(bits, step) for step in theirs.steps(bits)}
        claimed = {step: learned.apply(bits, step) for step in mine.steps(bits)}
        if runs != claimed:
            step = min(s for s in runs.keys() | claimed.keys() if runs.get(s) != claimed.get(s))
            if step not in claimed:
                return f"{step} runs", compared
            return f"{step} {'leads elsewhere' if step in runs else 'does not run'}", compared
        for after in runs.values():
            assert after is not None
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return "", compared
