"""A time limit for agents that press keys: for each question, not for looking around in the simulator.

As in `guard`, the agent answers in a thread of its own, which cannot be stopped: after `AgentTimeout` it is
not asked again.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from assay.agents.guard import Worker
from assay.core.reach import Answer, LowLevelAgent


class TimedKeys:
    """The agent, with all it has, but with `reach` in `seconds` or not at all."""

    def __init__(self, agent: LowLevelAgent, seconds: float) -> None:
        self.universe, self.abstract, self.starts = agent.universe, agent.abstract, agent.starts
        self._agent, self._seconds, self._worker = agent, seconds, Worker()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._agent, name)

    def reach(self, low: Any, target: Any, /) -> Answer:
        return self._worker.run(partial(self._agent.reach, low, target), self._seconds)
