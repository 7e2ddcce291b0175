"""The strategies by name, found by entry point: a package of its own can bring one."""

from __future__ import annotations

from importlib.metadata import entry_points

from assay.core.setting import Setting
from assay.errors import InputError
from assay.learn.finding import Strategy

GROUP = "assay.strategies"


def strategy(setting: Setting, tells_states: bool) -> Strategy:
    """The strategy that the setting names, ready to ask."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    if setting.strategy not in found:
        raise InputError(f"unknown strategy {setting.strategy!r}; there are {', '.join(sorted(found))}")
    made: Strategy = found[setting.strategy].load()(setting, tells_states)
    return made
