"""Kinds of agents that packages bring, found by entry point.

A kind has an example of how its agents are written, and opens them: from what follows the prefix, the seconds
that an answer may take, and the seed of the run. A package registers it in its `pyproject.toml`:

    [project.entry-points."assay.agents"]
    mine = "my_package.agents:MINE"

where `my_package/agents.py` says

    MINE = AgentKind("mine:kitchen", lambda name, timeout, seed: MyAgent(name))

From then on `assay run mine:kitchen` opens it. A prefix that is built in cannot be taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from assay.core.query import Agent
from assay.core.reach import LowLevelAgent
from assay.errors import InputError

GROUP = "assay.agents"

Opener = Callable[[str, float | None, int], Agent | LowLevelAgent]


@dataclass(frozen=True, slots=True)
class AgentKind:
    example: str
    """How an agent of this kind is written, for messages."""
    open: Opener


def kinds() -> dict[str, AgentKind]:
    """All kinds that packages bring, by prefix."""
    return {name: _load(point) for name, point in sorted(_registered().items())}


def kind_of(prefix: str) -> AgentKind | None:
    """The kind with this prefix; `InputError` if it is registered and cannot be loaded."""
    point = _registered().get(prefix)
    return None if point is None else _load(point)


def _load(point: EntryPoint) -> AgentKind:
    try:
        kind = point.load()
    except (ImportError, AttributeError) as error:
        raise InputError(f"agent kind {point.name!r} ({point.value}) cannot be loaded: {error}") from error
    if not isinstance(kind, AgentKind):
        raise InputError(f"agent kind {point.name!r} ({point.value}) is no AgentKind, but {kind!r}")
    return kind


def _registered() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
