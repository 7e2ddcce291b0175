"""The five agents of QACE's evaluation, each with its truth and with test problems larger than its own.

Of the four symbolic ones the truth is the model they execute. Nobody has written down what the cafe's robot
does; its truth here is a model counted on the robot itself, and its test problems are larger cafes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from assay.agents.stochastic import open_world
from assay.agents.worlds import WORLDS, larger_problems, training_problem, truth
from assay.core.model import Model
from assay.core.query import Agent
from assay.core.symbols import Atom, Object
from assay.errors import InputError
from assay.pddl.reader import Problem, read_ppddl

SAMPLES = {"driving": 92, "warehouse": 241, "responder": 1983, "elevator": 1563, "cafe": 130}
"""What QACE used, in the mean over its published runs."""
SUBJECTS = tuple(SAMPLES)


@dataclass(frozen=True)
class Subject:
    name: str
    samples: int
    open: Callable[[int], Agent]
    """The agent, from a seed."""
    truth: Model
    training: Problem
    tests: tuple[Problem, ...]


@cache
def subject(name: str) -> Subject:
    if name not in SAMPLES:
        raise InputError(f"there is no stochastic agent {name!r}; there are {', '.join(SUBJECTS)}")
    samples = SAMPLES[name]
    if name in WORLDS:
        training, tests = training_problem(name), larger_problems(name)
        return Subject(name, samples, lambda seed: open_world(name, seed), truth(name), training, tests)
    text = files("assay.bench.stochastic").joinpath("cafe.ppddl").read_text(encoding="utf-8")
    tests = tuple(_cafe(tables, cans) for tables, cans in ((3, 3), (4, 3), (5, 4)))
    return Subject(name, samples, _open_cafe, read_ppddl(text, "cafe.ppddl"), _cafe(2, 2), tests)


def _open_cafe(seed: int) -> Agent:
    from assay.agents.cafe import open_cafe

    return open_cafe("server", seed)


def _cafe(tables: int, cans: int) -> Problem:
    places = ["counter", *(f"table-{n}" for n in range(1, tables + 1))]
    names = [f"can-{n}" for n in range(1, cans + 1)]
    objects = [Object("robot", "robot"), Object("gripper", "gripper")]
    objects += [Object(place, "location") for place in places] + [Object(can, "can") for can in names]
    initial = {Atom("nowhere", ("robot",)), Atom("empty", ("gripper",))}
    initial |= {Atom("at", (can, places[0])) for can in names}
    return Problem(f"cafe-{tables}x{cans}", "cafe", tuple(objects), frozenset(initial))
