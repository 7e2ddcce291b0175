"""What a server of agents takes from its clients, who may be anybody that can reach it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from assay.core.query import PlanQuery, WalkQuery
from assay.errors import InputError

BODIES = 2
"""So many of the longest questions may be on their way at once."""


@dataclass(frozen=True, slots=True)
class QuestionBounds:
    """The largest question: hundreds of times what interrogations of the benchmark domains ask."""

    walk: int = 1_000
    plan: int = 20_000
    state: int = 500_000

    def check(self, query: PlanQuery | WalkQuery) -> None:
        """`InputError` that names the bound, if the question goes beyond one."""
        _at_most(len(query.state), self.state, "a state of {} atoms")
        if isinstance(query, WalkQuery):
            _at_most(query.steps, self.walk, "a walk of {} steps")
        else:
            _at_most(len(query.plan), self.plan, "a plan of {} steps")


def _at_most(size: int, most: int, what: str) -> None:
    if size > most:
        raise InputError(f"{what.format(size)} is more than this server takes: {most}")


class Allowance:
    """So many bytes for all clients together."""

    def __init__(self, total: int) -> None:
        self._left, self._lock = total, threading.Lock()

    @contextmanager
    def share(self, wanted: int) -> Iterator[bool]:
        """Whether there is room for so many bytes; they are given back at the end."""
        with self._lock:
            granted = wanted <= self._left
            self._left -= wanted if granted else 0
        try:
            yield granted
        finally:
            with self._lock:
                self._left += wanted if granted else 0
