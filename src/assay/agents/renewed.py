"""An agent in a process of its own, which is ended when it takes too long, and replaced.

For servers: one question that never comes to an end must not keep the agent from everybody else. The new
process knows nothing of states that the old one had been in; an agent whose start is `visited` then calls
questions that start there invalid, until it has been led there again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from assay.agents.guard import Guard
from assay.agents.process import ProcessAgent
from assay.agents.speak import command
from assay.core.query import Agent, Invalid, PlanQuery, Response, WalkQuery, WalkResponse
from assay.core.universe import State, Universe
from assay.errors import AgentError

_Answer = TypeVar("_Answer")


class RenewedAgent:
    """Not for several threads at once; whoever serves it asks one question at a time."""

    def __init__(self, start: Callable[[], ProcessAgent]) -> None:
        self._start = start
        self._agent: ProcessAgent | None = (agent := start())
        self.time_limit = agent.time_limit
        self.vocabulary, self.objects = agent.vocabulary, agent.objects
        self.start, self.new_objects = agent.start, agent.new_objects
        self.free_arguments, self.walks = agent.free_arguments, agent.walks
        self.tells_states = agent.tells_states
        self.stochastic, self.shows_refusals = agent.stochastic, agent.shows_refusals

    def ask(self, query: PlanQuery, /) -> Response:
        return self._asked(lambda agent: agent.ask(query))

    def walk(self, query: WalkQuery, /) -> WalkResponse | Invalid:
        return self._asked(lambda agent: agent.walk(query))

    def states(self, count: int, universe: Universe) -> tuple[State, ...]:
        return self._asked(lambda agent: agent.states(count, universe))

    def close(self) -> None:
        if self._agent is not None:
            self._agent.close()

    def _asked(self, ask: Callable[[ProcessAgent], _Answer]) -> _Answer:
        if self._agent is None:
            self._agent = self._start()
        try:
            return ask(self._agent)
        except AgentError:
            if self._agent.ended:
                with suppress(Exception):
                    self._agent.close()
                self._agent = None
            raise


def endable(agent: Guard, spec: str, seed: int, timeout: float | None) -> Agent:
    """The same agent, so that it can be ended; a person, and one on the network, cannot."""
    if spec.startswith(("http:", "https:", "human:")):
        return agent
    agent.close()
    return RenewedAgent(lambda: ProcessAgent(command(spec, seed), timeout=timeout))
