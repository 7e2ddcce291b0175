"""What becomes of the actions of a hidden model: each claim of a run is held against what the model does.

A claim is *wrong* if it names a class of functions that contains the hidden one, and the learned model does
something else. If the hidden function lies outside the class that is named, a difference is counted apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from assay.bench.behaviour import Difference, difference
from assay.bench.claims import Claim, Learned, Standing
from assay.core.model import Model
from assay.core.symbols import Object
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
    learned: Learned,
    truth: Model,
    *,
    strength: int,
    seed: int = 0,
    invariant: Invariant | None = None,
    residents: Sequence[Object] = (),
    faulty: bool = False,
) -> tuple[Judgement, ...]:
    """Every action, judged in the states that the agent takes; no class contains a faulty agent.

    These are states that the invariant allows, with the agent's own objects, the residents, always there.

    What is certified below the strength that was asked for is judged as well: it may be wrong, and it is not
    right.
    """
    found = []
    for name in sorted(truth.action):
        claim = learned.claims.get(name, Claim(Standing.OPEN))
        needed = None if faulty else needed_strength(truth.action[name], truth.vocabulary)
        met = None
        if claim.standing is Standing.CERTIFIED:
            met = difference(learned.model, truth, name, seed=seed, invariant=invariant, residents=residents)
        found.append(Judgement(name, needed, claim, _verdict(claim, needed, met, strength), met))
    return tuple(found)


def _verdict(claim: Claim, needed: Needed | None, met: Difference | None, strength: int) -> Verdict:
    if claim.standing is Standing.CONTRADICTED:
        return Verdict.NOTICED
    if met is not None:
        return Verdict.WRONG if needed is not None and claim.contains(needed) else Verdict.BEYOND
    settled = claim.standing is Standing.CERTIFIED and claim.level >= strength
    return Verdict.RIGHT if settled else Verdict.OPEN
