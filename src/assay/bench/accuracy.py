"""How fast a model becomes right, question by question (AIA-21 Fig. 4).

Accuracy is the share of palm tuples learned correctly: a slot counts when its mode is settled, or proved
indistinguishable from the others left, and is the one that the normalised truth has. A learner from
observations asks nothing; one random trace of three steps counts as one of its questions, and its model
is read as it stands, guesses included.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assay.agents.model import ModelAgent
from assay.bench.observational import LEARNER, Trace, learn
from assay.bench.plot import Chart, Line
from assay.bench.problems import load
from assay.core.execution import Execution
from assay.core.model import ActionModel, Model
from assay.core.query import PlanQuery, WalkQuery, offered_states
from assay.core.setting import OFFERED
from assay.core.symbols import Step
from assay.core.universe import Universe, bits_of
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.old_assessment import assess
from assay.old_result import Costs
from assay.planning.applicable import Applicable
from assay.scoring.normal_form import normalised_action

LENGTH = 3
"""Steps of a random trace, as in AIA-21 section 4."""

DENSE, GROWTH = 20, 1.15
"""A learner from observations starts anew for each number of traces: every number up to the first, then in
steps of this ratio."""

CHECKPOINTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Numbers of questions shown in the table."""


class Modes(NamedTuple):
    """An action's literals as bitmasks over its lifted atoms."""

    need_true: int
    need_false: int
    add: int
    delete: int

    @classmethod
    def of(cls, action: ActionModel, vocabulary: Vocabulary) -> Modes:
        """The modes of a normalised action; its parameters are matched with the vocabulary's by position."""
        header = vocabulary.action[action.header.name]
        renaming = {p.name: q.name for p, q in zip(action.header.parameters, header.parameters, strict=True)}
        number = {atom: i for i, atom in enumerate(vocabulary.lifted_atoms(header.name))}
        action = normalised_action(action)
        return cls(
            *(
                bits_of(number[a.substitute(renaming)] for a, positive in part if positive is sign)
                for part in (action.needed, action.plain_effects)
                for sign in (True, False)
            )
        )


@dataclass(frozen=True)
class Score:
    """Slots by how they stand against the truth."""

    correct: int
    wrong: int
    open: int

    @property
    def total(self) -> int:
        return self.correct + self.wrong + self.open

    @property
    def accuracy(self) -> float:
        return self.correct / self.total if self.total else 1.0


class Truth:
    """A hidden model, as something to be scored against."""

    def __init__(self, model: Model) -> None:
        self._vocabulary = model.vocabulary
        self._modes = {a.header.name: Modes.of(a, model.vocabulary) for a in model.actions}

    def score(self, knowledge: Knowledge) -> Score:
        """What is settled, and whether rightly."""
        return self._sum(self._settled(d, self._modes[name]) for name, d in knowledge.dossiers.items())

    def score_model(self, model: Model) -> Score:
        """Every slot of a model taken at its word; an action it does not have needs and does nothing."""
        nothing = Modes(0, 0, 0, 0)
        return self._sum(
            self._compared(
                Modes.of(model.action[name], self._vocabulary) if name in model.action else nothing,
                truth,
                full := (1 << len(self._vocabulary.lifted_atoms(name))) - 1,
                full,
                full,
            )
            for name, truth in self._modes.items()
        )

    def _settled(self, dossier: Dossier, truth: Modes) -> Score:
        full, needs, effects = dossier.atom_mask, dossier.precondition, dossier.effects
        if not dossier.ran:
            return Score(0, 0, 2 * len(dossier.atoms))
        sure = full & ~effects.ambiguous
        found = Modes(
            needs.need_true & full,
            needs.need_false & full,
            sure & effects.may_add & ~needs.need_true,
            sure & effects.may_delete & ~needs.need_false,
        )
        return self._compared(found, truth, full, full & ~dossier.open_needs, full & ~dossier.open_effects)

    def _compared(self, found: Modes, truth: Modes, full: int, needs: int, effects: int) -> Score:
        """Compare the settled slots: `needs` of the precondition and `effects` of the effect."""
        unlike = found.need_true ^ truth.need_true | found.need_false ^ truth.need_false
        differing = found.add ^ truth.add | found.delete ^ truth.delete
        settled = needs.bit_count() + effects.bit_count()
        wrong = (needs & unlike).bit_count() + (effects & differing).bit_count()
        return Score(settled - wrong, wrong, 2 * full.bit_count() - settled)

    def _sum(self, scores: Iterator[Score]) -> Score:
        correct = wrong = left = 0
        for score in scores:
            correct, wrong, left = correct + score.correct, wrong + score.wrong, left + score.open
        return Score(correct, wrong, left)


