"""What each strategy needs to find a hidden model, beside the figures of AIA-21 Table 1 and AIA-20 Table 1.

K, the number of precondition literals of the truth, is the least number of questions that any strategy can
do with if it may choose its start states. Whether a strategy ended at the right model is judged against the
truth slot by slot, so that "right as far as it goes" and "wrong" are never mixed up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, pvariance

from assay.agents.model import ModelAgent
from assay.assessment import assess
from assay.bench.accuracy import Truth
from assay.bench.problems import SIZES, load
from assay.core.model import Model
from assay.errors import InputError
from assay.pddl.reader import Problem
from assay.result import Result
from assay.scoring.equivalence import differences
from assay.scoring.normal_form import literal_count

METHODS = ("chain", "chain-own", "aia", "naive")
"""Strategies that are measured; `chain-own` is chain confined to the objects of the problem."""

MOST_NAIVE = 10_000
"""Questions above which the naive strategy is not run and only its price is given."""


@dataclass(frozen=True)
class Published:
    """One line of AIA-21 Table 1, with that of AIA-20 Table 1 for the same domain where there is one."""

    lifted_atoms: int
    actions: int
    questions: int
    milliseconds: float
    """Mean time per question, on another machine than any you have."""
    earlier_questions: int | None = None
    earlier_models: int | None = None


PUBLISHED = {
    "gripper": Published(5, 3, 17, 18.0, 37, 1),
    "blocksworld": Published(9, 4, 48, 8.4, 92, 1),
    "miconic": Published(10, 4, 39, 9.2, 109, 64),
    "parking": Published(18, 4, 63, 16.5, 173, 32),
    "logistics": Published(18, 6, 68, 24.4, 98, 64),
    "satellite": Published(17, 5, 41, 11.6, 127, 4096),
    "termes": Published(22, 7, 134, 17.0),
    "rovers": Published(82, 9, 370, 5.1),
    "barman": Published(83, 17, 357, 18.5),
    "freecell": Published(100, 10, 535, 2240.0),
}


class Verdict(StrEnum):
    CORRECT = "correct"
    """Every slot is settled, and the model is functionally equivalent to the truth."""
    INCOMPLETE = "incomplete"
    """Slots are open, and nothing that is settled is wrong."""
    WRONG = "WRONG"
    """Something was settled that is not so."""
    NOT_RUN = "not run"
    """It would need more questions than anybody would ask."""


@dataclass(frozen=True)
class Run:
    method: str
    verdict: Verdict
    questions: int
    """Asked; for a strategy not run, those it would need."""
    search: int = 0
    """Of the questions, those that ended at an action that had not run yet."""
    steps: int = 0
    seconds: float = 0.0
    open: int = 0
    faults: tuple[str, ...] = ()
    equivalent_models: int = 0


@dataclass(frozen=True)
class Spread:
    """The default strategy over problems of different sizes, one run each."""

    sizes: tuple[int, ...]
    questions: tuple[int, ...]
    seconds: tuple[float, ...]
    verdicts: tuple[Verdict, ...]
    mean_seconds: float
    variance_seconds: float
    milliseconds_per_question: float


@dataclass(frozen=True)
class Row:
    domain: str
    actions: int
    most_lifted_atoms: int
    """Of the action that has most: predicates instantiated with its parameters and the constants."""
    lifted_atoms: int
    """Summed over the actions."""
    slots: int
    precondition_literals: int
    """K, the lower bound on questions."""
    runs: tuple[Run, ...]
    spread: Spread | None
    published: Published | None

    def run(self, method: str) -> Run | None:
        return next((r for r in self.runs if r.method == method), None)


@dataclass(frozen=True)
class Totals:
    """Sums over rows, and how the questions of each method compare."""

    domains: int
    precondition_literals: int
    published: int
    questions: dict[str, int]
    per_literal: dict[str, float]
    per_published: dict[str, float]


def measure(domain: str, *, size: int, seed: int, methods: Sequence[str], problems: int) -> Row:
    """One line of the table: every method on the problem of this size, chain also on sizes 1, 2, ..."""
    if unknown := [m for m in methods if m not in METHODS]:
        raise InputError(f"unknown strategy {unknown[0]!r}; there are {', '.join(METHODS)}")
    model, problem = load(domain, size, seed)
    counts = [len(model.vocabulary.lifted_atoms(a.name)) for a in model.vocabulary.actions]
    return Row(
        domain,
        len(counts),
        max(counts),
        sum(counts),
        2 * sum(counts),
        literal_count(model),
        tuple(_run(model, problem, method, seed, sum(1 << n for n in counts)) for method in methods),
        _spread(domain, seed, SIZES[:problems]) if "chain" in methods and problems else None,
        PUBLISHED.get(domain),
    )


def totals(rows: Sequence[Row]) -> Totals:
    """Over the rows that have a published figure, if any has; else over all."""
    chosen = [r for r in rows if r.published] or list(rows)
    literals = sum(r.precondition_literals for r in chosen)
    published = sum(r.published.questions for r in chosen if r.published)
    questions = {
        method: sum(run.questions for r in chosen if (run := r.run(method)))
        for method in METHODS
        if all((run := r.run(method)) and run.verdict is not Verdict.NOT_RUN for r in chosen)
    }
    return Totals(
        len(chosen),
        literals,
        published,
        questions,
        {m: q / literals for m, q in questions.items() if literals},
        {m: q / published for m, q in questions.items() if published},
    )


def judge(result: Result, truth: Model) -> tuple[Verdict, tuple[str, ...]]:
    """Whether the result is the truth, a part of it, or something else; and what is wrong, in words."""
    score = Truth(truth).score(result.knowledge)
    if score.wrong:
        known = result.model.action
        covered = Model(truth.vocabulary, tuple(a for a in truth.actions if a.header.name in known))
        return Verdict.WRONG, tuple(differences(result.model, covered))
    if score.open:
        return Verdict.INCOMPLETE, ()
    faults = tuple(differences(result.model, truth))
    return (Verdict.WRONG if faults else Verdict.CORRECT), faults


def _run(model: Model, problem: Problem, method: str, seed: int, naive_price: int) -> Run:
    if method == "naive" and naive_price > MOST_NAIVE:
        return Run(method, Verdict.NOT_RUN, naive_price)
    result = assess(
        _agent(model, problem, seed),
        strategy=method.removesuffix("-own"),
        seed=seed,
        new_objects=False if method.endswith("-own") else None,
    )
    verdict, faults = judge(result, model)
    settled, total = result.knowledge.slots_settled()
    return Run(
        method,
        verdict,
        result.questions,
        result.knowledge.searches,
        result.costs.steps,
        result.costs.seconds,
        total - settled,
        faults,
        result.knowledge.equivalent_models,
    )


def _spread(domain: str, seed: int, sizes: Sequence[int]) -> Spread:
    runs = []
    for size in sizes:
        model, problem = load(domain, size, seed)
        runs.append(_run(model, problem, "chain", seed, 0))
    seconds = tuple(r.seconds for r in runs)
    return Spread(
        tuple(sizes),
        tuple(r.questions for r in runs),
        seconds,
        tuple(r.verdict for r in runs),
        fmean(seconds),
        pvariance(seconds),
        1000 * sum(seconds) / sum(r.questions for r in runs),
    )


def _agent(model: Model, problem: Problem, seed: int) -> ModelAgent:
    return ModelAgent(model, problem.objects, (problem.initial,), seed)
