"""The state space of a model, and of which steps a learned model speaks.

It was learned from steps whose arguments are different things and no constants. What a step does that names
one thing twice, or a constant, nobody asked, unless the agent declared that its actions do not mind, or the
parameters that must differ were learned, too. So a search that finds no plan among the other steps proves
less than it seems: it is repeated with all steps, and what only those find is told as a guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Step
from assay.core.universe import Universe
from assay.errors import InputError
from assay.planning.applicable import Applicable

OTHER_STEPS = "steps that name one thing twice or a constant"


@dataclass(frozen=True, slots=True)
class Scope:
    free: frozenset[str] = frozenset()
    """Actions that may be given any arguments."""
    equality: bool = False
    """Whether the model says of every action which parameters must differ."""

    @classmethod
    def everything(cls, model: Model) -> Scope:
        return cls(frozenset(model.action))

    def covers(self, universe: Universe, step: Step) -> bool:
        """Whether the answers that the model was learned from say anything about such a step."""
        if step.action in self.free:
            return True
        constants = {c.name for c in universe.vocabulary.constants}
        return constants.isdisjoint(step.args) and (self.equality or len(set(step.args)) == len(step.args))


class StateSpace:
    """What the steps in the scope lead to; without a scope the model speaks of all steps."""

    def __init__(self, model: Model, universe: Universe, scope: Scope | None = None) -> None:
        for action in model.actions:
            if any(len(case.outcomes) > 1 for case in action.cases):
                raise InputError(f"a search needs one outcome, and {action.header.name!r} may have several")
        self.execution = Execution(model, universe)
        self._scope = scope or Scope.everything(model)
        twice = model.action if self._scope.equality else self._scope.free
        self._applicable = Applicable(self.execution, bool(self._scope.free), twice)

    def successors(self, bits: int) -> Iterator[tuple[Step, int]]:
        """The steps that change the state, each with the state after it."""
        for step in self._applicable.steps(bits):
            if self._scope.covers(self.execution.universe, step):
                after = self.execution.apply(bits, step)
                if after is not None and after != bits:
                    yield step, after
