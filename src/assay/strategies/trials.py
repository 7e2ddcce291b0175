"""One valuation of the shared atoms in which many actions are tried.

A question starts in one valuation of the shared atoms, and where nothing restores them an action runs in it
once. But other actions that are known to run can be tried from the same start: each with all the flips that
the valuation makes to its example, and what passes is cleared. The first refusal ends the question, so the
start to choose is the one whose outcome tells most: the entropy of where the trials end, and, if all pass,
of what is to follow them as far as it can still be asked there.

A refusal of several flips convicts none of them: it is a question that had to convict and did not. So as long
as tests that convict are left, several are tried only if that is all but sure to pass; after a walk, which
has cleared most of what does not matter, never several shared ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import inf
from operator import or_

from assay.core.universe import indices
from assay.strategies.doubt import Doubt
from assay.strategies.sightings import entropy

FOLLOWING = 2.0
"""What the tests that follow are taken to tell, in bits, if one of them is sure to be refused."""
ALONE = 0.5
"""Further bits that a refusal of just one flip tells: it convicts a literal, as some question must."""
SURE = 0.8
"""Chance to pass from which on several flips are tried at once, as long as tests that convict are left."""
STARTS = 3
"""Valuations that are improved by flips, the best of those looked at."""
HARDLY = 0.02
"""Chance to come so far below which no further trial is looked at."""


@dataclass(eq=False)
class Trial:
    """A run of an action in whatever valuation of the shared atoms there is."""

    example: int
    care: int
    """Shared atoms that may matter."""
    free: int
    """Those of them that may be other than in the example."""
    own: int
    """Atoms of its own that can be flipped along with them."""
    doubt: Doubt
    predict: Callable[[int], int]
    """The shared atoms after a run, as far as can be foreseen."""
    singly: bool
    """Whether shared atoms are flipped one at a time where a refusal should convict."""
    _after: dict[int, int] = field(default_factory=dict)

    def flips(self, shared: int, own: int) -> int:
        """What is other than in the example there; nothing if that is sure to stop it."""
        flips = (shared ^ self.example) & self.care
        return 0 if flips & ~self.free else flips | own

    def least(self, flips: int) -> float:
        """Chance to pass that these flips need where a refusal should convict."""
        if not flips & flips - 1:
            return 0.0
        shared = flips & self.care
        return inf if self.singly and shared & shared - 1 else SURE

    def after(self, shared: int) -> int:
        if shared not in self._after:
            self._after[shared] = self.predict(shared)
        return self._after[shared]


@dataclass(frozen=True, slots=True)
class Sequel:
    """Tests that are to follow, with the shared atoms as in an example."""

    example: int
    care: int
    refusals: float
    """To be expected among them."""
    trial: Trial | None
    """The trial of the same action, if there is one: what it has cleared does not matter any more."""


@dataclass(frozen=True, slots=True)
class Round:
    """Trials in order, each with what it flips and the chance that it is refused."""

    start: int
    runs: tuple[tuple[Trial, int, float], ...] = ()
    told: float = 0.0


def best_round(trials: Sequence[Trial], sequels: Sequence[Sequel], starts: Sequence[int]) -> Round:
    """The round that tells most, as far as found by flipping single atoms of some of the starts."""
    places = [(0, 1 << i) for i in indices(reduce(or_, (trial.free for trial in trials)))]
    places += [(n, 1 << i) for n, trial in enumerate(trials, 1) for i in indices(trial.own)]

    def climbed(choice: list[int], best: Round) -> Round:
        improved = True
        while improved:
            improved = False
            for number, bit in places:
                other = [*choice[:number], choice[number] ^ bit, *choice[number + 1 :]]
                better = _round(trials, sequels, other)
                if better.told > best.told + 1e-6:
                    choice, best, improved = other, better, True
        return best

    choices = [[start, *(0 for _ in trials)] for start in dict.fromkeys(starts)]
    ranked = sorted(((_round(trials, sequels, c), c) for c in choices), key=lambda rated: -rated[0].told)
    return max((climbed(choice, best) for best, choice in ranked[:STARTS]), key=lambda best: best.told)


def _round(trials: Sequence[Trial], sequels: Sequence[Sequel], choice: list[int]) -> Round:
    """Trials from one start, the surest first, as many as tell most: each changes what can follow."""
    start, *own = choice
    shared = start
    left = dict(zip(trials, own, strict=True))
    runs: list[tuple[Trial, int, float]] = []
    reach, told = 1.0, 0.0
    convicting = sum(sequel.refusals for sequel in sequels) >= 1
    best = Round(start, (), _promise(sequels, shared, {}))
    while reach > HARDLY:
        possible = [
            (passes, trial, flips)
            for trial, flipped in left.items()
            if (flips := trial.flips(shared, flipped))
            and ((passes := trial.doubt.harmless(flips)) >= trial.least(flips) or not convicting)
        ]
        if not possible:
            break
        passes, trial, flips = max(possible, key=lambda p: p[0])
        del left[trial]
        runs.append((trial, flips, 1 - passes))
        told += reach * (entropy(passes) + ALONE * (1 - passes) * (flips.bit_count() == 1))
        reach *= passes
        shared = trial.after(shared)
        worth = told + reach * _promise(sequels, shared, {t: f for t, f, _ in runs})
        if worth > best.told + 1e-9:
            best = Round(start, tuple(runs), worth)
    return best


def _promise(sequels: Sequence[Sequel], shared: int, cleared: Mapping[Trial | None, int]) -> float:
    """What can be expected of tests that can follow there."""
    refusals = 0.0
    for sequel in sequels:
        care = sequel.care & ~cleared.get(sequel.trial, 0)
        if not (shared ^ sequel.example) & care:
            refusals += sequel.refusals
    return FOLLOWING * min(1.0, refusals)
