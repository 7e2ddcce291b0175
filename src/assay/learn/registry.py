"""The strategies by name, found by entry point, so that a package of its own can bring one.

A strategy is a class that is made of a setting and whether the agent tells the states between steps, and
that does what `assay.learn.finding.Strategy` says. A package registers it in its `pyproject.toml`:

    [project.entry-points."assay.strategies"]
    mine = "my_package.strategy:Mine"

From then on `assay run --strategy mine` uses it; docs/strategies.md has a whole example.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from assay.core.setting import Setting
from assay.errors import InputError
from assay.learn.finding import Strategy

GROUP = "assay.strategies"

Factory = Callable[[Setting, bool], Strategy]


def strategy_names() -> tuple[str, ...]:
    """The strategies there are, by name."""
    return tuple(sorted(_registered()))


def strategy_factory(name: str) -> Factory:
    """What makes a strategy; `InputError` if there is none of this name, or if it cannot be loaded."""
    registered = _registered()
    if name not in registered:
        there = f"there are {', '.join(sorted(registered))}" if registered else "none is installed"
        raise InputError(f"unknown strategy {name!r}; {there}")
    point = registered[name]
    try:
        factory: Factory = point.load()
    except (ImportError, AttributeError) as error:
        raise InputError(f"strategy {name!r} ({point.value}) cannot be loaded: {error}") from error
    return factory


def strategy(setting: Setting, tells_states: bool) -> Strategy:
    """The strategy that the setting names, ready to ask."""
    return strategy_factory(setting.strategy)(setting, tells_states)


def _registered() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
