"""Random hidden agents, most of them not plain STRIPS: is what is certified right?

A run is *wrong* if it certifies an action at a class of functions that contains the hidden one, and the model
does something else there. If the hidden function lies outside the class that is named, it is counted apart. A
run is right if all of its actions are certified and do what the hidden ones do. What models do is compared by
behaviour, in states that the agent takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from assay.bench.behaviour import Difference, difference
from assay.bench.claims import Claim, Finding, Standing, interrogate
from assay.errors import InputError
from assay.testing.hidden import (
    INVENTED,
    KINDS,
    NAMED,
    OUTSIDE,
    UNSEEN,
    Hidden,
    HiddenAgent,
    hidden_model,
    needed_strength,
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


MODE_MEANING = {
    "offers": "offers situations",
    "bare": "offers none; has objects of its own if the seed is odd",
    "strict": "offers situations, and refuses states that break an invariant",
    "between": "tells the states between",
    "last": "tells only the last state",
}


class Verdict(StrEnum):
    RIGHT = "right"
    WRONG = "WRONG"
    """Certified at a class that contains the hidden function, and different."""
    BEYOND = "outside class"
    """Certified and different, but the hidden function lies outside the class that is named."""
    OPEN = "not settled"
    NOTICED = "noticed"
    """Said to contradict itself."""


WORST_FIRST = (Verdict.WRONG, Verdict.BEYOND, Verdict.NOTICED, Verdict.OPEN, Verdict.RIGHT)
"""A run is what the worst of its actions is."""


@dataclass(frozen=True)
class Case:
    kind: str
    seed: int
    mode: Mode
    strength: int

    def __str__(self) -> str:
        return f"{self.kind} {self.seed} {self.mode} {self.strength}"


@dataclass(frozen=True)
class ActionRow:
    action: str
    odd: bool
    needed: tuple[int, int] | None
    """The least strength level that contains the hidden function, and the least s; None: no level does."""
    claim: Claim
    verdict: Verdict
    difference: Difference | None


@dataclass(frozen=True)
class Row:
    case: Case
    verdict: Verdict
    questions: int
    steps: int
    seconds: float
    error: str
    actions: tuple[ActionRow, ...]


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
    shape, tells = mode.split("-")
    return hidden.agent(
        offers=shape != "bare",
        tells=tells == "between",
        strict=shape == "strict",
        own=bool(hidden.seed % 2),
    )


def measure(case: Case) -> Row:
    hidden = hidden_model(case.kind, case.seed)
    agent = make_agent(hidden, case.mode)
    finding = interrogate(agent, strength=case.strength, seed=case.seed, budget=BUDGET)
    actions = tuple(_judge(hidden, case, finding, name) for name in sorted(hidden.model.action))
    verdict = min((a.verdict for a in actions), key=WORST_FIRST.index)
    return Row(case, verdict, finding.questions, agent.steps, finding.seconds, finding.error, actions)


def _judge(hidden: Hidden, case: Case, finding: Finding, name: str) -> ActionRow:
    claim = finding.claims.get(name, Claim(Standing.OPEN))
    needed = None
    if case.kind not in FAULTS:
        needed = needed_strength(hidden.model.action[name], hidden.model.vocabulary)
    met = None
    if claim.standing is Standing.CERTIFIED:
        invariant = hidden.invariant if case.mode.startswith("strict") else None
        met = difference(finding.model, hidden.model, name, seed=case.seed, invariant=invariant)
    contained = needed is not None and needed.level <= claim.level and needed.tested <= claim.tested
    verdict = {Standing.OPEN: Verdict.OPEN, Standing.CONTRADICTED: Verdict.NOTICED}.get(claim.standing)
    if verdict is None:
        verdict = Verdict.RIGHT if met is None else Verdict.WRONG if contained else Verdict.BEYOND
    odd = name in hidden.odd
    return ActionRow(name, odd, needed and (needed.level, needed.tested), claim, verdict, met)


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
    tested = {0: 0}
    return [
        row
        for row in rows
        if all(
            a.needed is not None
            and a.needed[0] <= row.case.strength
            and a.needed[1] <= tested.get(row.case.strength, 3)
            for a in row.actions
        )
    ]
