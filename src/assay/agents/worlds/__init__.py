"""Stochastic worlds with a known truth: the symbolic agents of QACE's evaluation, in PPDDL of our own.

Each world has a model, one problem to train in (at most seven objects) and larger problems to test on.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from assay.agents.worlds.layouts import Layout, driving, elevator, responder, warehouse
from assay.core.model import Model
from assay.errors import InputError
from assay.pddl.reader import Problem, read_ppddl

_LAYOUTS: dict[str, Callable[[random.Random, int], Layout]] = {
    "driving": driving,
    "warehouse": warehouse,
    "responder": responder,
    "elevator": elevator,
}

WORLDS = tuple(_LAYOUTS)

TEST_SIZES = range(2, 6)
"""Sizes of the test problems; size 1 is the training problem."""


def domain_text(name: str) -> str:
    if name not in _LAYOUTS:
        raise InputError(f"there is no stochastic world {name!r}; there are {', '.join(WORLDS)}")
    return files("assay.agents.worlds").joinpath(f"{name}.ppddl").read_text(encoding="utf-8")


@cache
def truth(name: str) -> Model:
    return read_ppddl(domain_text(name), f"{name}.ppddl")


def problem(name: str, size: int, seed: int = 0) -> Problem:
    """A problem of the world; the one to train in is size 1 with seed 0, and every seed has others."""
    layout = _LAYOUTS[truth(name).vocabulary.name](random.Random(f"{name} {size} {seed}"), size)
    return Problem(f"{name}-{size}-{seed}", name, tuple(layout.objects), frozenset(layout.atoms))


def training_problem(name: str) -> Problem:
    return problem(name, 1)


def larger_problems(name: str, seed: int = 0) -> tuple[Problem, ...]:
    """Problems with more objects than the one to train in."""
    return tuple(problem(name, size, seed) for size in TEST_SIZES)
