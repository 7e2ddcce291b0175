"""One learner with one agent, up to a number of samples: how near its model is to the truth on the way.

Times are processor time. What the agent needs to execute capabilities, and what it takes to judge the model,
are not the learner's and are left out of them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from assay.bench.stochastic.oracle import oracle
from assay.bench.stochastic.subjects import Subject, subject
from assay.bench.stochastic.verdict import right
from assay.chance_assessment import assess_chance
from assay.chance_result import Spent
from assay.core.policy import PolicyQuery, Trace
from assay.core.query import Agent, Invalid, PlanQuery, Response, Start
from assay.core.universe import State, Universe
from assay.knowledge.experience import Experience
from assay.scoring.distance import Examiner
from assay.strategies.chance.registry import learner

ORACLE = "oracle"
METHODS = ("sampling", "qace", "glib-g", "glib-l", "random")
SHARES = (1 / 16, 1 / 8, 3 / 16, 1 / 4, 3 / 8, 1 / 2, 3 / 4, 1.0)
"""Of the samples, after which the model is judged."""
DRAWS, LAST = 3, 30
"""Oracles for one seed, and with all samples, where others are compared with their mean."""


@dataclass(frozen=True)
class Job:
    subject: str
    method: str
    seed: int
    start: str = ""
    """As the agent declares, if it is not said; then the structure is judged as that start allows. If it is
    said, the structure is judged where the agent can be led, so that starts can be compared."""
    times: int = 1
    """How many times the samples that QACE used."""

    def __str__(self) -> str:
        return f"{self.subject}, {self.method}, seed {self.seed}" + (f", {self.start}" if self.start else "")


@dataclass(frozen=True)
class Point:
    samples: int
    seconds: float
    full: float


@dataclass(frozen=True)
class Run:
    job: Job
    samples: int
    questions: int
    seconds: float
    full: float
    exact: float
    right: bool
    settled_after: int | None
    """Samples after which every judgement found the structure right; None if the last one did not."""
    curve: tuple[Point, ...]


def measure(job: Job) -> Run:
    return _oracle(job, subject(job.subject)) if job.method == ORACLE else _learner(job, subject(job.subject))


@cache
def examiner(name: str) -> Examiner:
    return Examiner(subject(name).truth, subject(name).tests)


def checkpoints(samples: int, times: int) -> list[int]:
    shares = [time + share for time in range(times) for share in SHARES]
    return sorted({max(1, round(samples * share)) for share in shares})


def _learner(job: Job, about: Subject) -> Run:
    agent = _Timed(about.open(job.seed))
    start = Start(job.start) if job.start else Start(getattr(agent, "start", Start.ANY))
    everywhere = start is Start.ANY and not job.start
    left = checkpoints(about.samples, job.times)
    judge, make = examiner(job.subject), learner(job.method)
    curve: list[Point] = []
    settled: list[tuple[int, bool]] = []
    judging = 0.0
    began = time.process_time()

    def look(experience: Experience, spent: Spent, query: PolicyQuery) -> None:
        nonlocal judging
        if not left or experience.samples < left[0]:
            return
        stopped = time.process_time()
        while left and experience.samples >= left[0]:
            left.pop(0)
        model = make(experience).model()
        own = stopped - began - agent.seconds - judging
        curve.append(Point(experience.samples, own, judge.full(model)))
        settled.append((experience.samples, right(model, job.subject, everywhere)))
        judging += time.process_time() - stopped

    result = assess_chance(
        agent,
        strategy=job.method,
        seed=job.seed,
        samples=about.samples * job.times,
        start=start,
        progress=look,
    )
    seconds = time.process_time() - began - agent.seconds - judging
    score = judge.score(result.model)
    correct = right(result.model, job.subject, everywhere)
    if not curve or curve[-1].samples < result.samples:
        curve.append(Point(result.samples, seconds, score.full))
        settled.append((result.samples, correct))
    return Run(
        job,
        result.samples,
        result.spent.questions,
        seconds,
        score.full,
        score.exact,
        correct,
        _settled_after(settled),
        tuple(curve),
    )


def _settled_after(found: list[tuple[int, bool]]) -> int | None:
    after = None
    for samples, correct in reversed(found):
        if not correct:
            break
        after = samples
    return after


def _oracle(job: Job, about: Subject) -> Run:
    judge, rng = examiner(job.subject), random.Random(f"{job.seed} oracle")
    curve = []
    for samples in checkpoints(about.samples, job.times):
        draws = LAST if samples >= about.samples * job.times else DRAWS
        models = [oracle(about.truth, samples, rng) for _ in range(draws)]
        curve.append(Point(samples, 0.0, fmean(judge.full(model) for model in models)))
    exact = judge.score(models[0]).exact
    return Run(job, samples, 0, 0.0, curve[-1].full, exact, True, 0, tuple(curve))


class _Timed:
    """An agent that keeps the time it takes."""

    def __init__(self, agent: Agent) -> None:
        self._agent, self.seconds = agent, 0.0
        self.vocabulary = agent.vocabulary
        for name in ("objects", "start", "new_objects", "max_plan", "stochastic"):
            if hasattr(agent, name):
                setattr(self, name, getattr(agent, name))

    def ask(self, query: PlanQuery, /) -> Response:
        return self._agent.ask(query)

    def rollout(self, query: PolicyQuery, number: int, run: int, /) -> Trace | Invalid:
        began = time.process_time()
        try:
            trace: Trace | Invalid = self._agent.rollout(query, number, run)  # type: ignore[attr-defined]
            return trace
        finally:
            self.seconds += time.process_time() - began

    def states(self, count: int, universe: Universe) -> Iterator[State]:
        return iter(self._agent.states(count, universe))  # type: ignore[attr-defined]
