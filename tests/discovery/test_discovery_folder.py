"""Result folders of studies: the journal, resuming, comparing, the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli import app
from assay.discovery.study import REACHES, study
from assay.errors import JournalError
from assay.games.opening import open_game
from assay.pddl.reader import read_domain

SPEC = "game:zelda:3x4:search"


def run(*args: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(a) for a in args])
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("studies")
    found = {}
    for kind in ("search", "policy-hand"):
        found[kind] = base / kind
        code, output = run("run", f"game:zelda:4x4:{kind}", "--seed", 3, "--out", found[kind], "-q")
        assert code == 0, output
    return found


def test_a_run_leaves_everything_in_its_folder(folders: dict[str, Path]) -> None:
    folder = folders["search"]
    model = read_domain((folder / "model.pddl").read_text())
    assert {"kill_monster", "pick_up_key", "escape", "move"} <= {a.header.name for a in model.actions}
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["complete"]
    assert summary["agent_questions"] == len((folder / REACHES).read_text().splitlines()) - 1
    assert summary["agent_seconds"] <= summary["seconds"]
    page = (folder / "description.md").read_text()
    assert "the agent can act to reach a state where" in page
    assert (folder / "pictures" / "kill_monster-before.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_seed_gives_the_same_journal_and_a_resumed_run_too(tmp_path: Path) -> None:
    player = open_game("zelda:3x4:search", 3)
    study(player, seed=3, out=tmp_path / "one")
    study(open_game("zelda:3x4:search", 3), seed=3, out=tmp_path / "two", budget=9)
    whole, part = ((tmp_path / n / REACHES).read_bytes() for n in ("one", "two"))
    assert whole.startswith(part)
    assert len(part.splitlines()) == 10
    (tmp_path / "two" / REACHES).write_bytes(part + b'{"n":10,"fro')  # killed while writing
    again = study(open_game("zelda:3x4:search", 3), seed=3, out=tmp_path / "two", resume=True)
    assert (tmp_path / "two" / REACHES).read_bytes() == whole
    assert again.questions == len(whole.splitlines()) - 1


def test_an_edited_journal_is_not_believed(tmp_path: Path) -> None:
    study(open_game("zelda:3x4:search", 3), seed=3, out=tmp_path, budget=5)
    text = (tmp_path / REACHES).read_bytes()
    (tmp_path / REACHES).write_bytes(text.replace(b'"keys":["', b'"keys":["W","', 1))
    with pytest.raises(JournalError, match="the hash does not match"):
        study(open_game("zelda:3x4:search", 3), seed=3, out=tmp_path, resume=True)


def test_a_journal_of_another_seed_is_not_resumed(tmp_path: Path) -> None:
    study(open_game("zelda:3x4:search", 3), seed=3, out=tmp_path, budget=5)
    with pytest.raises(JournalError, match="begun with another agent, seed or interest"):
        study(open_game("zelda:3x4:search", 4), seed=4, out=tmp_path, resume=True)


def test_a_budget_and_a_resume_from_the_command_line(tmp_path: Path) -> None:
    code, _ = run("run", SPEC, "--seed", 3, "--budget", 7, "--out", tmp_path / "x", "-q")
    assert code == 3
    code, output = run("resume", tmp_path / "x", "--budget", 500, "--json")
    assert code == 0
    assert json.loads(output)["complete"]
    code, output = run("run", SPEC, "--out", tmp_path / "x", "-q")
    assert code == 2
    assert "already holds a run" in output


def test_diff_says_what_the_policy_cannot_do_and_shows_where(folders: dict[str, Path]) -> None:
    code, output = run("diff", folders["search"], folders["policy-hand"])
    assert code == 1
    assert "kill_monster: only the first can without (has_key)" in output
    assert "the second refused here to bring about" in output
    code, output = run("diff", folders["policy-hand"], folders["search"], "--json")
    (ability,) = json.loads(output)["abilities"]
    assert ability["only"] == "second"
    assert "at player1" in " ".join(ability["witness"])
    code, output = run("diff", folders["search"], folders["search"])
    assert code == 0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["run", SPEC, "--strategy", "chain"], "--strategy: this agent presses keys"),
        (["check", SPEC], "presses keys and answers no questions about plans"),
        (["run", SPEC, "--interest", "treasure"], "no predicate 'treasure'"),
        (["run", "game:zelda:3x4:oracle"], "there is no player 'oracle'"),
    ],
)
def test_what_does_not_fit_is_said(
    args: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, output = run(*args)
    assert code == 2
    assert said in " ".join(output.split())


def test_your_own_simulator(tmp_path: Path) -> None:
    code, output = run("run", "python:examples.vacuum:vacuum", "--out", tmp_path, "--json")
    assert code == 0, output
    assert json.loads(output)["capabilities"] == ["end_bag_full", "end_dirty", "move"]
    assert (
        "If the robot is at room HERE and room THERE is next to HERE"
        in (tmp_path / "description.md").read_text()
    )
