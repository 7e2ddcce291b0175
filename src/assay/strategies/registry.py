"""The strategies by name."""

from __future__ import annotations

from collections.abc import Callable, Generator

from assay.core.query import PlanQuery, Response, WalkQuery
from assay.errors import InputError
from assay.knowledge.knowledge import Knowledge
from assay.strategies.acting import acting
from assay.strategies.aia import aia
from assay.strategies.chain import chain
from assay.strategies.naive import naive

Strategy = Callable[[Knowledge], Generator[PlanQuery | WalkQuery, Response, None]]

STRATEGIES: dict[str, Strategy] = {"chain": chain, "aia": aia, "naive": naive, "acting": acting}


def strategy(name: str, never: str = "") -> Strategy:
    """The strategy; with states that must `never` be entered, only one that can keep out of them."""
    if name not in STRATEGIES:
        raise InputError(f"unknown strategy {name!r}; there are {', '.join(STRATEGIES)}")
    if never and STRATEGIES[name] is not acting:
        raise InputError(
            f"--never: strategy {name!r} puts the agent into states of its own making, which may be the "
            "forbidden ones; only 'acting' keeps out of them (--start visited or --start reset)"
        )
    return STRATEGIES[name]
