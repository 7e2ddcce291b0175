"""Runs of one policy question on several processes.

Every process opens the agent for itself, and an agent derives what it draws from its seed and the numbers of
question and run, so that who makes which run does not show: the answer is the same whatever the number of
processes. Agents that know only where they have been themselves cannot be shared out like that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

from assay.agents.guard import Guard, check_rollout
from assay.core.policy import PolicyQuery, PolicyResponse
from assay.core.query import Agent, Invalid, Start
from assay.core.universe import Universe
from assay.errors import AgentError, InputError
from assay.store.simulations import Simulation, simulation_from_dict, simulation_to_dict

_agent: Agent | None = None
_universe: Universe | None = None


class Crew:
    """So many processes, each with an agent of its own from the same maker, which must be picklable."""

    def __init__(self, make: Callable[[], Agent], workers: int, start: Start) -> None:
        if start is Start.VISITED:
            raise InputError("runs on several processes need an agent that does not have to be led anywhere")
        self._workers = workers
        self._pool = ProcessPoolExecutor(workers, get_context("spawn"), _open, (make,))

    def simulate(self, query: PolicyQuery, number: int) -> PolicyResponse | Invalid:
        asked = simulation_to_dict(Simulation(number, replace(query, runs=1), Invalid()))
        shares = [list(range(1, query.runs + 1))[n :: self._workers] for n in range(self._workers)]
        try:
            found = list(self._pool.map(_run, *zip(*((asked, s) for s in shares if s), strict=True)))
        except AgentError as error:
            raise AgentError(f"question {number}: {error}") from error
        traces = {}
        for run, data in sorted(item for share in found for item in share.items()):
            made = simulation_from_dict(data, query.state.universe, number).response
            if isinstance(made, Invalid):
                return made
            traces[run] = made.traces[0]
        return PolicyResponse(tuple(traces.values()))

    def close(self) -> None:
        self._pool.shutdown()


def _open(make: Callable[[], Agent]) -> None:
    global _agent, _universe
    _agent = make()
    _universe = Universe(_agent.vocabulary, tuple(getattr(_agent, "objects", ())))


def _run(asked: Mapping[str, Any], runs: list[int]) -> dict[int, dict[str, Any]]:
    """The runs with these numbers, each written as an entry of its own."""
    assert _agent is not None
    assert _universe is not None
    guard = _agent if isinstance(_agent, Guard) else Guard(_agent)
    question = simulation_from_dict(asked, _universe, asked["n"])
    found = {}
    for run in runs:
        trace = check_rollout(question.query, guard.rollout(question.query, question.number, run))
        response = trace if isinstance(trace, Invalid) else PolicyResponse((trace,))
        found[run] = simulation_to_dict(replace(question, response=response))
    return found
