"""Asking again: does the agent still give the answers in the journal? What came from logs was never asked."""

from __future__ import annotations

from collections.abc import Iterable

from assay.core.query import Agent, Invalid, Response
from assay.store.journal import Entry


def replay(agent: Agent, entries: Iterable[Entry]) -> tuple[int, ...]:
    """The numbers of the entries whose question now gets another answer."""
    return tuple(e.number for e in entries if not (e.logged or same_answer(agent.ask(e.query), e.response)))


def same_answer(first: Response, second: Response) -> bool:
    if isinstance(first, Invalid) or isinstance(second, Invalid):
        return isinstance(first, Invalid) and isinstance(second, Invalid)
    return first == second
