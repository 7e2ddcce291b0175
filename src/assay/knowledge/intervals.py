"""Confidence intervals for probabilities that were counted.

`interval` is the exact one of Clopper and Pearson: over repeated experiments it covers the truth at least as
often as it says, however small the numbers. It is a little wider than Wilson's approximate one, which
`wilson` gives for comparison. Both are about a single probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

Interval = tuple[float, float]


@lru_cache(maxsize=4096)
def interval(hits: int, tries: int, confidence: float) -> Interval:
    """Where the probability lies that gave so many hits in so many tries; everywhere without tries."""
    if tries == 0:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = 0.0 if hits == 0 else _quantile(tail, hits, tries - hits + 1)
    high = 1.0 if hits == tries else _quantile(1 - tail, hits + 1, tries - hits)
    return low, high


def remainder(others: Sequence[tuple[int, int]], confidence: float, alone: bool = True) -> Interval:
    """Where the probability lies that other outcomes, counted as hits and tries, leave; `alone` if it is the
    only one that could not be counted itself. Each of the others gets its share of the doubt."""
    if not others:
        return 0.0, 1.0
    each = [interval(hits, tries, 1 - (1 - confidence) / len(others)) for hits, tries in others]
    low = 1 - sum(high for _, high in each) if alone else 0.0
    return max(0.0, low), max(0.0, 1 - sum(low for low, _ in each))


def wilson(share: float, tries: float, confidence: float) -> Interval:
    """Wilson's interval around a share of the tries."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    centre = (share + z * z / (2 * tries)) / (1 + z * z / tries)
    half = z / (1 + z * z / tries) * sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    return max(0.0, centre - half), min(1.0, centre + half)


def unseen(tries: int, confidence: float) -> float:
    """What the probability of something never seen in so many tries is below, with this confidence."""
    return 1.0 if tries == 0 else 1 - (1 - confidence) ** (1 / tries)


def _quantile(wanted: float, a: int, b: int) -> float:
    """The value that a beta distribution stays below with the wanted probability."""
    low, high = 0.0, 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        if _beta(middle, a, b) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta(x: float, a: int, b: int) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz)."""
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x > (a + 1) / (a + b + 2):
        return 1 - front * _fraction(1 - x, b, a) / b
    return front * _fraction(x, a, b) / a


def _fraction(x: float, a: int, b: int) -> float:
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d or tiny)
    found = d
    for m in range(1, 10_000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + term * d) or tiny)
            c = (1 + term / c) or tiny
            found *= c * d
        if abs(c * d - 1) < 1e-12:
            break
    return found


def chi_square_tail(value: float, freedom: int) -> float:
    """How likely a chi-square value at least this large is, by the cube-root approximation."""
    if freedom == 0 or value <= 0:
        return 1.0
    spread = 2 / (9 * freedom)
    return 1 - NormalDist().cdf(((value / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))
