"""ADL domains from the field: learned exactly, with how many questions and in what time?

Briefcase, the full miconic, schedule, openstacks, assembly, sliding blocks, lights-out, and a lift that takes
everybody along. Each has a problem, whose objects are the agent's own and whose initial state it offers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from assay.bench.claims import interrogate
from assay.bench.judging import Judgement, Verdict, judge, worst
from assay.core.model import Model
from assay.errors import InputError
from assay.pddl.reader import Problem, read_domain, read_problem
from assay.testing.hidden import HiddenAgent

DOMAINS = (
    "assembly",
    "briefcase",
    "lift",
    "lights-out",
    "miconic-full",
    "openstacks",
    "schedule",
    "sliding",
)

BUDGET = 3000
"""Questions after which a run is stopped."""


@dataclass(frozen=True)
class Case:
    domain: str
    strength: int
    tells: bool
    """Whether the agent tells the states between."""
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.domain} {self.strength} {'between' if self.tells else 'last'}"


@dataclass(frozen=True)
class Row:
    case: Case
    verdict: Verdict
    actions: tuple[Judgement, ...]
    questions: int
    steps: int
    seconds: float
    error: str

    @property
    def right(self) -> int:
        """Actions that are certified and do what they should."""
        return sum(a.verdict is Verdict.RIGHT for a in self.actions)

    @property
    def needed(self) -> int | None:
        """The strength level that contains all actions."""
        levels = [a.needed.level for a in self.actions if a.needed is not None]
        return max(levels) if len(levels) == len(self.actions) else None


@cache
def load(domain: str) -> tuple[Model, Problem]:
    if domain not in DOMAINS:
        raise InputError(f"no ADL domain {domain!r}; there are {', '.join(DOMAINS)}")
    folder = files("assay.bench").joinpath("domains", "adl")
    model = read_domain(folder.joinpath(f"{domain}.pddl").read_text(encoding="utf-8"), f"{domain}.pddl")
    name = f"{domain}-problem.pddl"
    return model, read_problem(folder.joinpath(name).read_text(encoding="utf-8"), model.vocabulary, name)


def measure(case: Case) -> Row:
    model, problem = load(case.domain)
    agent = HiddenAgent(model, problem.objects, [problem.initial], tells_states=case.tells)
    learned = interrogate(agent, strength=case.strength, seed=case.seed, budget=BUDGET)
    judged = judge(learned, model, strength=case.strength, seed=case.seed, residents=agent.objects)
    return Row(case, worst(judged), judged, learned.questions, agent.steps, learned.seconds, learned.error)
