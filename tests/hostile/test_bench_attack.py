"""`assay bench attack` in small, without kills and pages: every row holds, and one that does not shows."""

from __future__ import annotations

import json

from assay.bench.attack import Row


def test_every_row_holds(call, tmp_path):
    few = ["--kills", "0", "--changes", "8", "--truncations", "8", "--edits", "4", "--mutants", "80"]
    said = call("bench", "attack", *few, "--no-web", "--hellos", "6", "--seed", "5", "--out", "out").output
    data = json.loads((tmp_path / "out" / "attack.json").read_text())
    assert data["held"], data
    assert len(data["rows"]) == 5
    assert all(row["done"] and row["percent"] == 100 for row in data["rows"])
    assert "model edits rejected" in said


def test_a_failure_shows():
    row = Row("x")
    row.count(None)
    row.count("broke")
    assert (row.held, row.percent) == (1, 50.0)
