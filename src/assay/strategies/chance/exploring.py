"""Exploration step by step: an agent that goes where it is led, one execution a question.

What to do next is said by the explorer; the walk goes on in the state that the step led to, and begins anew
in one of the states that the agent offers after so many steps. This is the setting of GLIB, whose
environment runs in episodes. It has no end of its own. Questions start in the state reached last, so that the
agent must be one that can be put back there.

`Wandering` is the baseline: a capability drawn at random, on objects drawn at random.
"""

from __future__ import annotations

import random
from typing import Protocol

from assay.core.model import Model
from assay.core.policy import PolicyQuery
from assay.core.query import Invalid, Start
from assay.core.symbols import Step
from assay.errors import InputError
from assay.knowledge.experience import Experience
from assay.strategies.chance import Questions
from assay.strategies.chance.partial_model import PartialModel
from assay.strategies.chance.pool import Pool

EPISODE = 25
"""Steps from one beginning."""


class Explorer(Protocol):
    def step(self, bits: int) -> Step:
        """What to do there."""
        ...

    def begin(self) -> None:
        """A walk begins anew."""
        ...


def explore(experience: Experience, explorer: Explorer, rng: random.Random) -> Questions:
    setting = experience.setting
    if setting.aims is None or setting.aims.precision is not None:
        raise InputError(f"strategy {setting.strategy!r} has no end of its own: say how many samples it gets")
    if setting.profile.start is Start.RESET or not setting.offered:
        raise InputError(
            f"strategy {setting.strategy!r} goes on where the last step led: it needs an agent that can be "
            "put back into states it has been in, and that offers one to begin with"
        )
    while True:
        here = rng.choice(setting.offered)
        explorer.begin()
        for _ in range(EPISODE):
            step = explorer.step(here.bits)
            response = yield PolicyQuery.trial(here, step)
            if isinstance(response, Invalid):
                break
            here = response.traces[-1].states[-1] if response.traces else here


class Draw:
    """Steps at random: first a capability, then its objects."""

    def __init__(self, experience: Experience, rng: random.Random) -> None:
        self.steps = {name: steps for name, steps in Pool(experience).steps.items() if steps}
        self._rng = rng
        if not self.steps:
            raise InputError("the agent's objects do not suffice for any of its capabilities")

    def begin(self) -> None:
        pass

    def step(self, bits: int) -> Step:
        return self._rng.choice(self.steps[self._rng.choice(sorted(self.steps))])


class Wandering:
    """Random exploration; the model is the one that explains what was seen, as for `qace`."""

    def __init__(self, experience: Experience) -> None:
        self._experience = experience
        self._partial = PartialModel(experience)

    def questions(self) -> Questions:
        rng = random.Random(f"{self._experience.setting.seed} random")
        yield from explore(self._experience, Draw(self._experience, rng), rng)

    def model(self) -> Model:
        return self._partial.estimate()
