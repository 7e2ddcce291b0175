"""AIA-21 Algorithm 1: slot by slot, pair of modes by pair of modes."""

from __future__ import annotations

import random

from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import indices
from assay.learn.finding import Asking
from assay.planning.abstract import Refinement
from assay.planning.grounding import Situation
from assay.planning.stage import staged, valuation
from assaylab.strategies.aia.first_run import POSITIVE, TRIES, TRIES_A_VISIT, VersionSample
from assaylab.strategies.aia.lattice import Slot, modes_left, pairs, slots
from assaylab.strategies.aia.queries import Queries
from assaylab.strategies.aia.situations import Situations
from assaylab.strategies.conjunctive import ActionRecord, ConjunctiveStrategy, Dialogue, Witness

PATIENCE = 3
"""States of S tried after a refusal before its cause is looked for one atom at a time."""


class AIA(ConjunctiveStrategy):
    def __init__(self, setting: Setting, tells_states: bool) -> None:
        super().__init__(setting, tells_states)
        self._rng = random.Random(setting.seed)
        offered = [self._own(state) for state in setting.offered]
        self._situations = Situations(setting, self.universe, offered, self.records, self._rng)
        self._tried: dict[str, set[int]] = {name: set() for name in self.records}
        """Valuations under which each action was asked for, with known outcome or rejected."""
        self._queries = Queries(setting, self.universe, self.records, self._situations, self._is_news)
        self._parked: set[str] = set()

    # ---- Algorithm 1

    def _interrogate(self) -> Asking:
        for name, record in self.records.items():
            if not record.atoms:  # no slots, but whether it ever runs is still a question
                yield from self._first_run(name)
        queue = slots(self.records)
        self._rng.shuffle(queue)
        while queue:
            before = self._progress()
            for slot in queue:
                yield from self._refine(slot)
            if self._parked:
                self._situations.extend()
            for action in sorted(self._parked):
                yield from self._first_run(action)
            if self._progress() == before:
                return
            self._parked = {a for a in self._parked if not self.records[a].space.ran}
            queue = [slot for slot in queue if pairs(self.records[slot.action], slot)]

    def _progress(self) -> tuple[int, int]:
        """What a pass may change: modes go, or another way to get a first run is crossed out."""
        idle = (name for name, record in self.records.items() if not record.space.ran)
        return modes_left(self.records.values()), sum(len(self._tried[name]) for name in idle)

    def _refine(self, slot: Slot) -> Asking:
        """Tells the modes of a slot apart."""
        record = self.records[slot.action]
        for refinement in pairs(record, slot):
            if slot.action not in self._parked and refinement in pairs(record, slot):
                yield from self._separate(slot, refinement)

    def _separate(self, slot: Slot, refinement: Refinement) -> Asking:
        refusals = 0
        for place, plan in self._queries.separating(refinement):
            refused, taken = yield from self._try(place, plan)
            if not taken:
                continue
            if refused is None:
                return
            step, values = refused
            refusals += 1
            if refusals > self._patience(step, values):
                yield from self._explain(step, values)
                if not self.records[step.action].space.ran:
                    self._parked.add(step.action)
                return
            if refinement not in pairs(self.records[slot.action], slot):
                return

    def _patience(self, step: Step, refused: int) -> int:
        """How many more states to try: the more atoms might be the cause of a refusal, the more."""
        nearest = _nearest(self.records[step.action], refused)
        return 0 if nearest is None else min(PATIENCE, len(nearest[1]) // 4)

    # ---- questions

    def _try(
        self, place: Situation, plan: tuple[Step, ...]
    ) -> Dialogue[tuple[tuple[Step, int] | None, bool]]:
        """Asks; the step that was refused with its valuation, and whether the agent took the question."""
        self._tried[plan[0].action].add(valuation(self.universe, plan[0], place.state.bits))
        response = yield from self._ask(place.state, plan)
        if response is None:
            return None, False
        state = self._own(response.state)
        if response.steps:
            self._situations.reached(place, state)
        if response.steps == len(plan):
            return None, True
        step = plan[response.steps]
        values = valuation(self.universe, step, state.bits)
        self._tried[step.action].add(values)
        return (step, values), True

    def _is_news(self, step: Step, bits: int) -> bool:
        """Whether the outcome of a step in this state is neither known nor certain."""
        values = valuation(self.universe, step, bits)
        return values not in self._tried[step.action] and not self.records[step.action].space.certain_to_fail(
            values
        )

    # ---- update_pal_ordering (AIA-21 section 3.4, repaired): why was a step refused?

    def _explain(self, step: Step, refused: int) -> Asking:
        """From a state where the action runs towards the one where it was refused, atom by atom."""
        action, space = step.action, self.records[step.action].space
        if not space.ran:
            yield from self._first_run(action)
        nearest = _nearest(self.records[action], refused)
        if nearest is None or not self._situations.editable:
            return
        witness, suspects = nearest
        for atom in suspects:
            if space.need_true & ~refused or space.need_false & refused:
                return
            values = witness.valuation ^ 1 << atom
            if space.open_needs >> atom & 1 and values not in self._tried[action]:
                place = staged(self.universe, witness.step, values, witness.state.bits)
                yield from self._try(place, (witness.step,))

    def _first_run(self, action: str) -> Asking:
        """Looks for a state in which an action runs: all atoms true, then by turns two in S, one made up."""
        tried, space = self._tried[action], self.records[action].space
        most = min(TRIES, len(tried) + TRIES_A_VISIT)
        turn = 0
        while not space.ran and len(tried) < most:
            candidate = self._candidate(action, turn)
            if candidate is None:
                return
            turn += 1
            place, step = candidate
            yield from self._try(place, (step,))

    @property
    def _odds(self) -> float:
        """How much likelier a literal is positive than negative, going by what actions are known to need."""
        spaces = [record.space for record in self.records.values()]
        positive = sum(space.need_true.bit_count() for space in spaces)
        return (POSITIVE + positive) / (1 + sum(space.need_false.bit_count() for space in spaces))

    def _candidate(self, action: str, turn: int) -> tuple[Situation, Step] | None:
        """By turns a step in S with most facts, one that most of the version space accepts, one made up."""
        tried, stage, real = self._tried[action], self._situations.stage(action), self._in_s(action)
        if stage is not None and self.records[action].space.full not in tried:
            return stage
        sample = VersionSample(len(self.records[action].atoms), tried, self._odds, self._rng)
        if stage is not None and (turn % 3 == 2 or not real):
            values = sample.made_up(turn % 9 == 8)
            if values is not None:
                return staged(self.universe, stage[1], values), stage[1]
        if not real:
            return None
        return real[sample.best(real) if turn % 3 else max(real, key=lambda own: (own.bit_count(), own))]

    def _in_s(self, action: str) -> dict[int, tuple[Situation, Step]]:
        """Steps in states of S that were not tried, one for each valuation."""
        distinct: dict[int, tuple[Situation, Step]] = {}
        for place in self._situations.real:
            for step in self._situations.grounding.steps(place, action).steps:
                values = valuation(self.universe, step, place.state.bits)
                if values not in self._tried[action]:
                    distinct.setdefault(values, (place, step))
        return distinct


def _nearest(record: ActionRecord, refused: int) -> tuple[Witness, list[int]] | None:
    """The run most like a refusal, and the undecided atoms in which they differ."""
    if not record.witnesses:
        return None
    undecided = record.space.open_needs
    best = min(record.witnesses, key=lambda w: ((w.valuation ^ refused) & undecided).bit_count())
    return best, indices((best.valuation ^ refused) & undecided)
