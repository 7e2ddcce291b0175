"""AIA-21 Algorithm 1: slot by slot, pair of modes by pair of modes."""

from __future__ import annotations

import random

from assay.core.query import Invalid
from assay.core.symbols import Step
from assay.core.universe import State
from assay.knowledge.knowledge import Knowledge
from assay.planning.abstract import Refinement
from assay.planning.stage import valuation
from assay.strategies.aia.dialogue import Asking, Dialogue
from assay.strategies.aia.lattice import Slot, is_decided, modes_left, pairs, slots
from assay.strategies.aia.queries import Queries
from assay.strategies.aia.situations import Situations
from assay.strategies.aia.update import Update

PATIENCE = 3
"""States of S tried after a refusal before its cause is looked for one atom at a time."""


class Interrogation:
    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._rng = random.Random(knowledge.setting.seed)
        self._situations = Situations(knowledge, self._rng)
        self._dialogue = Dialogue(knowledge, self._situations)
        self._queries = Queries(knowledge, self._situations, self._dialogue)
        self._update = Update(knowledge, self._situations, self._dialogue, self._rng)
        self._parked: set[str] = set()

    def run(self) -> Asking:
        for name, dossier in sorted(self._knowledge.dossiers.items()):
            if not dossier.atoms:  # no slots, but whether it ever runs is still a question
                yield from self._update.first_run(name)
        queue = slots(self._knowledge)
        self._rng.shuffle(queue)
        while queue:
            before = self._progress()
            for slot in queue:
                yield from self._refine(slot)
            if self._parked:
                self._situations.extend()
            for action in sorted(self._parked):
                yield from self._update.first_run(action)
            if self._progress() == before:
                return
            self._parked = {a for a in self._parked if not self._knowledge.dossiers[a].ran}
            queue = [slot for slot in queue if not is_decided(self._knowledge, slot)]

    def _progress(self) -> tuple[int, int]:
        """What a pass may change: modes go, or another way to get a first run is crossed out."""
        return modes_left(self._knowledge), self._knowledge.searches

    def _refine(self, slot: Slot) -> Asking:
        """Tell the modes of a slot apart."""
        for refinement in pairs(self._knowledge, slot):
            if slot.action not in self._parked and refinement in pairs(self._knowledge, slot):
                yield from self._separate(slot, refinement)

    def _separate(self, slot: Slot, refinement: Refinement) -> Asking:
        refusals = 0
        for place, plan in self._queries.separating(refinement):
            response = yield from self._dialogue.ask(place, plan)
            if isinstance(response, Invalid):
                continue
            if response.steps == len(plan):
                return
            refused = plan[response.steps]
            refusals += 1
            if refusals > self._patience(refused, response.state):
                yield from self._update.explain(refused, response.state)
                if not self._knowledge.dossiers[refused.action].ran:
                    self._parked.add(refused.action)
                return
            if refinement not in pairs(self._knowledge, slot):
                return

    def _patience(self, step: Step, state: State) -> int:
        """How many more states to try: the more atoms might be the cause of a refusal, the more."""
        refused = valuation(self._knowledge.universe, step, state.bits)
        nearest = self._dialogue.nearest(step.action, refused)
        return 0 if nearest is None else min(PATIENCE, len(nearest[1]) // 4)
