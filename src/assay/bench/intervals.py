"""Whether confidence intervals are right: many runs of a small agent whose probabilities are known.

Each run learns the agent twice. With a number of samples: does each interval cover the probability, and how
wide is it beside Wilson's for the same counts? An outcome that never came about has the interval from zero to
the bound that is stated for such. And with a precision: how many executions were counted when it stopped,
beside the number at which Wilson's interval around the true probability is that narrow?
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from assay.agents.stochastic import StochasticAgent
from assay.chance_assessment import assess_chance
from assay.chance_result import ChanceResult
from assay.core.model import Model
from assay.core.symbols import Atom, Object
from assay.knowledge.intervals import wilson
from assay.pddl.reader import read_ppddl

CAPABILITY, CONFIDENCE = "draw", 0.95
ROUNDING = 1e-9
LATEST = 1.3

SMALL = """
(define (domain urn)
  (:requirements :strips :typing :probabilistic-effects)
  (:types urn)
  (:predicates (full ?u - urn) (red ?u - urn) (blue ?u - urn))
  (:action draw
    :parameters (?u - urn)
    :precondition (full ?u)
    :effect (probabilistic 0.7 (red ?u) 0.2 (and (blue ?u) (not (full ?u))))))
"""


@dataclass(frozen=True)
class Held:
    """One outcome in one run with a number of samples."""

    probability: float
    covered: bool
    width: float
    wilson: float


@dataclass(frozen=True)
class Trial:
    seed: int
    held: tuple[Held, ...]
    stopped: tuple[int, ...]
    """Executions counted for each outcome when the precision was reached, likeliest outcome first."""


@dataclass(frozen=True)
class Row:
    """One outcome over all runs."""

    probability: float
    coverage: float
    relative_width: float
    """Mean width of the intervals, divided by that of Wilson's."""


@dataclass(frozen=True)
class Stopping:
    bound: int
    """Executions at which Wilson's interval around the true probability is as narrow as wanted, for the
    outcome that takes most."""
    fewest: float
    mean: float
    most: float
    """Executions at which it stopped, divided by the bound."""
    within: float
    """Share of the runs that stopped neither before the bound nor later than `LATEST` times the bound."""


def measure(seed: int, samples: int, precision: float) -> Trial:
    counted = _learn(seed, samples=samples)
    precise = _learn(seed, precision=precision)
    held, stopped = [], []
    for effects, probability in _truth():
        low, high, share, tries = _interval(counted, effects)
        beside = wilson(share, tries, CONFIDENCE) if tries else (0.0, 1.0)
        covered = low - ROUNDING <= probability <= high + ROUNDING
        held.append(Held(probability, covered, high - low, beside[1] - beside[0]))
        stopped.append(_interval(precise, effects)[3])
    return Trial(seed, tuple(held), tuple(stopped))


def summary(trials: Sequence[Trial], precision: float) -> tuple[list[Row], Stopping]:
    rows = []
    for number, (_, probability) in enumerate(_truth()):
        own = [trial.held[number] for trial in trials]
        widths = fmean(h.width for h in own) / fmean(h.wilson for h in own)
        rows.append(Row(probability, fmean(h.covered for h in own), widths))
    bound = max(needed(probability, precision) for _, probability in _truth())
    stops = [max(trial.stopped) / bound for trial in trials]
    return rows, Stopping(bound, min(stops), fmean(stops), max(stops), fmean(1 <= s <= LATEST for s in stops))


def needed(probability: float, precision: float) -> int:
    """The least number of tries at which Wilson's interval around the probability is that narrow."""
    tries = 1
    while True:
        low, high = wilson(probability, tries, CONFIDENCE)
        if (high - low) / 2 <= precision:
            return tries
        tries += 1


def _learn(seed: int, samples: int | None = None, precision: float | None = None) -> ChanceResult:
    urn = Object("urn", "urn")
    agent = StochasticAgent(_small(), (urn,), (frozenset({Atom("full", ("urn",))}),), seed)
    return assess_chance(agent, seed=seed, samples=samples, precision=precision, confidence=CONFIDENCE)


def _small() -> Model:
    return read_ppddl(SMALL, "urn")


def _truth() -> list[tuple[frozenset[str], float]]:
    """Each outcome as text, with its probability, the likeliest first."""
    outcomes = _small().action[CAPABILITY].outcomes
    found = [(frozenset(map(str, o.literals)), o.probability) for o in outcomes]
    return sorted(found, key=lambda outcome: -outcome[1])


def _interval(result: ChanceResult, effects: frozenset[str]) -> tuple[float, float, float, int]:
    """From where to where, the share of hits, and the number of tries."""
    found = result.tallies[CAPABILITY]
    for count in found.counts:
        if frozenset(map(str, count.outcome.literals)) == effects:
            return count.low, count.high, count.hits / max(1, count.tries), count.tries
    return 0.0, found.unseen, 0.0, found.runs
