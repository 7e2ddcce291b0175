"""What becomes of the actions of a hidden model: each claim of a run is held against what the model does.

A claim is *wrong* if it names a class of functions that contains the hidden one, and the learned model does
something else. If the hidden function lies outside the class that is named, a difference is counted apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from assay.bench.behaviour import Difference, difference
from assay.bench.claims import Claim, Finding, Standing
from assay.core.model import Model
from assay.testing.hidden import Needed, needed_strength
from assay.testing.hidden.invariant import Invariant


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


@dataclass(frozen=True)
class Judgement:
    """Of one action."""

    action: str
    needed: Needed | None
    """The least class that contains the hidden function; None: no strength level does."""
    claim: Claim
    verdict: Verdict
    difference: Difference | None


def worst(judgements: Iterable[Judgement]) -> Verdict:
    """What a run is: what the worst of its actions is."""
    return min((j.verdict for j in judgements), key=WORST_FIRST.index, default=Verdict.RIGHT)


def judge(
    finding: Finding,
    truth: Model,
    *,
    strength: int,
    seed: int = 0,
    invariant: Invariant | None = None,
    faulty: bool = False,
) -> tuple[Judgement, ...]:
    """Every action, judged in the states that the invariant allows; no class contains a faulty agent.

    What is certified below the strength that was asked for is judged as well: it may be wrong, and it is not
    right.
    """
    return tuple(
        _judged(finding, truth, name, strength, seed, invariant, faulty) for name in sorted(truth.action)
    )


def _judged(
    finding: Finding,
    truth: Model,
    name: str,
    strength: int,
    seed: int,
    invariant: Invariant | None,
    faulty: bool,
) -> Judgement:
    claim = finding.claims.get(name, Claim(Standing.OPEN))
    needed = None if faulty else needed_strength(truth.action[name], truth.vocabulary)
    if claim.standing is Standing.OPEN:
        return Judgement(name, needed, claim, Verdict.OPEN, None)
    if claim.standing is Standing.CONTRADICTED:
        return Judgement(name, needed, claim, Verdict.NOTICED, None)
    met = difference(finding.model, truth, name, seed=seed, invariant=invariant)
    if met is None:
        verdict = Verdict.RIGHT if claim.level >= strength else Verdict.OPEN
    else:
        verdict = Verdict.WRONG if needed is not None and claim.contains(needed) else Verdict.BEYOND
    return Judgement(name, needed, claim, verdict, met)
