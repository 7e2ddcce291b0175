"""Asking again: does the agent still give the answers in the journal? What came from logs was never asked."""

from __future__ import annotations

import random
from collections.abc import Iterable
from math import ceil
from typing import Protocol

from assay.core.policy import PolicyQuery, PolicyResponse
from assay.core.query import Agent, Invalid, agree
from assay.core.symbols import Step
from assay.store.journal import Entry
from assay.store.simulations import Simulation


def replay(agent: Agent, entries: Iterable[Entry]) -> tuple[int, ...]:
    """The numbers of the entries whose question now gets another answer."""
    return tuple(e.number for e in entries if not (e.logged or agree(agent.ask(e.query), e.response)))


def chosen(entries: Iterable[Entry], share: float, rng: random.Random) -> list[Entry]:
    """A random share of what was asked, at least one question, in the order of the journal."""
    asked = [entry for entry in entries if not entry.logged]
    size = min(len(asked), max(1, ceil(share * len(asked))))
    return sorted(rng.sample(asked, size), key=lambda entry: entry.number)


class Simulating(Protocol):
    def simulate(self, query: PolicyQuery, /) -> PolicyResponse | Invalid: ...


def replay_simulations(agent: Simulating, entries: Iterable[Simulation]) -> tuple[int, ...]:
    """The numbers of the entries in which the agent now refuses what it did, or the converse.

    What a step leads to is a matter of chance, and need not be the same again.
    """
    return tuple(e.number for e in entries if not _same_refusals(e, agent.simulate(e.query)))


def _same_refusals(entry: Simulation, now: PolicyResponse | Invalid) -> bool:
    if isinstance(now, Invalid) or isinstance(entry.response, Invalid):
        return isinstance(now, Invalid) and isinstance(entry.response, Invalid)
    said: dict[tuple[int, Step], bool] = {}
    for response in (entry.response, now):
        for state, step, after in response.transitions(entry.query):
            if said.setdefault((state.bits, step), after is None) != (after is None):
                return False
    return True
