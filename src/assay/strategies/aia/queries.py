"""Query generation (AIA-21 Algorithm 2): from a pair of modes to questions that separate them.

Algorithm 2 takes the first state of S from which there is a plan. Here single steps from anywhere in S
come first, because every step more is one more that the agent may refuse; then longer plans; then, if
states may be edited, a state in which the action is known to run, with the slot's atom changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from assay.core.symbols import Step
from assay.knowledge.knowledge import Knowledge
from assay.planning.abstract import Refinement
from assay.planning.distinguish import Compiler, Separation
from assay.planning.grounding import Situation, Steps
from assay.planning.planners import planner
from assay.planning.search import Plan
from assay.planning.stage import staged
from assay.strategies.aia.dialogue import Dialogue
from assay.strategies.aia.lattice import abstraction
from assay.strategies.aia.situations import Situations

DEEP = 3
"""States of S from which plans of more than one step are looked for."""

WIDE = 300
"""Ground actions beyond which such a plan has two steps at most."""

Question = tuple[Situation, tuple[Step, ...]]


class Queries:
    def __init__(self, knowledge: Knowledge, situations: Situations, dialogue: Dialogue) -> None:
        self._knowledge, self._situations, self._dialogue = knowledge, situations, dialogue
        self._plan = planner(knowledge.setting.planner)
        self._compiler = Compiler(knowledge.universe)

    def separating(self, refinement: Refinement) -> Iterator[Question]:
        """Questions that tell the two modes apart, each worked out when it is wanted."""
        action, setting = refinement.action, self._knowledge.setting
        if setting.planner == "builtin":
            for place in self._situations.for_action(action):
                if plan := self._search(refinement, place, 1):
                    yield place, plan
        for place in islice(self._situations.for_action(action), DEEP):
            if setting.max_plan != 1 and (plan := self._search(refinement, place, setting.max_plan)):
                yield place, plan
        if self._situations.editable and self._dialogue.witnesses[action]:
            place, step = self._edited(refinement)
            if plan := self._search(refinement, place, 1, step):
                yield place, plan

    def _search(
        self, refinement: Refinement, place: Situation, length: int | None, only: Step | None = None
    ) -> tuple[Step, ...]:
        """A plan not asked before, or none."""
        dossiers, refined = self._knowledge.dossiers, refinement.action
        actions = [refined]
        if length != 1:
            actions += [a for a, d in sorted(dossiers.items()) if d.ran and a != refined]
        grounding = self._situations.grounding
        steps = {a: grounding.steps(place, a) if only is None else Steps((only,), True) for a in actions}
        if length is None and sum(len(found.steps) for found in steps.values()) > WIDE:
            length = 2
        model = {a: abstraction(dossiers[a]) for a in actions}
        task = Separation(self._compiler, model, refinement, place, steps, self._dialogue.is_news)
        result = self._plan(task, length)
        if not isinstance(result, Plan) or (place.state.bits, result.steps) in self._dialogue.asked:
            return ()
        return result.steps

    def _edited(self, refinement: Refinement) -> tuple[Situation, Step]:
        """A run of the action with the slot's atom changed; for an effect, all that it does not need, too."""
        witness = self._dialogue.witnesses[refinement.action][-1]
        dossier = self._knowledge.dossiers[refinement.action]
        atoms = 1 << refinement.atom
        if refinement.effect:
            atoms |= dossier.atom_mask & ~dossier.precondition.suspects
        values = witness.valuation ^ atoms
        return staged(self._knowledge.universe, witness.step, values, witness.state.bits), witness.step