@dataclass(frozen=True)
class Point:
    questions: int
    accuracy: float
    wrong: int
    """Slots settled wrongly, or guessed wrongly by a learner that does not say what it is sure of."""


@dataclass(frozen=True)
class Curve:
    domain: str
    learner: str
    points: tuple[Point, ...]
    note: str = ""

    @property
    def perfect_after(self) -> int | None:
        """Questions from which on every palm tuple is correct, if it comes to that."""
        found = None
        for point in reversed(self.points):
            if point.accuracy < 1:
                break
            found = point.questions
        return found

    @property
    def last(self) -> float:
        return self.points[-1].accuracy if self.points else 0.0

    def at(self, questions: int) -> float:
        """The accuracy after so many questions; a learner that has finished stays where it is."""
        return next((p.accuracy for p in reversed(self.points) if p.questions <= questions), 0.0)


def interrogation_curve(domain: str, strategy: str, size: int, seed: int) -> Curve:
    """The accuracy of a strategy that asks, after each answer."""
    model, agent = _agent(domain, size, seed)
    truth = Truth(model)
    points: list[Point] = []

    def record(knowledge: Knowledge, costs: Costs, query: PlanQuery | WalkQuery) -> None:
        score = truth.score(knowledge)
        points.append(Point(costs.questions, score.accuracy, score.wrong))

    result = assess(agent, strategy=strategy, seed=seed, progress=record)
    return Curve(domain, strategy, tuple(points), "" if result.complete else f"ended {result.outcome.value}")


def observation_curve(domain: str, size: int, seed: int, traces: int) -> Curve:
    """The accuracy of the learner from observations, after growing numbers of random traces."""
    model, agent = _agent(domain, size, seed)
    truth = Truth(model)
    seen = random_traces(model, agent, random.Random(f"{domain} {size} {seed}"), traces)
    points = []
    try:
        for count in checkpoints(len(seen)):
            score = truth.score_model(learn(model.vocabulary, seen[:count]))
            points.append(Point(count, score.accuracy, score.wrong))
    except InputError as error:
        if not points:
            raise
        return Curve(domain, LEARNER, tuple(points), str(error))
    return Curve(domain, LEARNER, tuple(points))


def random_traces(model: Model, agent: ModelAgent, rng: random.Random, count: int) -> tuple[Trace, ...]:
    """Random steps from the situations that the agent offers to those who ask, too."""
    universe = Universe(model.vocabulary, agent.objects)
    starts = offered_states(agent, universe, OFFERED)
    applicable = Applicable(Execution(model, universe))
    found = []
    for _ in range(count):
        bits = rng.choice(starts).bits
        states: list[int] = [bits]
        steps: list[Step] = []
        while len(steps) < LENGTH and (drawn := applicable.draw(bits, rng)) is not None:
            step, bits = drawn
            states.append(bits)
            steps.append(step)
        found.append(Trace(universe, tuple(states), tuple(steps)))
    return tuple(found)


def checkpoints(most: int) -> list[int]:
    """Numbers of traces to learn from: all small ones, then ever fewer."""
    found = list(range(1, min(most, DENSE) + 1))
    while found and found[-1] < most:
        found.append(min(most, int(found[-1] * GROWTH) + 1))
    return found


def charts(curves: Sequence[Curve]) -> list[Chart]:
    """One chart per domain, one line per learner."""
    domains = dict.fromkeys(c.domain for c in curves)
    return [
        Chart(
            title=domain,
            x_label="questions, or traces of three steps",
            y_label="accuracy",
            lines=tuple(
                Line(c.learner, tuple((float(p.questions), p.accuracy) for p in c.points))
                for c in curves
                if c.domain == domain and c.points
            ),
            log_x=True,
            y_range=(0.0, 1.0),
        )
        for domain in domains
    ]


def _agent(domain: str, size: int, seed: int) -> tuple[Model, ModelAgent]:
    model, problem = load(domain, size, seed)
    return model, ModelAgent(model, problem.objects, (problem.initial,), seed)
