"""What assay adds to a simulator's steps is measured on steps that all run."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from assay.cli import app

pytest.importorskip("minigrid")


def test_the_numbers_are_printed_and_kept(tmp_path):
    arguments = ["bench", "simulator", "--steps", "20", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    kept = json.loads((tmp_path / "simulator.json").read_text())
    assert (kept["steps"], kept["atoms"]) == (20, 37)
    cost = kept["microseconds"]
    assert cost["bare environment"] > 0
    difference = cost["through assay, states known"] - cost["bare environment"]
    assert cost["overhead, states known"] == pytest.approx(difference)
    assert "overhead" in done.output


def test_a_world_without_words_is_named():
    done = CliRunner().invoke(app, ["bench", "simulator", "--world", "gym:Pendulum-v1"])
    assert done.exit_code == 2
