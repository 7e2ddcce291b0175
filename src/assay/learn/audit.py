"""Counterexamples from random situations, with a promise that holds over repeated rounds.

After n situations in which the model foretold rightly, it is wrong in at most a share e of all situations
drawn so, with confidence 1 - d, where e = ln(1/d_k) / n. In round k, after k - 1 counterexamples,
d_k = d / 2^k: the probabilities of error of all rounds add up to less than d (Angluin 1987).
"""

from __future__ import annotations

import random
from math import log

from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.query import PlanQuery, PlanResponse, Response
from assay.core.setting import Setting
from assay.core.symbols import Atom, Step
from assay.learn.features import Features, Numbering, Shape
from assay.learn.finding import Status, Strategy

CONFIDENCE = 0.95
MOST_OTHERS = 3
"""Other objects of each type in a random situation."""


class Audit:
    """Draws single steps in situations where every fact is true with probability one half."""

    def __init__(self, setting: Setting, strategy: Strategy, count: int) -> None:
        self._setting, self._strategy, self._count = setting, strategy, count
        self._numbering = Numbering(setting.profile.vocabulary)
        self.rounds, self.drawn, self._total = 1, 0, 0
        self._model: Model | None = None

    def next(self) -> PlanQuery | None:
        """The next situation, by how many were taken before; None when the round is over."""
        actions = sorted(self._known().action) if self.drawn < self._count else []
        if not actions:
            return None
        rng = random.Random(f"audit {self._setting.seed} {self._total}")
        return self._draw(rng, rng.choice(actions))

    def take(self, query: PlanQuery, response: Response) -> bool:
        """Counts the situation; whether the model foretold something else."""
        model = self._known()
        self.drawn, self._total = self.drawn + 1, self._total + 1
        if not isinstance(response, PlanResponse) or query.plan[0].action not in model.action:
            return False
        steps, state = Execution(model, query.state.universe).run(query.state, query.plan)
        return (steps, state) != (response.steps, response.state)

    def begin_again(self) -> None:
        self.rounds, self.drawn, self._model = self.rounds + 1, 0, None

    def bound(self) -> float:
        """The share of situations in which the model may still be wrong."""
        return min(1.0, log(2**self.rounds / (1 - CONFIDENCE)) / max(1, self.drawn))

    def _known(self) -> Model:
        if self._model is None:
            models = [
                f.model
                for f in self._strategy.findings()
                if f.model is not None and f.status is Status.LEARNED
            ]
            self._model = Model(self._setting.profile.vocabulary, tuple(models))
        return self._model

    def _draw(self, rng: random.Random, action: str) -> PlanQuery:
        header = self._setting.profile.vocabulary.action[action]
        features = Features(self._numbering, Shape(action, tuple(p.name for p in header.parameters)))
        universe = self._setting.universe.apart()
        objects = tuple(universe.made_up(t, n) for n, t in enumerate(features.types, start=1))
        facts: list[Atom] = list(features.atoms(rng.getrandbits(features.width), objects))
        made = list(objects)
        for kind in features.others:
            for number in range(rng.randint(0, MOST_OTHERS)):
                made.append(universe.made_up(kind, len(objects) + number + 1))
                width = len(features.profiles[kind])
                profile = (kind, rng.getrandbits(width))
                facts += features.profile_atoms(profile, made[-1], objects)
        step: Step = features.arguments(objects)
        return PlanQuery.bringing(universe.state(facts), (step,), made)
