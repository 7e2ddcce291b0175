"""Planners by name, behind one signature: a separation task in, one of four results out."""

from __future__ import annotations

from typing import Protocol

from assay.errors import InputError
from assay.planning.distinguish import Separation
from assay.planning.external import fast_downward, require_fast_downward
from assay.planning.search import Result, solve

MAX_NODES = 150
"""States that the built-in search looks at before it gives up. No time limit: runs must be repeatable."""


class Planner(Protocol):
    def __call__(self, task: Separation, max_length: int | None = None) -> Result: ...


def builtin(task: Separation, max_length: int | None = None) -> Result:
    return solve(task, max_nodes=MAX_NODES, max_length=max_length)


PLANNERS: dict[str, Planner] = {"builtin": builtin, "fast-downward": fast_downward}


def planner(name: str) -> Planner:
    if name not in PLANNERS:
        raise InputError(f"unknown planner {name!r}; there are {', '.join(PLANNERS)}")
    if name == "fast-downward":
        require_fast_downward()
    return PLANNERS[name]
