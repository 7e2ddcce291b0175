"""Result folders of studies: the journal, resuming, comparing, the command line."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from players import Odd, superstitious
from typer.testing import CliRunner

from assay.agents.timed_keys import TimedKeys
from assay.cli import app
from assay.core.reach import Answer
from assay.discovery.discover import Limits
from assay.discovery.folder import write_study
from assay.discovery.study import REACHES, study
from assay.errors import AgentTimeout, JournalError
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


def test_the_report_is_one_page_with_everything_in_it(folders: dict[str, Path]) -> None:
    folder = folders["search"]
    page = (folder / "report.html").read_text()
    assert page.count('src="data:image/png;base64,') == 2 * 6
    assert "http" not in page.partition("<body>")[2]
    for told in json.loads((folder / "capabilities.json").read_text())["capabilities"]:
        assert told["sentence"].split("`")[0] in page
        assert " ".join(told["examples"][0]["keys"]) in page
    assert "No telling question is left within what was explored." in page
    (folder / "report.html").unlink()
    code, output = run("report", folder)
    assert code == 0, output
    assert (folder / "report.html").read_text() == page


def test_a_report_escapes_what_the_files_say_and_shows_no_other_files(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    shutil.copytree(folders["search"], tmp_path / "x")
    (tmp_path / "secret").write_text("do not show")
    (tmp_path / "x" / "pictures" / "odd.png").write_text("<script>")
    path = tmp_path / "x" / "capabilities.json"
    told = json.loads(path.read_text())
    told["agent"] = told["capabilities"][0]["sentence"] = "<script>alert(1)</script>"
    told["capabilities"][0]["pictures"] = ["../secret", "pictures/odd.png"]
    path.write_text(json.dumps(told))
    code, _ = run("report", tmp_path / "x")
    page = (tmp_path / "x" / "report.html").read_text()
    assert code == 0
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert page.count('src="data:image/png;base64,') == 2 * 5


def test_an_unfinished_folder_has_no_report_and_is_not_verified(tmp_path: Path) -> None:
    study(open_game("zelda:3x4:search", 3), seed=3, out=tmp_path, budget=5)
    for command in ("report", "verify"):
        code, output = run(command, tmp_path)
        assert code == 2
        assert "no finished study" in " ".join(output.split())


def test_complete_says_within_what_was_explored(tmp_path: Path) -> None:
    bounded = Limits(starts=2, regions=20, deep_regions=20)
    player = open_game("zelda:4x4:search", 3)
    found = study(player, seed=3, limits=bounded, out=tmp_path)
    assert found.complete
    assert not found.summary()["explored_all"]
    write_study(found, player, tmp_path)
    for name in ("description.md", "summary.json", "report.html"):
        text = (tmp_path / name).read_text()
        assert "No telling question is left within what was explored. Exploration was bounded" in text


def test_a_question_that_takes_too_long_ends_the_run_and_can_be_asked_again(tmp_path: Path) -> None:
    waiting = threading.Event()

    def slow(low: Any, target: Any, reach: Callable[..., Answer]) -> Answer:
        if len(player.asked) == 4:
            waiting.wait(60)
        return reach(low, target)

    player = Odd("zelda:3x4:search", 3, slow)
    with pytest.raises(AgentTimeout, match=r"question 4: .* no answer within 2 s.*resume") as caught:
        study(TimedKeys(player, 2), seed=3, out=tmp_path)
    assert caught.value.result is not None, "what was learned before is kept"
    waiting.set()
    assert len((tmp_path / REACHES).read_text().splitlines()) == 4
    again = study(TimedKeys(open_game("zelda:3x4:search", 3), 60), seed=3, out=tmp_path, resume=True)
    whole = study(open_game("zelda:3x4:search", 3), seed=3)
    assert again.questions == whole.questions
    assert again.complete


def test_the_time_limit_of_a_run_is_kept_for_its_resumption(folders: dict[str, Path]) -> None:
    assert json.loads((folders["search"] / "run.json").read_text())["timeout"] == 60
    assert {"version", "python"} <= json.loads((folders["search"] / "run.json").read_text()).keys()


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


def test_diff_shows_a_refusal_of_what_the_same_words_promise(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    player = Odd("zelda:4x4:search", 3, superstitious)
    found = study(player, name="superstitious", seed=3, limits=Limits(starts=10), out=tmp_path)
    write_study(found, player, tmp_path)
    code, output = run("diff", folders["search"], tmp_path)
    assert code == 1
    assert "move: the second does so only at times, and no words tell when; the first always" in output
    written = json.loads((tmp_path / "capabilities.json").read_text())["capabilities"]
    refused = next(c["promised"][0]["state"] for c in written if c["name"] == "move")
    assert " ".join(f"({fact})" for fact in refused) in output
    code, output = run("verify", tmp_path)
    assert code == 3, output


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["run", SPEC, "--strategy", "chain"], "--strategy: this agent presses keys"),
        (["check", SPEC], "presses keys and answers no questions about plans"),
        (["run", SPEC, "--interest", "treasure"], "no predicate 'treasure'"),
        (["run", SPEC, "--interest", "(escaped"], "atom '(escaped': write a name and its arguments"),
        (["run", SPEC, "--planner", "fast-downward"], "--planner: this agent presses keys"),
        (["run", SPEC, "--confidence", "0.9"], "--confidence: only for agents with chance"),
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
        "the agent can act to reach a state where `at(ROBOT, THERE)` is true"
        in (tmp_path / "description.md").read_text()
    )
