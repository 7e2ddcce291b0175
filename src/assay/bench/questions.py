"""What each strategy needs to find a hidden STRIPS model, beside what any strategy needs at least.

Every method is run on problems of growing size; the figures are means and variances over these. `interrogate`
is run at several strengths, `aia` and `naive` certify strength 0 at best. A model counts as right if it does
what the hidden one does. Beside them stand the published figures of AIA-21 Table 1 and AIA-20 Table 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance

from assay.agents.model import ModelAgent
from assay.bench.bounds import fewest_refusals, literals_needed
from assay.bench.claims import INTERROGATE, interrogate
from assay.bench.judging import Verdict, judge, worst
from assay.bench.subjects import subject
from assay.core.model import Model
from assay.errors import InputError
from assay.pddl.reader import Problem

STRATEGIES = (INTERROGATE, "aia", "naive")
MOST_NAIVE = 10_000
"""Questions above which the naive strategy is not run and only its price is given; any other is stopped."""


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


@dataclass(frozen=True)
class Method:
    strategy: str
    strength: int = 0

    def __str__(self) -> str:
        return f"{self.strategy} {self.strength}" if self.strategy == INTERROGATE else self.strategy


@dataclass(frozen=True)
class Case:
    """One method on one domain, over problems of sizes 1, 2, ..."""

    domain: str
    method: Method
    problems: int
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.domain} {self.method}"


@dataclass(frozen=True)
class Spread:
    mean: float
    variance: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(fmean(values), pvariance(values))


@dataclass(frozen=True)
class Run:
    size: int
    verdict: Verdict
    questions: int
    seconds: float
    """Processor time."""
    error: str = ""


@dataclass(frozen=True)
class Row:
    domain: str
    method: Method
    actions: int
    lifted_atoms: int
    """Summed over the actions."""
    precondition_literals: int
    """K."""
    bound: int
    """Refusals, and so questions, that any strategy needs at this strength."""
    runs: tuple[Run, ...]
    """None if the strategy would ask more than anybody would answer."""
    price: int
    """Questions of a strategy that was not run; else 0."""
    questions: Spread | None
    seconds: Spread | None
    published: Published | None

    @property
    def ratio(self) -> float | None:
        """Mean questions beside the bound."""
        return self.questions.mean / self.bound if self.questions and self.bound else None

    @property
    def right(self) -> int:
        return sum(run.verdict is Verdict.RIGHT for run in self.runs)

    def complaints(self) -> list[str]:
        """What went wrong, run by run."""
        return [
            f"{self.domain} {run.size}, {self.method}: {run.verdict}{f' ({run.error})' if run.error else ''}"
            for run in self.runs
            if run.verdict is not Verdict.RIGHT
        ]


def methods(strategies: Sequence[str], strengths: Sequence[int]) -> list[Method]:
    """The default strategy at each strength, and others as they are."""
    if unknown := [name for name in strategies if name not in STRATEGIES]:
        raise InputError(f"unknown strategy {unknown[0]!r}; there are {', '.join(STRATEGIES)}")
    return [
        Method(name, strength)
        for name in strategies
        for strength in (strengths if name == INTERROGATE else (0,))
    ]


def measure(case: Case) -> Row:
    model, _ = subject(case.domain, 1, case.seed)
    counts = [len(model.vocabulary.lifted_atoms(a.name)) for a in model.vocabulary.actions]
    price = sum(1 << n for n in counts) if case.method.strategy == "naive" else 0
    runs: tuple[Run, ...] = ()
    if price <= MOST_NAIVE:
        runs = tuple(_run(case, size) for size in range(1, case.problems + 1))
    return Row(
        case.domain,
        case.method,
        len(counts),
        sum(counts),
        literals_needed(model),
        fewest_refusals(model, case.method.strength),
        runs,
        0 if runs else price,
        Spread.of([run.questions for run in runs]) if runs else None,
        Spread.of([run.seconds for run in runs]) if runs else None,
        PUBLISHED.get(case.domain),
    )


def _run(case: Case, size: int) -> Run:
    model, problem = subject(case.domain, size, case.seed)
    learned = interrogate(
        _agent(model, problem, case.seed),
        strategy=case.method.strategy,
        strength=case.method.strength,
        seed=case.seed,
        budget=MOST_NAIVE,
    )
    verdict = worst(judge(learned, model, strength=case.method.strength, seed=case.seed))
    return Run(size, verdict, learned.questions, learned.seconds, learned.error)


def _agent(model: Model, problem: Problem, seed: int) -> ModelAgent:
    return ModelAgent(model, problem.objects, (problem.initial,), seed)


@dataclass(frozen=True)
class Total:
    """Sums of one method over several domains."""

    method: Method
    domains: int
    bound: int
    questions: float
    seconds: float
    right: int
    runs: int
    published: int | None


def totals(rows: Sequence[Row], published: bool) -> list[Total]:
    """By method, over the domains with or without a published figure, if the method ran on all of them.

    Domains on which some run was not right are left out: what it would have taken to be right is not known.
    """
    chosen = [row for row in rows if (row.published is not None) == published]
    found = []
    for method in dict.fromkeys(row.method for row in chosen):
        group = [row for row in chosen if row.method == method]
        right = [row for row in group if row.right == len(row.runs)]
        if right and all(row.questions for row in group):
            found.append(_total(method, right, published))
    return found


def _total(method: Method, group: Sequence[Row], published: bool) -> Total:
    return Total(
        method,
        len(group),
        sum(row.bound for row in group),
        sum(row.questions.mean for row in group if row.questions),
        sum(row.seconds.mean for row in group if row.seconds),
        sum(row.right for row in group),
        sum(len(row.runs) for row in group),
        sum(row.published.questions for row in group if row.published) if published else None,
    )
