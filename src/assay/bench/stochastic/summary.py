"""Means over seeds, beside the oracle's and beside those of the default learner on the same seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from assay.bench.plot import Chart, Line
from assay.bench.stochastic.runs import METHODS, ORACLE, Run

OURS = METHODS[0]


@dataclass(frozen=True)
class Row:
    """One learner with one agent."""

    subject: str
    method: str
    runs: int
    samples: float
    right: int
    full: float
    full_error: float
    """Standard error of that mean."""
    exact: float
    oracle: float
    """The oracle's full distance, on all its seeds."""
    seconds: float
    paired: int
    """Seeds on which the default learner was run, too."""
    ours: float | None
    """Its full distance there."""
    wins: int
    """On how many of them it is nearer the truth."""

    @property
    def ratio(self) -> float:
        return self.full / self.oracle

    @property
    def seconds_per_sample(self) -> float:
        return self.seconds / self.samples if self.samples else 0.0


def rows(runs: Sequence[Run]) -> list[Row]:
    found = []
    for name, method in dict.fromkeys((r.job.subject, r.job.method) for r in runs):
        of_agent = [r for r in runs if r.job.subject == name]
        own = [r for r in of_agent if r.job.method == method]
        ours = {r.job.seed: r.full for r in of_agent if r.job.method == OURS}
        paired = [(r.full, ours[r.job.seed]) for r in own if r.job.seed in ours]
        distances = [r.full for r in own]
        found.append(
            Row(
                name,
                method,
                len(own),
                fmean(r.samples for r in own),
                sum(r.right for r in own),
                fmean(distances),
                stdev(distances) / len(own) ** 0.5 if len(own) > 1 else 0.0,
                fmean(r.exact for r in own),
                fmean(r.full for r in of_agent if r.job.method == ORACLE),
                fmean(r.seconds for r in own),
                len(paired),
                fmean(mine for _, mine in paired) if paired else None,
                sum(mine < theirs for theirs, mine in paired),
            )
        )
    return found


@dataclass(frozen=True)
class Reset:
    """What it costs that an agent can only be reset; the structure is judged where it can be led."""

    subject: str
    declared: str
    """The start that the agent itself declares."""
    runs: int
    right: int
    """With the declared start, and with resets only."""
    right_reset: int
    settled: float | None
    settled_reset: float | None
    """Samples after which the structure was right and stayed so, in the mean of the runs where it did."""
    full: float
    full_reset: float

    @property
    def extra(self) -> float | None:
        if self.settled is None or self.settled_reset is None:
            return None
        return self.settled_reset - self.settled


def reset_rows(runs: Sequence[Run]) -> list[Reset]:
    found = []
    for name in dict.fromkeys(r.job.subject for r in runs):
        own = [r for r in runs if r.job.subject == name]
        free = [r for r in own if r.job.start != "reset"]
        tied = [r for r in own if r.job.start == "reset"]
        found.append(
            Reset(
                name,
                free[0].job.start,
                len(tied),
                sum(r.right for r in free),
                sum(r.right for r in tied),
                _settled(free),
                _settled(tied),
                fmean(r.full for r in free),
                fmean(r.full for r in tied),
            )
        )
    return found


def _settled(runs: Sequence[Run]) -> float | None:
    known = [r.settled_after for r in runs if r.settled_after is not None]
    return fmean(known) if known else None


def charts(runs: Sequence[Run]) -> list[Chart]:
    """Per agent, distance over samples and over seconds; the oracle is the floor of the first."""
    found = []
    for name in dict.fromkeys(r.job.subject for r in runs):
        own = [r for r in runs if r.job.subject == name]
        # the oracle last, so that a learner looks the same in both charts
        methods = sorted(dict.fromkeys(r.job.method for r in own), key=lambda method: method == ORACLE)
        curves = {m: _mean_curve([r for r in own if r.job.method == m]) for m in methods}
        by_samples = tuple(Line(m, tuple((s, d) for s, _, d in curves[m])) for m in methods)
        by_seconds = tuple(
            Line(m, tuple((max(t, 1e-4), d) for _, t, d in curves[m])) for m in methods if m != ORACLE
        )
        found.append(Chart(name, "samples", "full distance", by_samples, log_y=True))
        found.append(
            Chart(name, "seconds of processor time", "full distance", by_seconds, log_x=True, log_y=True)
        )
    return found


def _mean_curve(runs: Sequence[Run]) -> list[tuple[float, float, float]]:
    """Samples, seconds and distance at each checkpoint; a run that ended keeps what it had."""
    length = max(len(r.curve) for r in runs)
    found = []
    for n in range(length):
        points = [r.curve[min(n, len(r.curve) - 1)] for r in runs]
        distance = max(fmean(p.full for p in points), 1e-5)
        found.append((fmean(p.samples for p in points), fmean(p.seconds for p in points), distance))
    return found
