"""Outcomes read off counted runs, also where a valuation hides the difference between two of them."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from assay.knowledge.outcomes import fit, outcomes

Effects = tuple[int, int]
"""What an outcome adds, and what it deletes."""


def drawn(truth: dict[Effects, float], valuations: dict[int, int], seed: int = 0) -> dict[int, Counter[int]]:
    """Runs of a capability with these outcomes, so many under each valuation."""
    rng, found = random.Random(seed), {}
    for valuation, count in valuations.items():
        chosen = rng.choices(list(truth), list(truth.values()), k=count)
        found[valuation] = Counter(valuation & ~delete | add for add, delete in chosen)
    return found


def learned(runs: dict[int, Counter[int]], size: int) -> dict[Effects, float]:
    return {(b.add, b.delete): b.probability for b in outcomes(runs, size).branches}


@pytest.mark.parametrize(
    ("truth", "valuations"),
    [
        ({(1, 0): 1.0}, {0: 3, 1: 3}),
        ({(1, 0): 0.7, (0, 0): 0.3}, {0: 200, 1: 200}),
        ({(1, 0): 0.7, (0, 1): 0.3}, {0: 300, 1: 300}),  # each valuation shows one of the two
        ({(1, 0): 0.5, (0, 1): 0.2, (0, 0): 0.3}, {0: 400, 1: 400}),  # no valuation shows all three
        ({(3, 0): 0.6, (1, 0): 0.2, (2, 4): 0.2}, {4: 300, 5: 60, 6: 60}),  # overlapping
        ({(2, 1): 0.2, (0, 0): 0.1, (4, 0): 0.7}, {1: 60, 5: 300}),  # most runs hide one
        ({(1, 0): 0.99, (0, 2): 0.01}, {2: 1000, 3: 50, 0: 50}),
    ],
)
def test_finds_the_outcomes(truth: dict[Effects, float], valuations: dict[int, int]) -> None:
    for seed in range(5):
        found = learned(drawn(truth, valuations, seed), 3)
        assert found.keys() == truth.keys()
        assert all(abs(found[e] - p) < 0.12 for e, p in truth.items())
        assert sum(found.values()) == pytest.approx(1)


def test_says_what_is_ambiguous() -> None:
    (branch,) = outcomes({0b01: Counter({0b11: 5})}, 3).branches
    assert (branch.add, branch.delete) == (0b10, 0)
    assert branch.modes.ambiguous == 0b101
    (branch,) = outcomes({0b01: Counter({0b11: 5}), 0b100: Counter({0b110: 1})}, 3).branches
    assert branch.modes.ambiguous == 0


def test_counts_only_where_an_outcome_shows() -> None:
    runs = {0: Counter({1: 70, 0: 30}), 1: Counter({1: 500})}
    first, second = outcomes(runs, 1).branches
    assert (first.add, first.hits, first.tries) == (1, 70, 100)
    assert (second.add, second.hits, second.tries) == (0, 30, 100)
    assert first.probability == pytest.approx(0.7, abs=1e-3)


def test_no_runs_no_outcomes() -> None:
    assert outcomes({}, 4).branches == ()


def test_sees_that_chance_depends_on_the_situation() -> None:
    even = drawn({(1, 0): 0.5, (0, 0): 0.5}, {0b00: 300, 0b10: 300})
    assert fit(even, 2) > 1e-6
    uneven = {0b00: Counter({0b01: 270, 0b00: 30}), 0b10: Counter({0b11: 30, 0b10: 270})}
    # the second atom never changes, and yet the outcomes go by it
    assert fit(uneven, 2) < 1e-6
