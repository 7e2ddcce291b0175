"""The learners for agents with chance, by name."""

from __future__ import annotations

from assay.errors import InputError
from assay.strategies.chance import MakeLearner
from assay.strategies.chance.exploring import Wandering
from assay.strategies.chance.glib import GlibG, GlibL
from assay.strategies.chance.qace import Qace
from assay.strategies.chance.sampling import Sampling

LEARNERS: dict[str, MakeLearner] = {
    "sampling": Sampling,
    "qace": Qace,
    "glib-g": GlibG,
    "glib-l": GlibL,
    "random": Wandering,
}


def learner(name: str) -> MakeLearner:
    try:
        return LEARNERS[name]
    except KeyError:
        raise InputError(f"unknown strategy {name!r}; there are {', '.join(LEARNERS)}") from None
