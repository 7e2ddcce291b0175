"""How often two models say the same of steps in given states: a comparison of behaviour for benchmarks.

Where `equivalence` decides whether models differ anywhere, this counts in how much of what was drawn they
differ. In each state steps of every action are tried: some that the truth lets run there, and some drawn from
all. Arguments are different objects and no constants.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from assay.core.confinement import distinct_arguments
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Object, Step
from assay.core.universe import State, Universe, bits_of
from assay.planning.applicable import Applicable, Facts
from assay.scoring.comparison import ROUNDING

EACH = 2
"""Steps of every action that are tried in a state, of those that run there and of all."""
CHOICES = 50
"""Steps that run there among which those are drawn, at most."""
DRAWS = 20
"""Draws of arguments until they are different objects."""

Outcome = Mapping[int, float] | None
"""States with their probabilities; None: refused."""


@dataclass(frozen=True, slots=True)
class Agreement:
    tried: int
    """Steps in states."""
    same: int
    """Those of which both models say the same: refused, or the same states as likely."""
    ran: int
    """Those that run in truth."""
    first: str
    """The first step that they differ in, in words; nothing if there is none."""

    @property
    def share(self) -> float:
        return self.same / self.tried if self.tried else 1.0


def agreement(model: Model, truth: Model, states: Iterable[State], rng: random.Random) -> Agreement:
    """The models compared in these states, each of which may be of a universe of its own."""
    tried = same = ran = 0
    first = ""
    worlds: dict[Universe, tuple[Execution, Execution]] = {}
    for state in states:
        universe = state.universe
        if universe not in worlds:
            worlds = {universe: (Execution(model, universe), Execution(truth, universe))}
        mine, theirs = worlds[universe]
        for step in _steps(theirs, state, rng):
            said = mine.after(state.bits, step) if step.action in model.action else None
            true = theirs.after(state.bits, step)
            tried, ran = tried + 1, ran + (true is not None)
            if _alike(said, true):
                same += 1
            elif not first:
                first = f"{step} from {state}: {_told(universe, said)}; in truth {_told(universe, true)}"
    return Agreement(tried, same, ran, first)


def random_states(truth: Model, objects: Sequence[Object], count: int, rng: random.Random) -> Iterator[State]:
    """States over the objects, sparse and dense ones, drawn atom by atom from those that matter to steps."""
    universe = Universe(truth.vocabulary, objects)
    execution = Execution(truth, universe)
    for name in sorted(truth.action):
        for args in product(*_choices(universe, name)):
            step = Step(name, args)
            if distinct_arguments(universe, step):
                universe.positions(step)
                execution.ground(step)
    for _ in range(count):
        density = rng.random()
        yield State(universe, bits_of(i for i in range(universe.size) if rng.random() < density))


def _steps(truth: Execution, state: State, rng: random.Random) -> Iterator[Step]:
    facts, applicable = Facts(state.universe, state.bits, rng), Applicable(truth)
    for name in sorted(truth.model.action):
        running = list(islice(applicable.of(name, facts), CHOICES))
        yield from rng.sample(running, min(EACH, len(running)))
        for _ in range(EACH):
            if (step := _drawn(state.universe, name, rng)) is not None:
                yield step


def _drawn(universe: Universe, name: str, rng: random.Random) -> Step | None:
    choices = _choices(universe, name)
    for _ in range(DRAWS if all(choices) else 0):
        step = Step(name, tuple(map(rng.choice, choices)))
        if distinct_arguments(universe, step):
            return step
    return None


def _choices(universe: Universe, name: str) -> list[list[str]]:
    """The objects that fit each parameter."""
    fits = universe.vocabulary.fits
    parameters = universe.vocabulary.action[name].parameters
    return [[o.name for o in universe.objects if fits(o.type, p.types)] for p in parameters]


def _alike(one: Outcome, two: Outcome) -> bool:
    if one is None or two is None:
        return one is two
    return all(abs(one.get(s, 0.0) - two.get(s, 0.0)) <= ROUNDING for s in {*one, *two})


def _told(universe: Universe, outcome: Outcome) -> str:
    if outcome is None:
        return "refused"
    return " or ".join(f"{State(universe, bits)}" for bits in sorted(outcome))
