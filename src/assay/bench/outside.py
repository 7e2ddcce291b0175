"""Random hidden agents, most of them not plain STRIPS: is what is certified right?

A run is what the worst of its actions is (see `judging`): right only if all are certified and do what the
hidden ones do, in all states that the agent takes. Of agents outside every class the share that is noticed is
of interest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from assay.bench.claims import interrogate
from assay.bench.judging import Judgement, Verdict, judge, worst
from assay.errors import InputError
from assay.session import RECHECK
from assay.testing.hidden import (
    INVENTED,
    KINDS,
    NAMED,
    OUTSIDE,
    UNSEEN,
    Hidden,
    HiddenAgent,
    hidden_model,
)
from assay.testing.hidden.catalogue import FAULTS

GROUPS: Mapping[str, Sequence[str]] = {
    "named": tuple(NAMED),
    "invented": tuple(INVENTED),
    "unseen": tuple(UNSEEN),
    "outside": OUTSIDE,
}
"""Names that stand for several kinds."""
BUDGET = 3000
"""Questions after which a run is stopped."""


class Mode(StrEnum):
    """What the agent offers beside answers."""

    OFFERS_BETWEEN = "offers-between"
    OFFERS_LAST = "offers-last"
    BARE_BETWEEN = "bare-between"
    BARE_LAST = "bare-last"
    STRICT_BETWEEN = "strict-between"
    STRICT_LAST = "strict-last"

    @property
    def strict(self) -> bool:
        return self.value.startswith("strict")

    @property
    def bare(self) -> bool:
        return self.value.startswith("bare")

    @property
    def tells(self) -> bool:
        return self.value.endswith("between")


MODE_MEANING = {
    "offers": "offers situations",
    "bare": "offers none; has objects of its own if the seed is odd",
    "strict": "offers situations, and refuses states that break an invariant",
    "between": "tells the states between",
    "last": "tells only the last state",
}


@dataclass(frozen=True)
class Case:
    kind: str
    seed: int
    mode: Mode
    strength: int

    def __str__(self) -> str:
        return f"{self.kind} {self.seed} {self.mode} {self.strength}"


@dataclass(frozen=True)
class Row:
    case: Case
    verdict: Verdict
    questions: int
    steps: int
    seconds: float
    error: str
    odd: tuple[str, ...]
    """The actions that are not plain STRIPS."""
    actions: tuple[Judgement, ...]


def kinds_named(names: Iterable[str]) -> list[str]:
    """Kinds by name or by group, all of them if none is named."""
    found = [kind for name in names for kind in GROUPS.get(name, (name,))]
    every = (*KINDS, *OUTSIDE)
    if unknown := [kind for kind in found if kind not in every]:
        raise InputError(f"unknown kind {unknown[0]!r}; there are {', '.join((*GROUPS, *every))}")
    return list(dict.fromkeys(found)) or list(every)


def modes_named(names: Sequence[str]) -> list[Mode]:
    if unknown := [name for name in names if name not in list(Mode)]:
        raise InputError(f"unknown mode {unknown[0]!r}; there are {', '.join(Mode)}")
    return [Mode(name) for name in names] or list(Mode)


def make_agent(hidden: Hidden, mode: Mode) -> HiddenAgent:
    return hidden.agent(offers=not mode.bare, tells=mode.tells, strict=mode.strict, own=bool(hidden.seed % 2))


def measure(case: Case) -> Row:
    hidden = hidden_model(case.kind, case.seed)
    agent = make_agent(hidden, case.mode)
    learned = interrogate(agent, strength=case.strength, seed=case.seed, budget=BUDGET, recheck=RECHECK)
    judged = judge(
        learned,
        hidden.model,
        strength=case.strength,
        seed=case.seed,
        invariant=hidden.invariant if case.mode.strict else None,
        residents=agent.objects,
        faulty=case.kind in FAULTS,
    )
    return Row(
        case,
        worst(judged),
        learned.questions,
        agent.steps,
        learned.seconds,
        learned.error,
        tuple(sorted(hidden.odd)),
        judged,
    )


@dataclass(frozen=True)
class Summary:
    """Runs of one kind, or in one mode, at one strength."""

    name: str
    strength: int
    runs: int
    verdicts: Mapping[Verdict, int]
    questions: float
    """Mean, as of the seconds."""
    seconds: float


def summaries(rows: Sequence[Row], by_mode: bool = False) -> list[Summary]:
    groups: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        name = row.case.mode.value if by_mode else row.case.kind
        groups.setdefault((name, row.case.strength), []).append(row)
    return [
        Summary(
            name,
            strength,
            len(group),
            Counter(row.verdict for row in group),
            fmean(row.questions for row in group),
            fmean(row.seconds for row in group),
        )
        for (name, strength), group in groups.items()
    ]


def within(rows: Iterable[Row]) -> list[Row]:
    """Runs of agents of which every action lies in the class of the strength that was asked for."""
    return [
        row
        for row in rows
        if all(a.needed is not None and a.needed.level <= row.case.strength for a in row.actions)
    ]
