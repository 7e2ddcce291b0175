"""update_pal_ordering (AIA-21 section 3.4, repaired): why was a step refused?"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from assay.core.symbols import Step
from assay.core.universe import State
from assay.knowledge.knowledge import Knowledge
from assay.planning.grounding import Situation
from assay.planning.stage import staged, valuation
from assay.strategies.aia.dialogue import Asking, Dialogue
from assay.strategies.aia.situations import Situations

TRIES = 60
"""Refusals after which an action that never ran is given up."""

TRIES_A_VISIT = 12
"""Refusals after which it is left alone until the others have been looked at."""


class Update:
    def __init__(
        self, knowledge: Knowledge, situations: Situations, dialogue: Dialogue, rng: random.Random
    ) -> None:
        self._knowledge, self._universe = knowledge, knowledge.universe
        self._situations, self._dialogue, self._rng = situations, dialogue, rng

    def explain(self, step: Step, state: State) -> Asking:
        """From a state where the action runs towards the one where it was refused, atom by atom."""
        action, dossier, dialogue = step.action, self._knowledge.dossiers[step.action], self._dialogue
        if not dossier.ran:
            yield from self.first_run(action)
        if not dossier.ran or not self._situations.editable:
            return
        if not dialogue.witnesses[action]:
            yield from dialogue.look_closer(action)
        needs, refused = dossier.precondition, valuation(self._universe, step, state.bits)
        nearest = dialogue.nearest(action, refused)
        if nearest is None:
            return
        witness, suspects = nearest
        for atom in suspects:
            if needs.need_true & ~refused or needs.need_false & refused:
                return
            values = witness.valuation ^ 1 << atom
            if needs.open >> atom & 1 and values not in dialogue.tried[action]:
                place = staged(self._universe, witness.step, values, witness.state.bits)
                yield from dialogue.ask(place, (witness.step,))

    def first_run(self, action: str) -> Asking:
        """Look for a state in which an action runs at all."""
        tried, dossier = self._dialogue.tried[action], self._knowledge.dossiers[action]
        most = min(TRIES, len(tried) + TRIES_A_VISIT)
        for place, step in self._candidates(action):
            if dossier.ran or len(tried) >= most:
                return
            if self._dialogue.is_news(step, place.state.bits):
                yield from self._dialogue.ask(place, (step,))

    def _candidates(self, action: str) -> Iterator[tuple[Situation, Step]]:
        """All atoms true; then, by turns, two steps in S and a state made up."""
        if (stage := self._situations.stage(action)) is not None:
            yield stage
        in_s, made_up = self._in_s(action), self._made_up(action)
        while some := [*islice(in_s, 2), *islice(made_up, 1)]:
            yield from some

    def _in_s(self, action: str) -> Iterator[tuple[Situation, Step]]:
        """Steps in states of S, most atoms true first, one for each valuation."""
        distinct: dict[int, tuple[Situation, Step]] = {}
        for place in self._situations.real:
            for step in self._situations.grounding.steps(place, action).steps:
                distinct.setdefault(valuation(self._universe, step, place.state.bits), (place, step))
        for values in sorted(distinct, key=lambda v: -v.bit_count()):
            yield distinct[values]

    def _made_up(self, action: str) -> Iterator[tuple[Situation, Step]]:
        """No atom true; then, by turns, two states with all but one true and one at random."""
        if (stage := self._situations.stage(action)) is None:
            return
        step, size = stage[1], len(self._knowledge.dossiers[action].atoms)
        yield staged(self._universe, step, 0), step
        but_one = iter(self._rng.sample(range(size), size))
        for _ in range(10 * TRIES):
            for atom in islice(but_one, 2):
                yield staged(self._universe, step, ((1 << size) - 1) ^ 1 << atom), step
            yield staged(self._universe, step, self._rng.getrandbits(size) if size else 0), step
