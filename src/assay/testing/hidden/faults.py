"""Agents whose answers no model over their vocabulary explains: what a learner should notice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from assay.core.query import PlanQuery, Response
from assay.core.symbols import Step
from assay.testing.hidden.agent import HiddenAgent
from assay.testing.hidden.world import Facts, World

USES = 40
"""Runs of one action after which a worn agent refuses it."""
NOISE = 0.02
"""Share of the steps that a noisy agent refuses although they would run, or leaves without effect."""
HONEST = 60
"""Questions that a liar answers before it begins to lie."""
TIRED = 3
"""Every run with this number within one question is without effect, where a counter is hidden."""


class WornAgent(HiddenAgent):
    """Refuses an action that ran too often, over all questions."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # those of HiddenAgent
        self._used: Counter[str] = Counter()

    def after(self, world: World, facts: Facts, step: Step) -> Facts | None:
        found = super().after(world, facts, step)
        if found is not None:
            self._used[step.action] += 1
        return None if self._used[step.action] > USES else found


class CountingAgent(HiddenAgent):
    """Every third run of an action in a question changes nothing: the state does not show the count."""

    def run(self, world: World, facts: Facts, plan: tuple[Step, ...]) -> Iterator[Facts]:
        ran: Counter[str] = Counter()
        for step in plan:
            after = self.after(world, facts, step)
            if after is None:
                return
            ran[step.action] += 1
            facts = facts if ran[step.action] % TIRED == 0 else after
            yield facts


class NoisyAgent(HiddenAgent):
    """Now and then a step that would run is refused, or has no effect, by chance."""

    def ask(self, query: PlanQuery, /) -> Response:
        self._rng = random.Random(self.questions)
        return super().ask(query)

    def after(self, world: World, facts: Facts, step: Step) -> Facts | None:
        found = super().after(world, facts, step)
        if found is None or self._rng.random() >= NOISE:
            return found
        return facts if self._rng.random() < 0.5 else None


class LyingAgent(HiddenAgent):
    """From some question on it refuses the first action wherever the state has an even number of facts."""

    def after(self, world: World, facts: Facts, step: Step) -> Facts | None:
        found = super().after(world, facts, step)
        lies = self.questions > HONEST and step.action == self.vocabulary.actions[0].name
        return None if lies and len(facts) % 2 == 0 else found


FAULTS: dict[str, type[HiddenAgent]] = {
    "hidden counter": CountingAgent,
    "wear": WornAgent,
    "noise": NoisyAgent,
    "late lies": LyingAgent,
}
