"""Is the right model learned from pictures, in how many questions, and how many repeated frames does that
take?

The truth is known here, and only here. Acting in a game shows no more than its reachable states can: a
learned model is right if in these the same steps run, and lead to the same states, as in the truth.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from assay.agents.image import ImageAgent
from assay.agents.pddlgym import read_environment
from assay.bench.reachable import agreement_on_reachable
from assay.core.universe import Universe
from assay.errors import InputError
from assay.perception.noise import Noise
from assay.session import assess

PUBLISHED = {"sokoban": 201, "doors": 252}
"""Questions of AIA-21 section 4, mean of five runs."""

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


def measure(
    problem: str,
    noise: Noise,
    seed: int = 0,
    start: str = "visited",
    *,
    strength: int,
    most: int | None = None,
) -> Row:
    """One run on a problem such as `sokoban:2`."""
    name, _, number = problem.partition(":")
    agent = ImageAgent(name, number, noise, seed)
    began = time.perf_counter()
    result = assess(agent, strategy="acting", strength=strength, seed=seed, start=start, budget=most)
    seconds = time.perf_counter() - began
    universe = Universe(agent.vocabulary, agent.objects)
    (initial,) = agent.states(1, universe)
    judged = agreement_on_reachable(result.model, read_environment(problem).model, initial, seed=seed)
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
        judged.first,
        judged.states,
        seconds,
    )
