"""The baseline of AIA-20 section 3: every action in every state over its own lifted atoms.

One question per action and valuation, each with a plan of one step. It learns every model that has a
state to run in, and it needs exponentially many questions to do so; nothing learned on the way makes it
skip one. With too few objects of the agent's own, and no new ones allowed, an action is left open.
"""

from __future__ import annotations

from collections.abc import Generator

from assay.core.query import PlanQuery, Response, Start
from assay.errors import InputError
from assay.knowledge.knowledge import Knowledge
from assay.planning.stage import staged, staged_step

MOST_ATOMS = 16


def naive(knowledge: Knowledge) -> Generator[PlanQuery, Response, None]:
    profile, universe = knowledge.setting.profile, knowledge.universe
    if profile.start is not Start.ANY:
        raise InputError(
            f"the naive strategy sets every state itself; this run allows start {profile.start.value!r}"
        )
    sizes = {a.name: len(knowledge.vocabulary.lifted_atoms(a.name)) for a in knowledge.vocabulary.actions}
    for name, size in sizes.items():
        if size > MOST_ATOMS:
            raise InputError(
                f"the naive strategy would need 2^{size} = {1 << size:,} questions for action {name!r} alone "
                f"({sum(1 << n for n in sizes.values()):,} in all); it is meant for actions of at most "
                f"{MOST_ATOMS} lifted atoms"
            )
    for name, size in sizes.items():
        step = staged_step(universe, profile, name)
        if step is None:
            continue
        for valuation in range(1 << size):
            yield PlanQuery(staged(universe, step, valuation).state, (step,))
