"""How fast actual causes come: the first ten for plans of a logistics company, in growing worlds."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib.resources import files

from assay.causal.network import unroll
from assay.causal.why import why
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import Universe
from assay.pddl.reader import read_domain

FIRST = 10


@dataclass(frozen=True)
class Row:
    steps: int
    atoms: int
    causes: int
    seconds: float
    """From the plan to the first causes: unrolling, encoding and solving."""
    all_causes: int
    more: bool
    all_seconds: float
    """The same for the first hundred."""


def measure(sizes: tuple[tuple[int, int], ...] = ((10, 100), (20, 200), (20, 400), (40, 400))) -> list[Row]:
    """One row per (steps, atoms): a truck that collects packages one after the other and brings them home."""
    return [_row(steps, atoms) for steps, atoms in sizes]


def _row(steps: int, atoms: int) -> Row:
    domain = files("assay.bench") / "domains" / "logistics.pddl"
    model = read_domain(domain.read_text(encoding="utf-8"), "logistics.pddl")
    rounds = max(1, steps // 4)
    universe = Universe(
        model.vocabulary,
        [
            Object("truck", "truck"),
            Object("city", "city"),
            *(Object(f"l{i}", "location") for i in range(rounds + 1)),
            *(Object(f"p{i}", "package") for i in range(atoms)),
        ],
    )
    state = [Atom("at", ("truck", "l0"))]
    state += [Atom("in-city", (f"l{i}", "city")) for i in range(rounds + 1)]
    state += [Atom("at", (f"p{i}", f"l{i % rounds + 1}")) for i in range(atoms - len(state))]
    plan = []
    for i in range(rounds):
        place = f"l{i + 1}"
        plan += [
            Step("drive-truck", ("truck", "l0", place, "city")),
            Step("load-truck", (f"p{i}", "truck", place)),
            Step("drive-truck", ("truck", place, "l0", "city")),
            Step("unload-truck", (f"p{i}", "truck", "l0")),
        ]
    fact = Literal(Atom("at", (f"p{rounds - 1}", "l0")))
    start, seconds, found = universe.state(state), [], []
    for limit in (FIRST, 100):
        began = time.perf_counter()
        network = unroll(model, start, plan[:steps], mention=[fact.atom])
        found.append(why(network, fact, limit=limit))
        seconds.append(time.perf_counter() - began)
    few, many = found
    return Row(
        len(network.plan),
        len(network.atoms),
        len(few.causes),
        seconds[0],
        len(many.causes),
        many.more,
        seconds[1],
    )
