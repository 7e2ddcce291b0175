"""The benchmark of capabilities, on the smallest grids."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.bench import games
from assay.cli import app


def test_the_table_and_its_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "LARGEST", "4x4")
    command = "bench games --games escape --agents search --sizes 3x3 --seeds 1 --situations 20 --workers 1"
    result = CliRunner().invoke(app, [*command.split(), "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    data = json.loads((tmp_path / "games.json").read_text())
    (run,) = data["runs"]
    assert run["theorem"]
    assert run["agent_questions"] <= games.PUBLISHED["escape", "3x3"] / 2
    assert run["score"]["wrong"] == run["score"]["missed"] == 0
    assert data["few_shot"]["escape search"][0]["wrong"] == 0


def test_a_wrong_description_is_seen_to_be_wrong() -> None:
    from assay.core.model import Model
    from assay.discovery.study import study
    from assay.games.opening import open_game

    right = study(open_game("escape:3x3:search", 0)).description.model
    less = Model(right.vocabulary, tuple(a for a in right.actions if a.header.name != "move"))
    assert games.examine(less, "escape:3x3:search", 0, 30).recall < 1
    bolder = next(a for a in right.actions if a.header.name == "move")
    weakened = type(bolder).deterministic(
        bolder.header,
        frozenset(x for x in bolder.precondition if x.atom.predicate != "clear"),
        bolder.effects,
    )
    more = Model(right.vocabulary, (weakened,))
    assert games.examine(more, "escape:3x3:search", 0, 30).precision < 1


def test_unknown_names_are_said() -> None:
    result = CliRunner().invoke(app, ["bench", "games", "--games", "chess"])
    assert result.exit_code == 2
    assert "there is no game 'chess'" in result.output
