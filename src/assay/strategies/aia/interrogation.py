"""Algorithm 1 over the slots, query generation (Algorithm 2), and the update of the ordering (section 3.4)."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from itertools import islice
from typing import NamedTuple

from assay.core.query import Invalid, PlanQuery, PlanResponse, Response
from assay.core.symbols import Step
from assay.core.universe import State, indices
from assay.knowledge.knowledge import Knowledge
from assay.planning.abstract import Refinement
from assay.planning.distinguish import Compiler, Separation
from assay.planning.grounding import Situation, Steps
from assay.planning.planners import planner
from assay.planning.search import Plan
from assay.planning.stage import staged, valuation
from assay.strategies.aia.lattice import (
    Slot,
    abstraction,
    certain_to_fail,
    is_decided,
    modes_left,
    pairs,
    slots,
)
from assay.strategies.aia.situations import Situations

TRIES = 60
"""Refusals after which an action that never ran is given up."""

TRIES_A_VISIT = 12
"""Refusals after which it is parked until the others have been looked at."""

DEEP = 3
"""States of S from which plans of more than one step are looked for, per pair of modes."""

WIDE = 300
"""Where there are more ground actions than that, plans of more than two steps are not looked for."""

PATIENCE = 3
"""States of S tried after a refusal before its cause is looked for one atom at a time."""

Asking = Generator[PlanQuery, Response, None]


class Witness(NamedTuple):
    """An action seen to run in a known state."""

    state: State
    step: Step
    valuation: int


class Interrogation:
    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge, self._universe = knowledge, knowledge.universe
        self._rng = random.Random(knowledge.setting.seed)
        self._plan = planner(knowledge.setting.planner)
        self._compiler = Compiler(knowledge.universe)
        self._situations = Situations(knowledge, self._rng)
        self._witnesses: dict[str, list[Witness]] = {name: [] for name in knowledge.dossiers}
        self._glimpses: dict[str, PlanQuery] = {}
        self._tried: dict[str, set[int]] = {name: set() for name in knowledge.dossiers}
        self._asked: set[tuple[int, tuple[Step, ...]]] = set()
        self._parked: set[str] = set()

    def run(self) -> Asking:
        queue = slots(self._knowledge)
        self._rng.shuffle(queue)
        while queue:
            asked, left = len(self._asked), modes_left(self._knowledge)
            for slot in queue:
                yield from self._refine(slot)
            if len(self._asked) == asked or (modes_left(self._knowledge) == left and not self._parked):
                return
            queue = [slot for slot in queue if not is_decided(self._knowledge, slot)]
            if self._parked:
                self._parked.clear()
                self._situations.extend()

    def _refine(self, slot: Slot) -> Asking:
        """Tell the modes of a slot apart, pair by pair."""
        for refinement in pairs(self._knowledge, slot):
            if slot.action not in self._parked and refinement in pairs(self._knowledge, slot):
                yield from self._separate(slot, refinement)

    def _separate(self, slot: Slot, refinement: Refinement) -> Asking:
        refusals = 0
        for place, plan in self._queries(refinement):
            response = yield from self._ask(place, plan)
            if isinstance(response, Invalid):
                continue
            if response.steps == len(plan):
                return
            refused = plan[response.steps]
            refusals += 1
            if refusals > self._patience(refused, response.state):
                yield from self._update(refused, response.state)
                return
            if refinement not in pairs(self._knowledge, slot):
                return

    def _patience(self, step: Step, state: State) -> int:
        """How many more states to try: the more atoms might be the cause of a refusal, the more."""
        nearest = self._nearest(step.action, valuation(self._universe, step, state.bits))
        return 0 if nearest is None else min(PATIENCE, len(nearest[1]) // 4)

    # Algorithm 2

    def _queries(self, refinement: Refinement) -> Iterator[tuple[Situation, tuple[Step, ...]]]:
        """Questions that separate the two modes: single steps from anywhere in S, then plans, then edits."""
        action, setting = refinement.action, self._knowledge.setting
        if setting.planner == "builtin":
            for place in self._situations.for_action(action):
                if plan := self._separating(refinement, place, 1):
                    yield place, plan
        for place in islice(self._situations.for_action(action), DEEP):
            if setting.max_plan != 1 and (plan := self._separating(refinement, place, setting.max_plan)):
                yield place, plan
        if self._situations.editable and self._witnesses[action]:
            place, step = self._edited(refinement)
            if plan := self._separating(refinement, place, 1, step):
                yield place, plan

    def _separating(
        self, refinement: Refinement, place: Situation, length: int | None, only: Step | None = None
    ) -> tuple[Step, ...]:
        """A plan not asked before that tells the two modes apart, or none."""
        knowledge, refined = self._knowledge, refinement.action
        actions = [refined]
        if length != 1:
            actions += [a for a, d in sorted(knowledge.dossiers.items()) if d.ran and a != refined]
        grounding = self._situations.grounding
        steps = {a: grounding.steps(place, a) if only is None else Steps((only,), True) for a in actions}
        if length is None and sum(len(found.steps) for found in steps.values()) > WIDE:
            length = 2
        task = Separation(
            self._compiler,
            {a: abstraction(knowledge.dossiers[a]) for a in actions},
            refinement,
            place,
            steps,
            self._is_news,
        )
        result = self._plan(task, length)
        if not isinstance(result, Plan) or (place.state.bits, result.steps) in self._asked:
            return ()
        return result.steps

    def _is_news(self, step: Step, bits: int) -> bool:
        """Whether the outcome of a step in this state is neither known nor certain."""
        values = valuation(self._universe, step, bits)
        dossier = self._knowledge.dossiers[step.action]
        return values not in self._tried[step.action] and not certain_to_fail(dossier, values)

    def _edited(self, refinement: Refinement) -> tuple[Situation, Step]:
        """A run of the action, changed: in the slot itself, or for an effect in all that it does not need."""
        witness = self._witnesses[refinement.action][-1]
        dossier = self._knowledge.dossiers[refinement.action]
        atoms = 1 << refinement.atom
        if refinement.effect:
            atoms |= dossier.atom_mask & ~dossier.precondition.suspects
        return self._flipped(witness, atoms), witness.step

    def _flipped(self, witness: Witness, atoms: int) -> Situation:
        return staged(self._universe, witness.step, witness.valuation ^ atoms, witness.state.bits)

    # update_pal_ordering

    def _update(self, step: Step, state: State) -> Asking:
        """Find out why a step was refused, starting from a state where its action runs."""
        action, needs = step.action, self._knowledge.dossiers[step.action].precondition
        if not self._knowledge.dossiers[action].ran:
            yield from self._first_run(action)
            if not self._knowledge.dossiers[action].ran:
                self._parked.add(action)
                return
        if not self._situations.editable:
            return
        if not self._witnesses[action]:
            yield from self._look_closer(action)
        refused = valuation(self._universe, step, state.bits)
        nearest = self._nearest(action, refused)
        if nearest is None:
            return
        witness, suspects = nearest
        for atom in suspects:
            if needs.need_true & ~refused or needs.need_false & refused:
                return
            if needs.open >> atom & 1 and witness.valuation ^ 1 << atom not in self._tried[action]:
                yield from self._ask(self._flipped(witness, 1 << atom), (witness.step,))

    def _nearest(self, action: str, refused: int) -> tuple[Witness, list[int]] | None:
        """The run most like a refusal, and the undecided atoms in which they differ."""
        dossier = self._knowledge.dossiers[action]
        undecided = dossier.precondition.open & dossier.atom_mask
        if not self._witnesses[action]:
            return None
        best = min(self._witnesses[action], key=lambda w: ((w.valuation ^ refused) & undecided).bit_count())
        return best, indices((best.valuation ^ refused) & undecided)

    def _look_closer(self, action: str) -> Asking:
        """Ask for the state in which an action ran in the middle of a plan."""
        query = self._glimpses[action]
        *prefix, step = query.plan
        response = yield PlanQuery(query.state, tuple(prefix))
        if isinstance(response, PlanResponse):
            values = valuation(self._universe, step, response.state.bits)
            self._witnesses[action].append(Witness(response.state, step, values))

    def _first_run(self, action: str) -> Asking:
        """Look for a state in which an action runs at all."""
        tried, dossier = self._tried[action], self._knowledge.dossiers[action]
        start = len(tried)
        for place, step in self._candidates(action):
            if dossier.ran or len(tried) >= TRIES or len(tried) - start >= TRIES_A_VISIT:
                return
            if self._is_news(step, place.state.bits):
                yield from self._ask(place, (step,))

    def _candidates(self, action: str) -> Iterator[tuple[Situation, Step]]:
        stage = self._situations.stage(action)
        if stage is not None:
            yield stage
        ranked = [
            (-valuation(self._universe, step, place.state.bits).bit_count(), number, place, step)
            for number, place in enumerate(self._situations.real)
            for step in self._situations.grounding.steps(place, action).steps[:5]
        ]
        for _, _, place, step in sorted(ranked, key=lambda entry: entry[:2]):
            yield place, step
        if stage is not None:
            step, size = stage[1], len(self._knowledge.dossiers[action].atoms)
            full = (1 << size) - 1
            for atom in self._rng.sample(range(size), size):
                yield staged(self._universe, step, full ^ 1 << atom), step
            for _ in range(1000):
                yield staged(self._universe, step, self._rng.getrandbits(size) if size else 0), step

    def _ask(self, place: Situation, plan: tuple[Step, ...]) -> Generator[PlanQuery, Response, Response]:
        query = PlanQuery(place.state, plan)
        response = yield query
        self._asked.add((place.state.bits, plan))
        first = valuation(self._universe, plan[0], place.state.bits)
        self._tried[plan[0].action].add(first)
        if isinstance(response, Invalid):
            return response
        if response.steps:
            self._witnesses[plan[0].action].append(Witness(place.state, plan[0], first))
            self._situations.reached(place, response.state)
        for number, step in enumerate(plan[1 : response.steps], start=1):
            self._glimpses.setdefault(step.action, PlanQuery(place.state, plan[: number + 1]))
        if response.steps < len(plan):
            self._tried[plan[response.steps].action].add(
                valuation(self._universe, plan[response.steps], response.state.bits)
            )
        return response
