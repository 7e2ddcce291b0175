"""The baseline of AIA-20 section 3: every action in every state over its own lifted atoms.

One question per action and valuation, each with a plan of one step. It learns every conjunctive model that
has a state to run in, and it needs exponentially many questions to do so; nothing learned on the way makes
it skip one. With too few objects of the agent's own, and no new ones allowed, an action is left open.
"""

from __future__ import annotations

from assay.core.query import Start
from assay.core.setting import Setting
from assay.errors import InputError
from assay.learn.finding import Asking
from assay.planning.stage import staged, staged_step
from assaylab.strategies.conjunctive import ConjunctiveStrategy

MOST_ATOMS = 16
"""Lifted atoms of an action for which 2^n questions are still asked: 65,536."""


class Naive(ConjunctiveStrategy):
    def __init__(self, setting: Setting, tells_states: bool) -> None:
        super().__init__(setting, tells_states)
        if setting.profile.start is not Start.ANY:
            raise InputError(
                "the naive strategy sets every state itself; "
                f"this run allows start {setting.profile.start.value!r}"
            )
        sizes = {name: len(record.atoms) for name, record in self.records.items()}
        for name, size in sizes.items():
            if size > MOST_ATOMS:
                total = sum(1 << n for n in sizes.values())
                raise InputError(
                    f"the naive strategy would need 2^{size} = {1 << size:,} questions for action {name!r} "
                    f"alone ({total:,} in all); it is meant for actions of at most {MOST_ATOMS} lifted atoms"
                )

    def _interrogate(self) -> Asking:
        for name, record in self.records.items():
            step = staged_step(self.universe, self.setting.profile, name)
            if step is not None:
                for valuation in range(1 << len(record.atoms)):
                    yield from self._ask(staged(self.universe, step, valuation).state, (step,))
