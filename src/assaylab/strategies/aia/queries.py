"""Query generation (AIA-21 Algorithm 2): from a pair of modes to questions that separate them.

Algorithm 2 takes the first state of S from which there is a plan. Here single steps from anywhere in S come
first, because every step more is one more that the agent may refuse; then longer plans; then, if states may
be edited, a state in which the action is known to run, with the slot's atom changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import Universe
from assay.planning.abstract import Refinement
from assay.planning.distinguish import Compiler, Separation
from assay.planning.grounding import Situation, Steps
from assay.planning.planners import planner
from assay.planning.search import Plan
from assay.planning.stage import staged
from assaylab.strategies.aia.lattice import abstraction
from assaylab.strategies.aia.situations import Situations
from assaylab.strategies.conjunctive import ActionRecord

DEEP = 3
"""States of S from which plans of more than one step are looked for."""

WIDE = 300
"""Ground actions beyond which such a plan has two steps at most."""

Question = tuple[Situation, tuple[Step, ...]]


class Queries:
    """`is_news` says whether a step's outcome in a state is neither known nor certain."""

    def __init__(
        self,
        setting: Setting,
        universe: Universe,
        records: Mapping[str, ActionRecord],
        situations: Situations,
        is_news: Callable[[Step, int], bool],
    ) -> None:
        self._setting, self._universe, self._records = setting, universe, records
        self._situations, self._is_news = situations, is_news
        self._plan = planner(setting.planner)
        self._compiler = Compiler(universe)
        self._yielded: set[tuple[int, tuple[Step, ...]]] = set()

    def separating(self, refinement: Refinement) -> Iterator[Question]:
        """Questions that tell the two modes apart, each worked out when it is wanted."""
        action, longest = refinement.action, self._setting.max_plan
        if self._setting.planner == "builtin":
            for place in self._situations.for_action(action):
                if plan := self._search(refinement, place, 1):
                    yield place, plan
        for place in islice(self._situations.for_action(action), DEEP):
            if longest != 1 and (plan := self._search(refinement, place, longest)):
                yield place, plan
        if self._situations.editable and self._records[action].witnesses:
            place, step = self._edited(refinement)
            if plan := self._search(refinement, place, 1, step):
                yield place, plan

    def _search(
        self, refinement: Refinement, place: Situation, length: int | None, only: Step | None = None
    ) -> tuple[Step, ...]:
        """A plan not asked before, or none."""
        records, refined = self._records, refinement.action
        actions = [refined]
        if length != 1:
            actions += [
                a for a, r in sorted(records.items()) if r.space.ran and not r.trouble and a != refined
            ]
        grounding = self._situations.grounding
        steps = {a: grounding.steps(place, a) if only is None else Steps((only,), True) for a in actions}
        if length is None and sum(len(found.steps) for found in steps.values()) > WIDE:
            length = 2
        model = {a: abstraction(records[a].space) for a in actions}
        task = Separation(self._compiler, model, refinement, place, steps, self._is_news)
        result = self._plan(task, length)
        if not isinstance(result, Plan) or (place.state.bits, result.steps) in self._yielded:
            return ()
        self._yielded.add((place.state.bits, result.steps))
        return result.steps

    def _edited(self, refinement: Refinement) -> tuple[Situation, Step]:
        """A run of the action with the slot's atom changed; for an effect, all that it does not need, too."""
        record = self._records[refinement.action]
        witness, space = record.witnesses[-1], record.space
        atoms = 1 << refinement.atom
        if refinement.effect:
            atoms |= space.full & ~space.suspects
        values = witness.valuation ^ atoms
        return staged(self._universe, witness.step, values, witness.state.bits), witness.step
