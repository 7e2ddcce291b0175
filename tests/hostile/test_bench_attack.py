"""`assay bench attack` in small, without kills and pages: every row holds, and one that does not shows."""

from __future__ import annotations

from assay.bench.attack import Row


def test_a_failure_shows():
    row = Row("x")
    row.count(None)
    row.count("broke")
    assert (row.held, row.percent) == (1, 50.0)
