"""Variational distances of a model from the truth (QACE section 2, Eq. 1, and section 6).

- *exact*: Eq. 1, the mean of |P_truth(s'|s,c) - P_model(s'|s,c)| over executions <s,c,s'> of the truth. The
  mean over s' is taken exactly, over the situations <s,c> it is that of the test cases.
- *sampled*: the approximation the paper uses for GLIB, the share of executions <s,c,s'> in which a draw from
  the model differs from s'. It is not zero for a perfect model, so the truth's own value stands beside it.
- *full*: like the exact one, with refusals: being refused is an outcome of its own. Every capability weighs
  the same, half of it in situations in which it runs, half in those in which exactly one literal of its
  precondition is missing, each in turn. A model without preconditions is half wrong here, and perfect by
  Eq. 1.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from assay.core.execution import Execution
from assay.core.model import Model
from assay.pddl.reader import Problem
from assay.scoring.cases import (
    Case,
    balanced_cases,
    check_comparable,
    made_up_cases,
    natural_cases,
    refused_cases,
)
from assay.scoring.correctness import Correctness, correctness

EXECUTIONS = 3500
"""Executions in the test set, as in the paper."""


@dataclass(frozen=True, slots=True)
class CapabilityScore:
    running: float
    """Distance where the truth runs the capability."""
    refused: float | None
    """Distance where one literal is missing; None if the capability needs nothing."""

    @property
    def full(self) -> float:
        return self.running if self.refused is None else (self.running + self.refused) / 2


@dataclass(frozen=True, slots=True)
class Score:
    exact: float
    sampled: float
    sampled_truth: float
    """The sampled distance of the truth from itself."""
    full: float
    capabilities: Mapping[str, CapabilityScore]
    correctness: Correctness
    executions: int
    """Test executions that exact and sampled distance are means over."""

    @property
    def correct(self) -> bool:
        """Sound and complete; probabilities aside."""
        return self.correctness.sound and self.correctness.complete


class Examiner:
    """A truth with its test cases, drawn once, for any number of models."""

    def __init__(
        self, truth: Model, problems: Sequence[Problem] = (), seed: int = 0, executions: int = EXECUTIONS
    ) -> None:
        self._truth, self._seed = truth, seed
        rng = random.Random(f"{seed} cases")
        if problems:
            self._natural = natural_cases(truth, problems, executions, rng)
        else:
            each = max(1, executions // max(1, len(truth.action)))
            names = sorted(truth.action)
            self._natural = [case for name in names for case in made_up_cases(truth, name, each, rng)]
        self._balanced = balanced_cases(truth, self._natural, rng)
        self._refused = [lacking for case in self._balanced for lacking in refused_cases(case)]

    def score(self, model: Model) -> Score:
        check_comparable(model, self._truth)
        candidate, truth = _Judge(model), _Judge(self._truth)
        capabilities = self._by_capability(candidate)
        return Score(
            _mean([candidate.distance(case) for case in self._natural]),
            candidate.sampled(self._natural, random.Random(f"{self._seed} draws")),
            truth.sampled(self._natural, random.Random(f"{self._seed} draws")),
            _mean([c.full for c in capabilities.values()]),
            capabilities,
            correctness(model, self._truth),
            len(self._natural),
        )

    def full(self, model: Model) -> float:
        """The full distance alone."""
        return _mean([c.full for c in self._by_capability(_Judge(model)).values()])

    def _by_capability(self, judge: _Judge) -> dict[str, CapabilityScore]:
        running = judge.means(self._balanced)
        refused = judge.means(self._refused)
        return {name: CapabilityScore(mean, refused.get(name)) for name, mean in running.items()}


class _Judge:
    """A model's word on test cases, compiled once per world."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._worlds: dict[Execution, Execution] = {}

    def _after(self, case: Case) -> Mapping[int, float] | None:
        if case.step.action not in self._model.action:
            return None
        return self._in(case).after(case.bits, case.step)

    def _in(self, case: Case) -> Execution:
        if case.truth not in self._worlds:
            self._worlds[case.truth] = Execution(self._model, case.truth.universe)
        return self._worlds[case.truth]

    def distance(self, case: Case) -> float:
        """The expected difference in probability of what the truth does there."""
        mine = self._after(case)
        if case.after is None:
            return 0.0 if mine is None else 1.0
        return sum(p * abs(p - (mine or {}).get(state, 0.0)) for state, p in case.after.items())

    def means(self, cases: Sequence[Case]) -> dict[str, float]:
        """The mean distance per capability."""
        found: dict[str, list[float]] = {}
        for case in cases:
            found.setdefault(case.step.action, []).append(self.distance(case))
        return {name: fmean(values) for name, values in found.items()}

    def sampled(self, cases: Sequence[Case], rng: random.Random) -> float:
        """How often one draw from the truth and one from the model are not the same state."""
        differing = 0
        for case in cases:
            seen = case.truth.draw(case.bits, case.step, rng)
            known = case.step.action in self._model.action
            said = self._in(case).draw(case.bits, case.step, rng) if known else None
            differing += seen != said
        return differing / len(cases) if cases else 0.0


def score(
    model: Model,
    truth: Model,
    problems: Sequence[Problem] = (),
    *,
    seed: int = 0,
    executions: int = EXECUTIONS,
) -> Score:
    """How far the model is from the truth, on problems with known beginnings or in states made up."""
    return Examiner(truth, problems, seed, executions).score(model)


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
