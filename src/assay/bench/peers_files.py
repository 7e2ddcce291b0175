"""The peers' own benchmark as files: domains, problems, trajectories and tests in the `amlgym` wheel.

The wheel alone is enough (its dependencies weigh gigabytes): `pip install --no-deps amlgym==1.0.13`. Of
its domains 21 have problems, ten each for learning, with a trajectory of each. One problem is used, chosen
without a look at the reference or at what any learner makes of it: the first whose own trajectory shows
every action of the domain, or the most of them where none shows all.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from assay.core.model import Model
from assay.errors import InputError
from assay.pddl.reader import Problem, read_domain, read_problem

VERSION = "1.0.13"
MISSING = f"the peers' benchmark is in a package: pip install --no-deps amlgym=={VERSION}"

DOMAINS = (
    "barman",
    "blocksworld",
    "childsnack",
    "depots",
    "elevators",
    "ferry",
    "floortile",
    "goldminer",
    "grippers",
    "matchingbw",
    "miconic",
    "nomystery",
    "npuzzle",
    "parking",
    "rovers",
    "satellite",
    "sokoban",
    "spanner",
    "tpp",
    "transport",
    "visitall",
)

TRAJECTORIES = 10
TEST_PROBLEMS, TEST_STATES, SOLVED = 5, 5, 5
"""Of the package's tests, so many problems and states of each; and so many problems to be solved."""


@dataclass(frozen=True)
class Instance:
    """One domain of the benchmark with its problem."""

    domain: str
    number: int
    root: Path

    @property
    def name(self) -> str:
        return f"{self.domain} {self.number}"

    @cached_property
    def reference(self) -> str:
        return (self.root / "domains" / f"{self.domain}.pddl").read_text(encoding="utf-8")

    @cached_property
    def model(self) -> Model:
        return read_domain(self.reference, f"{self.domain}.pddl")

    @cached_property
    def problem(self) -> Problem:
        path = self.problem_path
        return read_problem(path.read_text(encoding="utf-8"), self.model.vocabulary, path.name)

    @property
    def problem_path(self) -> Path:
        return self._problem("learning", self.number)

    @property
    def trajectories(self) -> list[str]:
        """Those that the package's learners from observations are given, one from each problem."""
        paths = [_trajectory(self.root, self.domain, number) for number in range(TRAJECTORIES)]
        return [str(path) for path in paths if path.is_file() and path.stat().st_size]

    def tests(self) -> list[dict[str, Any]]:
        """States in which a model is asked what runs and where it leads."""
        path = self.root / "states" / "predictive_power" / self.domain / "test_states.json"
        states: dict[str, list[list[str]]] = json.loads(path.read_text(encoding="utf-8"))
        folder = self.root / "problems" / "predictive_power" / self.domain
        return [
            {"problem": str(folder / name), "states": states[name][:TEST_STATES]}
            for name in list(states)[:TEST_PROBLEMS]
        ]

    def solve(self) -> list[str]:
        return [str(p) for n in range(SOLVED) if (p := self._problem("solving", n)).is_file()]

    def _problem(self, kind: str, number: int) -> Path:
        return self.root / "problems" / kind / self.domain / f"{number}_{self.domain}_prob.pddl"


def installed() -> bool:
    return find_spec("amlgym") is not None


def instance(domain: str, number: int | None = None) -> Instance:
    if domain not in DOMAINS:
        raise InputError(f"no domain {domain!r} in the peers' benchmark; there are {', '.join(DOMAINS)}")
    spec = find_spec("amlgym")
    if spec is None or spec.origin is None:
        raise InputError(MISSING)
    root = Path(spec.origin).parent / "benchmarks"
    return Instance(domain, _telling(root, domain) if number is None else number, root)


def _telling(root: Path, domain: str) -> int:
    """The first problem with most actions in its trajectory."""
    shown = [len(_actions(_trajectory(root, domain, number))) for number in range(TRAJECTORIES)]
    return shown.index(max(shown))


def _actions(trajectory: Path) -> set[str]:
    """The actions that happen in it."""
    return set(re.findall(r"\(:action \(([^\s()]+)", trajectory.read_text(encoding="utf-8")))


def _trajectory(root: Path, domain: str, number: int) -> Path:
    return root / "trajectories" / "learning" / domain / f"{number}_{domain}_traj"
