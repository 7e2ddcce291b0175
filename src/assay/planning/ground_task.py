"""A model with chance on the objects of one universe as a FOND task: every ground step, as masks.

Steps are grounded once. A step that needs an atom which nothing changes and which does not hold at the start
is left out: it can never run. Arguments are all different.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Literal, Step
from assay.core.universe import Universe
from assay.planning.ground_step import GroundStep, ground_step


@dataclass(frozen=True)
class GroundTask:
    """Reach a state in which one of the goal's alternatives holds."""

    initial: int
    goal: tuple[tuple[int, int], ...]
    """Masks of atoms that must hold, and that must not."""
    steps: tuple[tuple[Step, GroundStep], ...]
    complete: bool = True

    @classmethod
    def of(
        cls, model: Model, universe: Universe, initial: int, goal: tuple[frozenset[Literal], ...]
    ) -> GroundTask:
        masks = tuple(
            (
                universe.bits(a for a, positive in sorted(part) if positive),
                universe.bits(a for a, positive in sorted(part) if not positive),
            )
            for part in goal
        )
        return cls(initial, masks, tuple(_ground(model, universe, initial)))

    def is_goal(self, node: int) -> bool:
        return any(node & true == true and not node & false for true, false in self.goal)

    def successors(self, node: int) -> Iterator[tuple[Step, tuple[int, ...]]]:
        for step, (needed, forbidden, branches) in self.steps:
            if node & needed == needed and not node & forbidden:
                yield step, tuple([node & ~delete | add for add, delete, _ in branches])


def _ground(model: Model, universe: Universe, initial: int) -> Iterator[tuple[Step, GroundStep]]:
    execution = Execution(model, universe)
    vocabulary, objects = universe.vocabulary, sorted(universe.objects)
    found = []
    for name, action in sorted(model.action.items()):
        fitting = [
            [o.name for o in objects if vocabulary.fits(o.type, p.types)] for p in action.header.parameters
        ]
        for args in product(*fitting):
            if len(set(args)) == len(args):
                ground = ground_step(execution, step := Step(name, args))
                if ground is not None and not ground.needed & ground.forbidden:
                    found.append((step, ground))
    changing = 0
    for _, ground in found:
        for branch in ground.branches:
            changing |= branch.add | branch.delete
    for step, ground in found:
        if not (ground.needed & ~changing & ~initial) and not (ground.forbidden & ~changing & initial):
            yield step, ground
