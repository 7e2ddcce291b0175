"""Intervals hold what they promise: computed exactly over all counts, not by luck."""

from __future__ import annotations

from math import comb

import pytest

from assay.knowledge.intervals import chi_square_tail, interval, unseen, wilson


@pytest.mark.parametrize(
    ("hits", "tries", "low", "high"),
    [
        (0, 10, 0.0, 0.3085),
        (5, 10, 0.1871, 0.8129),
        (80, 100, 0.7082, 0.8733),
        (1, 1000, 0.0000253, 0.005559),
    ],
)
def test_textbook_values(hits: int, tries: int, low: float, high: float) -> None:
    assert interval(hits, tries, 0.95) == pytest.approx((low, high), abs=1e-4)


def test_covers_at_least_as_often_as_it_says() -> None:
    for tries in (5, 20, 60):
        held = [interval(k, tries, 0.95) for k in range(tries + 1)]
        for probability in (0.01, 0.1, 0.2, 0.5, 0.8, 0.93):
            covered = sum(
                comb(tries, k) * probability**k * (1 - probability) ** (tries - k)
                for k, (low, high) in enumerate(held)
                if low <= probability <= high
            )
            assert covered >= 0.95


def test_never_much_wider_than_wilsons() -> None:
    for tries in (1, 2, 3, 5, 10, 40, 200, 1000):
        for hits in range(0, tries + 1, max(1, tries // 40)):
            low, high = interval(hits, tries, 0.95)
            beside = wilson(hits / tries, tries, 0.95)
            assert high - low <= 1.3 * (beside[1] - beside[0])


def test_what_was_never_seen_is_rare() -> None:
    assert unseen(0, 0.95) == 1
    assert 0.97**98 > 0.05 > 0.97**99
    assert unseen(98, 0.95) > 0.03 > unseen(99, 0.95)


def test_tail_of_chi_square() -> None:
    assert chi_square_tail(3.841, 1) == pytest.approx(0.05, abs=0.005)
    assert chi_square_tail(18.31, 10) == pytest.approx(0.05, abs=0.002)
