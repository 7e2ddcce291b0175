"""What was asked so far, and in which known states each action ran."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from assay.core.query import Invalid, PlanQuery, Response
from assay.core.symbols import Step
from assay.core.universe import State, indices
from assay.knowledge.knowledge import Knowledge
from assay.planning.grounding import Situation
from assay.planning.stage import valuation
from assay.strategies.aia.lattice import certain_to_fail
from assay.strategies.aia.situations import Situations

Asking = Generator[PlanQuery, Response, None]


class Witness(NamedTuple):
    """A run from a known state."""

    state: State
    step: Step
    valuation: int


class Dialogue:
    def __init__(self, knowledge: Knowledge, situations: Situations) -> None:
        self._knowledge, self._universe, self._situations = knowledge, knowledge.universe, situations
        self.witnesses: dict[str, list[Witness]] = {name: [] for name in knowledge.dossiers}
        self.tried: dict[str, set[int]] = {name: set() for name in knowledge.dossiers}
        """Valuations under which each action was asked for, with known outcome or rejected."""
        self.asked: set[tuple[int, tuple[Step, ...]]] = set()
        self._glimpses: dict[str, PlanQuery] = {}

    def ask(self, place: Situation, plan: tuple[Step, ...]) -> Generator[PlanQuery, Response, Response]:
        response = yield PlanQuery(place.state, plan)
        self.asked.add((place.state.bits, plan))
        first = valuation(self._universe, plan[0], place.state.bits)
        self.tried[plan[0].action].add(first)
        if isinstance(response, Invalid):
            return response
        if response.steps:
            self.witnesses[plan[0].action].append(Witness(place.state, plan[0], first))
            self._situations.reached(place, response.state)
        for number, step in enumerate(plan[: response.steps]):
            self._glimpses.setdefault(step.action, PlanQuery(place.state, plan[: number + 1]))
        if response.steps < len(plan):
            refused = plan[response.steps]
            self.tried[refused.action].add(valuation(self._universe, refused, response.state.bits))
        return response

    def look_closer(self, action: str) -> Asking:
        """Ask for the state before an action that was only seen to run in the middle of a plan."""
        query = self._glimpses[action]
        *prefix, step = query.plan
        response = yield PlanQuery(query.state, tuple(prefix))
        if not isinstance(response, Invalid):
            values = valuation(self._universe, step, response.state.bits)
            self.witnesses[action].append(Witness(response.state, step, values))

    def is_news(self, step: Step, bits: int) -> bool:
        """Whether the outcome of a step in this state is neither known nor certain."""
        values = valuation(self._universe, step, bits)
        dossier = self._knowledge.dossiers[step.action]
        return values not in self.tried[step.action] and not certain_to_fail(dossier, values)

    def nearest(self, action: str, refused: int) -> tuple[Witness, list[int]] | None:
        """The run most like a refusal, and the undecided atoms in which they differ."""
        if not self.witnesses[action]:
            return None
        dossier = self._knowledge.dossiers[action]
        undecided = dossier.precondition.open & dossier.atom_mask
        best = min(self.witnesses[action], key=lambda w: ((w.valuation ^ refused) & undecided).bit_count())
        return best, indices((best.valuation ^ refused) & undecided)
