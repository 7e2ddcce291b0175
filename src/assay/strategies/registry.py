"""The strategies by name."""

from __future__ import annotations

from collections.abc import Callable, Generator

from assay.core.query import PlanQuery, Response
from assay.errors import InputError
from assay.knowledge.knowledge import Knowledge
from assay.strategies.acting import acting
from assay.strategies.aia import aia
from assay.strategies.chain import chain
from assay.strategies.naive import naive

Strategy = Callable[[Knowledge], Generator[PlanQuery, Response, None]]

STRATEGIES: dict[str, Strategy] = {"chain": chain, "aia": aia, "naive": naive, "acting": acting}


def strategy(name: str) -> Strategy:
    try:
        return STRATEGIES[name]
    except KeyError:
        raise InputError(f"unknown strategy {name!r}; there are {', '.join(STRATEGIES)}") from None
