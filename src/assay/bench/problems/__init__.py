"""Problems for the bundled domains: situations in which the actions of a domain really happen.

A problem is a function of its domain's name, a size from 1 to 10 and a seed. Its initial state is put
together by the domain's generator; its goal is picked from where a random walk led, so every problem can
be solved. `DOMAINS` are the ten of AIA-21 Table 1.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from assay.bench.problems import puzzles, service, transport
from assay.bench.problems.sketch import Sketch
from assay.core.execution import Execution
from assay.core.formula import Formula, conjoin
from assay.core.model import Model
from assay.core.symbols import Literal
from assay.core.universe import Universe
from assay.errors import InputError
from assay.pddl.reader import Problem, read_domain, read_problem
from assay.pddl.writer import write_problem
from assay.planning.applicable import Applicable

DOMAINS = (
    "gripper",
    "blocksworld",
    "miconic",
    "parking",
    "logistics",
    "satellite",
    "termes",
    "rovers",
    "barman",
    "freecell",
)

EXTRA = (
    "childsnack",
    "delivery",
    "depots",
    "driverlog",
    "elevators",
    "ferry",
    "goldminer",
    "grid",
    "hanoi",
    "sokoban",
    "spanner",
    "tpp",
    "visitall",
    "zenotravel",
)

SIZES = range(1, 11)

_GENERATORS: dict[str, Callable[[Sketch, int], None]] = {
    "barman": service.barman,
    "blocksworld": puzzles.blocksworld,
    "childsnack": service.childsnack,
    "delivery": transport.delivery,
    "depots": transport.depots,
    "driverlog": transport.driverlog,
    "elevators": transport.elevators,
    "ferry": transport.ferry,
    "freecell": puzzles.freecell,
    "goldminer": puzzles.goldminer,
    "grid": puzzles.grid,
    "gripper": transport.gripper,
    "hanoi": puzzles.hanoi,
    "logistics": transport.logistics,
    "miconic": transport.miconic,
    "parking": puzzles.parking,
    "rovers": service.rovers,
    "satellite": service.satellite,
    "sokoban": puzzles.sokoban,
    "spanner": service.spanner,
    "termes": puzzles.termes,
    "tpp": transport.tpp,
    "visitall": puzzles.visitall,
    "zenotravel": transport.zenotravel,
}


def domain_text(name: str) -> str:
    if name not in _GENERATORS:
        raise InputError(f"no bundled domain {name!r}; there are {', '.join(sorted(_GENERATORS))}")
    return files("assay.bench").joinpath("domains", f"{name}.pddl").read_text(encoding="utf-8")


@cache
def _model(name: str) -> Model:
    return read_domain(domain_text(name), f"{name}.pddl")


def problem(domain: str, size: int, seed: int) -> str:
    """The text of a problem file."""
    model = _model(domain)
    if size not in SIZES:
        raise InputError(f"problem sizes go from {SIZES[0]} to {SIZES[-1]}, not {size}")
    rng = random.Random(f"{domain} {size} {seed}")
    sketch = Sketch(rng)
    _GENERATORS[domain](sketch, size)
    return write_problem(
        f"{domain}-{size}-{seed}", domain, sketch.objects, sketch.atoms, _goal(model, sketch, size)
    )


def load(name: str, size: int, seed: int) -> tuple[Model, Problem]:
    model = _model(name)
    text = problem(name, size, seed)
    return model, read_problem(text, model.vocabulary, f"{name}-{size}-{seed}.pddl")


def _goal(model: Model, sketch: Sketch, size: int) -> Formula:
    """Some of what a walk made true."""
    universe = Universe(model.vocabulary, sketch.objects)
    applicable = Applicable(Execution(model, universe), constants=True)
    start = bits = universe.bits(sorted(sketch.atoms))
    for _ in range(10 + 5 * size):
        drawn = applicable.draw(bits, sketch.rng)
        if drawn is None:
            break
        _, bits = drawn
    made = sorted(universe.atoms(bits & ~start))
    return conjoin(Literal(atom) for atom in sorted(sketch.rng.sample(made, min(len(made), size + 1))))
