"""Which steps a learned model speaks of.

It was learned from steps whose arguments are different things and no constants. What a step does that names
one thing twice, or a constant, nobody asked, unless the agent declared that its actions do not mind, or the
parameters that must differ were learned, too. So a search that finds no plan among the other steps proves
less than it seems: it is repeated with all steps, and what only those find is told as a guess.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from assay.core.model import Execution, Model, distinct_arguments
from assay.core.symbols import Step
from assay.core.universe import Universe
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
        if step.action in self.free or distinct_arguments(universe, step):
            return True
        constants = {c.name for c in universe.vocabulary.constants}
        return self.equality and constants.isdisjoint(step.args)


class Steps:
    """The steps that run in a state: those in the scope, or without one all that have different arguments."""

    def __init__(self, execution: Execution, scope: Scope | None) -> None:
        self._universe, self._scope = execution.universe, scope
        twice: Collection[str] = ()
        if scope is not None:
            twice = execution.model.action if scope.equality else scope.free
        self._applicable = Applicable(execution, scope is None or bool(scope.free), twice)

    def __call__(self, bits: int) -> Iterator[Step]:
        for step in self._applicable.steps(bits):
            if self._scope is None or self._scope.covers(self._universe, step):
                yield step
