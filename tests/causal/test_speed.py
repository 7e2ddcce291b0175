"""The first ten causes for a plan of 20 steps over 200 atoms come in under two seconds."""

from assay.bench.causes import measure


def test_the_first_ten_causes_come_quickly() -> None:
    (row,) = measure(((20, 200),))
    assert row.steps == 20
    assert row.atoms >= 200
    assert row.causes == 10
    assert row.seconds < 2
