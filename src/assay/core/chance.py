"""Models with chance, executed: each ground action compiled to masks, each outcome with its probability."""

from __future__ import annotations

import random
from typing import NamedTuple

from assay.core.model import Model, bind_step
from assay.core.symbols import Literal, Step
from assay.core.universe import Universe


class Branch(NamedTuple):
    add: int
    delete: int
    probability: float


class GroundStep(NamedTuple):
    needed: int
    forbidden: int
    branches: tuple[Branch, ...]

    def runs(self, bits: int) -> bool:
        return bits & self.needed == self.needed and not bits & self.forbidden


class Chances:
    """What the steps of a model may lead to in the states of one universe."""

    def __init__(self, model: Model, universe: Universe) -> None:
        self.model, self.universe = model, universe
        self._ground: dict[Step, GroundStep | None] = {}

    def ground(self, step: Step) -> GroundStep | None:
        """The step's masks, or None if the arguments themselves rule it out."""
        try:
            return self._ground[step]
        except KeyError:
            pass
        found: GroundStep | None = None
        bound = bind_step(self.model, self.universe, step)
        if bound is not None:
            action, binding = bound
            needed, forbidden = self._masks(action.precondition, binding)
            found = GroundStep(
                needed,
                forbidden,
                tuple(Branch(*self._masks(o.effects, binding), o.probability) for o in action.outcomes),
            )
        self._ground[step] = found
        return found

    def _masks(self, literals: frozenset[Literal], binding: dict[str, str]) -> tuple[int, int]:
        bits = self.universe.bits
        return (
            bits(a.substitute(binding) for a, positive in sorted(literals) if positive),
            bits(a.substitute(binding) for a, positive in sorted(literals) if not positive),
        )

    def after(self, bits: int, step: Step) -> dict[int, float] | None:
        """The states that may follow, each with its whole probability; None if the step does not run."""
        ground = self.ground(step)
        if ground is None or not ground.runs(bits):
            return None
        found: dict[int, float] = {}
        for add, delete, probability in ground.branches:
            state = bits & ~delete | add
            found[state] = found.get(state, 0.0) + probability
        return found

    def draw(self, bits: int, step: Step, rng: random.Random) -> int | None:
        """A state that follows, as chance has it; None if the step does not run."""
        ground = self.ground(step)
        if ground is None or not ground.runs(bits):
            return None
        branches = ground.branches
        left = rng.random() * sum(b.probability for b in branches) if len(branches) > 1 else 0.0
        for branch in branches:
            left -= branch.probability
            if left < 0:
                break
        return bits & ~branch.delete | branch.add
