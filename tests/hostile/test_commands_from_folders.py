"""A folder from somebody else runs nothing; one's own goes on as before."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def trap(finished, tmp_path):
    """A folder whose agent leaves a mark when it is started."""
    path = finished / "run.json"
    options = json.loads(path.read_text())
    path.write_text(json.dumps(options | {"agent": f"exec:touch {tmp_path / 'mark'}\u202e"}))
    (finished / "journal.jsonl").write_bytes(
        b"".join((finished / "journal.jsonl").read_bytes().splitlines(keepends=True)[:3])
    )
    return finished


@pytest.mark.parametrize(("command", "code"), [("resume", 2), ("watch", 0)])
def test_a_command_from_a_folder_is_shown_and_not_run(call, trap, tmp_path, command, code):
    said = call(command, str(trap), code=code).output
    assert "touch" in said
    assert "\\u202e" in said
    assert "--trust" in said
    assert not (tmp_path / "mark").exists()


def test_trust_runs_it(call, trap, tmp_path):
    said = call("resume", str(trap), "--trust", code=2).output
    assert "touch" in said
    assert any(path.name.startswith("mark") for path in tmp_path.iterdir())


def test_a_copied_tag_does_not_vouch_for_another_command(call, lamps, finished, tmp_path):
    options = json.loads((finished / "run.json").read_text())
    assert options["made_here"]
    options["agent"] += " --else"
    (finished / "run.json").write_text(json.dumps(options))
    call("resume", str(finished), code=2)


def test_ones_own_folder_goes_on_wherever_it_lies(call, lamps, tmp_path):
    call("run", lamps(), "--out", "r", "--budget", "2", "--quiet", code=3)
    (tmp_path / "r").rename(tmp_path / "moved")
    call("resume", "moved", "--budget", "100", "--quiet")


def test_without_a_home_runs_still_work_and_ask_to_be_trusted(call, lamps, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file" / "state"))
    call("run", lamps(), "--out", "r", "--budget", "2", "--quiet", code=3)
    call("resume", "r", "--budget", "100", "--quiet", code=2)
    call("resume", "r", "--budget", "100", "--quiet", "--trust")
