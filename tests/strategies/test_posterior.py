"""Preconditions of an action that never ran: drawn as often as they are likely, by enumeration."""

from __future__ import annotations

import random
from itertools import combinations, product
from math import prod

import pytest

from assay.strategies.acting import posterior
from assay.strategies.acting.posterior import LOOSE, Posterior

CHANCES, FORBIDDEN = [0.35, 0.2, 0.4, 0.1, 0.3, 0.25], 0.05
SCOPES = [0b001, 0b011, 0b110, 0b100, 0b101, 0b010]
ATOMS = range(len(CHANCES))
REFUSED = {0b110111, 0b001011, 0b110100, 0b000001}
NEVER_TOGETHER = {(1, 2), (0, 4)}
NEVER_TRUE = 3
TOGETHER = [
    0 if i == NEVER_TRUE else sum(1 << j for j in ATOMS if not {(i, j), (j, i)} & NEVER_TOGETHER)
    for i in ATOMS
]


def pieces(true: int) -> int:
    """Into how many the three parameters fall."""
    found = [0b001, 0b010, 0b100]
    for i in ATOMS:
        if true >> i & 1:
            joined = sum(p for p in found if p & SCOPES[i])
            found = [p for p in found if not p & SCOPES[i]] + [joined]
    return len(found)


def accepts(true: int, false: int, valuation: int) -> bool:
    return not (true & ~valuation or false & valuation)


def weight(true: int, false: int) -> float:
    if true & false or true >> NEVER_TRUE & 1 or any(accepts(true, false, v) for v in REFUSED):
        return 0.0
    if any(true >> i & true >> j & 1 for i, j in combinations(ATOMS, 2) if (i, j) in NEVER_TOGETHER):
        return 0.0
    return (
        prod(c if true >> i & 1 else 1 - c for i, c in enumerate(CHANCES))
        * prod(FORBIDDEN if false >> i & 1 else 1 - FORBIDDEN for i in ATOMS)
        * LOOSE ** pieces(true)
    )


def test_they_are_drawn_in_proportion_to_how_likely_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posterior, "SWEEPS", 60)
    valuations = range(1 << len(CHANCES))
    weights = {(t, f): w for t, f in product(valuations, repeat=2) if (w := weight(t, f))}
    total, runs = sum(weights.values()), 8
    drawn = [Posterior(CHANCES, FORBIDDEN, SCOPES, random.Random(seed)) for seed in range(runs)]
    for each in drawn:
        each.learn(REFUSED, TOGETHER)
    for valuation in valuations:
        exact = sum(w for (t, f), w in weights.items() if accepts(t, f, valuation)) / total
        # 4096 drawn: five standard deviations at most, and what the chances alone add
        assert abs(sum(each.chance(valuation) for each in drawn) / runs - exact) < 0.04


def test_all_that_are_drawn_explain_all_refusals_however_they_come() -> None:
    each = Posterior(CHANCES, FORBIDDEN, SCOPES, random.Random(3))
    for count in range(1, len(REFUSED) + 1):
        refused = set(sorted(REFUSED)[:count])
        each.learn(refused, TOGETHER)
        assert all(each.chance(valuation) <= posterior.FADED for valuation in refused)
        assert not any(true >> NEVER_TRUE & 1 for true in each.drawn)
        assert len(set(each.drawn)) == len(each.drawn)
