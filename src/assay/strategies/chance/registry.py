"""The learners for agents with chance, by name."""

from __future__ import annotations

from assay.errors import InputError
from assay.strategies.chance import MakeLearner
from assay.strategies.chance.sampling import Sampling

LEARNERS: dict[str, MakeLearner] = {"sampling": Sampling}


def learner(name: str) -> MakeLearner:
    try:
        return LEARNERS[name]
    except KeyError:
        raise InputError(f"unknown strategy {name!r}; there are {', '.join(LEARNERS)}") from None
