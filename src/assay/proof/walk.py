"""What a walk says: the agent was left to itself, and every state on the way is shown.

So each step is an answer of its own, about a plan of that one step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from assay.core.query import PlanQuery, PlanResponse
from assay.core.universe import State
from assay.proof.grounding import Grounding
from assay.proof.slots import SlotAction, Variables
from assay.proof.testimony import Clause, Source, Testimony
from assay.store.journal import Entry


class Walk(Testimony):
    """All steps of a walk, as one answer."""

    def __init__(
        self,
        grounding: Grounding,
        variables: Variables,
        entry: Entry,
        answer: PlanResponse,
        states: Sequence[State],
    ) -> None:
        super().__init__(grounding, variables, entry, answer)
        self._steps = []
        for step, (before, after) in zip(self.plan, pairwise((entry.query.state, *states)), strict=True):
            one, ran = PlanQuery(before, (step,)), PlanResponse(1, after)
            self._steps.append(Testimony(grounding, variables, Entry(entry.number, one, ran), ran))

    @property
    def parts(self) -> Sequence[Testimony]:
        return self._steps

    def sources(self) -> list[Source]:
        return [s._replace(step=n) for n, each in enumerate(self._steps) for s in each.sources()]

    def plain(self, split: bool = False) -> Iterator[tuple[Source, Clause]]:
        for number, step in enumerate(self._steps):
            yield from ((s._replace(step=number), clause) for s, clause in step.plain(split))

    def objections(self, candidate: Mapping[str, SlotAction]) -> Iterator[tuple[Source, Clause]]:
        for number, step in enumerate(self._steps):
            yield from ((s._replace(step=number), clause) for s, clause in step.objections(candidate))
