"""Steps of conjunctive models as masks, for loops that run through very many states.

`core.execution` runs all of ADL; here what a step needs is two masks, and each outcome is two more.
"""

from __future__ import annotations

from typing import NamedTuple

from assay.core.execution import Branch, Execution
from assay.core.symbols import Step
from assay.errors import InputError


class Masks(NamedTuple):
    """One outcome."""

    add: int
    delete: int
    probability: float


class GroundStep(NamedTuple):
    needed: int
    forbidden: int
    branches: tuple[Masks, ...]

    def runs(self, bits: int) -> bool:
        return bits & self.needed == self.needed and not bits & self.forbidden


def ground_step(execution: Execution, step: Step) -> GroundStep | None:
    """The step's masks, or None if the arguments themselves rule it out."""
    action = execution.model.action.get(step.action)
    if action is not None and not action.is_conjunctive:
        raise InputError(f"action {step.action!r} is not plain STRIPS, which is wanted here")
    needs, (case,) = execution.ground(step)
    if needs.parts:  # what a conjunction of literals leaves is two arguments that should differ and do not
        return None
    return GroundStep(needs.true, needs.false, tuple(map(_masks, case.branches)))


def _masks(branch: Branch) -> Masks:
    add = delete = 0
    for _, adds, deletes in branch.effects:
        add, delete = add | adds, delete | deletes
    return Masks(add, delete, branch.probability)
