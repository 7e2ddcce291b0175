"""Well-known simulators, acted in and judged: is what was learned true wherever one can get?"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from assay.agents.guard import Guard
from assay.core.query import PlanQuery, Response
from assay.core.universe import Universe
from assay.session import assess
from assaylab.bench.bare import Agreement, BareWorld, agreement
from assaylab.worlds.opening import open_world, world_words

WORLDS = (
    "gym:FrozenLake-v1",
    "gym:FrozenLake-v1,map_name=8x8",
    "gym:CliffWalking-v1",
    "gym:Taxi-v4",
    "gym:Taxi-v4,seed=1",
    "gym:Taxi-v4,seed=2",
    "minigrid:MiniGrid-DoorKey-5x5-v0",
    "minigrid:MiniGrid-DoorKey-5x5-v0,seed=1",
    "minigrid:MiniGrid-DoorKey-5x5-v0,seed=2",
)


@dataclass(frozen=True, slots=True)
class Row:
    world: str
    outcome: str
    strength: int | None
    questions: int
    steps: int
    seconds: float
    """Processor time, without that of the agent."""
    agent_seconds: float
    """Processor time that the agent took to answer."""
    agreement: Agreement
    model: str


class Timed:
    """An agent, and the processor time that it takes to answer."""

    def __init__(self, agent: Any) -> None:
        self._agent, self.seconds = agent, 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._agent, name)

    def ask(self, query: PlanQuery, /) -> Response:
        began = time.process_time()
        try:
            answer: Response = self._agent.ask(query)
            return answer
        finally:
            self.seconds += time.process_time() - began


def measure(world: str, strength: int = 2, seed: int = 0, budget: int | None = None) -> Row:
    timed = Timed(open_world(world))
    agent = Guard(timed)
    try:
        began = time.process_time()
        result = assess(agent, strength=strength, seed=seed, budget=budget)
        spent = time.process_time() - began
        universe = Universe(agent.vocabulary, agent.objects)
    finally:
        agent.close()
    judged = agreement(result.model, BareWorld(world_words(world), universe), universe)
    return Row(
        world,
        result.outcome.value,
        result.strength,
        result.questions,
        result.costs.steps,
        spent - timed.seconds,
        timed.seconds,
        judged,
        result.to_pddl(),
    )
