"""Pictures: the right states are shown, the report embeds them, and nothing fails for want of them."""

from __future__ import annotations

import json
import re
import struct
import sys
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay import assess
from assay.agents.simulator import SimulatorAgent
from assay.cli import app
from assay.core.symbols import Step
from assay.perception.predicates import predicate
from assay.report.pictures import gallery
from assay.report.pictures.album import CONTRADICTION, FOLDER, Album, read_album
from assay.report.pictures.take import QUESTIONS
from assay.report.write import refresh_report
from assay.result import Outcome

PAGE = Path(__file__).parents[2] / "docs/watch.md"
DOMAINS = Path(__file__).parents[2] / "src/assay/bench/domains"


class Vault:
    """A key, and a door to open with it. Its picture is one colour: red if the key is held, green if open."""

    grabs, jams = 0, 0
    """After so many grabs, whatever is reset, the hand is stuck, and nothing shows it."""

    def reset(self, seed: int) -> dict[str, bool]:
        self.state = {"held": False, "open": False}
        return dict(self.state)

    def step(self, action: Step) -> dict[str, bool] | None:
        state = self.state
        if action.action == "grab" and not state["held"] and not (self.jams and self.grabs >= self.jams):
            self.grabs += 1
            state["held"] = True
        elif action.action == "drop" and state["held"]:
            state["held"] = False
        elif action.action == "unlock" and state["held"] and not state["open"]:
            state["open"] = True
        elif action.action == "lock" and state["open"]:
            state["open"] = False
        else:
            return None
        return dict(state)

    def picture(self) -> bytes:
        return png(200 * self.state["held"], 200 * self.state["open"], 90)


class Rewindable(Vault):
    def snapshot(self) -> object:
        return dict(self.state)

    def restore(self, snapshot) -> dict[str, bool]:
        self.state = dict(snapshot)
        return dict(self.state)


class Jamming(Rewindable):
    jams = 3


class Undrawn(Rewindable):
    def picture(self) -> bytes:
        raise RuntimeError("no paper")


@predicate
def held(state) -> bool:
    return state["held"]


@predicate
def unlocked(state) -> bool:
    return state["open"]


def png(*colour: int, size: int = 8) -> bytes:
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress((b"\0" + bytes(colour) * size) * size)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def agent_of(simulator: Vault) -> SimulatorAgent:
    actions = {"grab": (), "drop": (), "unlock": (), "lock": ()}
    return SimulatorAgent(simulator, predicates=[held, unlocked], actions=actions, objects={}, name="vault")


def taken(simulator: Vault, folder: Path) -> Album | None:
    assess(agent_of(simulator), out=folder)
    return read_album(folder)


def colour(path: Path) -> tuple[bool, bool]:
    """Whether the picture shows the key held, and the door open."""
    image = pytest.importorskip("PIL.Image").open(BytesIO(path.read_bytes())).convert("RGB")
    red, green, _ = image.getpixel((image.width // 2, 4))
    return red > 100, green > 100


@pytest.mark.parametrize("simulator", [Vault, Rewindable])
def test_stills_show_the_failing_witness_beside_a_state_in_which_it_ran(simulator, tmp_path: Path):
    album = taken(simulator(), tmp_path / "run")
    assert album is not None
    assert not album.notes
    needs = {
        ("grab", "not held"),
        ("drop", "held"),
        ("unlock", "held"),
        ("unlock", "not unlocked"),
        ("lock", "unlocked"),
    }
    assert {(still.action, still.atom) for still in album.stills} == needs
    pictures = tmp_path / "run" / FOLDER
    assert (pictures / "unlock-held.png").exists()
    assert (pictures / "unlock-not-unlocked.png").exists()
    for still in album.stills:
        assert still.ran is not None
        refused, ran = colour(pictures / still.refused.file), colour(pictures / still.ran.file)
        needed = not still.atom.startswith("not ")
        place = ["held", "unlocked"].index(still.atom.removeprefix("not "))
        assert (refused[place], ran[place]) == (not needed, needed), still
        assert refused[1 - place] == ran[1 - place], "a state that differs in nothing else was to be had"
    (still,) = [s for s in album.stills if (s.action, s.atom) == ("unlock", "held")]
    assert still.refused.caption == f"Question {still.refused.question}: unlock was refused."


def test_the_animation_tells_the_most_telling_questions(tmp_path: Path):
    image = pytest.importorskip("PIL.Image")
    album = taken(Rewindable(), tmp_path / "run")
    assert album is not None
    assert len(album.frames) <= 2 * QUESTIONS
    moving = image.open(tmp_path / "run" / FOLDER / album.animation)
    assert moving.format == "GIF"
    assert 1 < moving.n_frames <= len(album.frames)
    told = " ".join(album.frames)
    assert "So unlock needs that" in told
    for action in ("grab", "drop", "unlock", "lock"):
        assert f"{action} ran here" in told
        assert f"{action} was refused" in told


def test_the_report_shows_them(tmp_path: Path, monkeypatch):
    folder = tmp_path / "run"
    assert taken(Rewindable(), folder) is not None
    page = (folder / "report.html").read_text()
    assert page.count("data:image/gif;base64,") == 1
    assert page.count("<img ") == 1 + 2 * 5
    assert len(page) < 1_000_000
    monkeypatch.setattr(gallery, "EMBEDDED", 10)
    assert "data:image" not in refresh_report(folder).read_text()


def test_pictures_change_nothing_in_the_journal(tmp_path: Path):
    assert taken(Rewindable(), tmp_path / "shown") is not None
    assert taken(Undrawn(), tmp_path / "undrawn") is None
    assert not (tmp_path / "undrawn" / FOLDER).exists()
    assert "<img " not in (tmp_path / "undrawn" / "report.html").read_text()
    journals = {(tmp_path / name / "journal.jsonl").read_bytes() for name in ("shown", "undrawn")}
    assert len(journals) == 1


def test_without_pillow_there_are_stills_and_a_note(tmp_path: Path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.delitem(sys.modules, "assay.report.pictures.draw", raising=False)
    monkeypatch.delattr("assay.report.pictures.draw", raising=False)
    album = taken(Rewindable(), tmp_path / "run")
    assert album is not None
    assert not album.animation
    assert "Pillow" in album.notes[0]
    assert (tmp_path / "run" / FOLDER / "unlock-held.png").read_bytes() == png(0, 0, 90)


def test_a_contradiction_is_shown_side_by_side(tmp_path: Path):
    image = pytest.importorskip("PIL.Image")
    folder, agent = tmp_path / "run", agent_of(Jamming())
    assert assess(agent, start="reset", out=folder).outcome is Outcome.CONTRADICTION
    page, album = (folder / "report.html").read_text(), read_album(folder)
    assert album is not None
    assert album.contradiction == CONTRADICTION
    assert len(album.answers) >= 2
    ends = {colour(folder / FOLDER / after.file) for _, after in album.answers}
    assert len(ends) == 2, "one answer holds the key, the other does not"
    sheet = image.open(folder / FOLDER / CONTRADICTION)
    assert sheet.width > sheet.height / 2
    assert page.count("data:image/png;base64,") >= 2 * len(album.answers)


def test_watch_takes_the_pictures_of_a_run_again(tmp_path: Path):
    pytest.importorskip("minigrid")
    pytest.importorskip("PIL")
    folder, runner = tmp_path / "run", CliRunner()
    run = ["run", "babyai:vault:0", "--budget", "30", "--out", str(folder), "--json"]
    assert runner.invoke(app, run).exit_code == 3
    for file in folder.glob(f"{FOLDER}/*"):
        file.unlink()
    watched = runner.invoke(app, ["watch", str(folder)])
    assert watched.exit_code == 0, watched.output
    assert " was refused." in watched.output
    assert watched.output.rstrip().endswith(f"Animation: {folder / FOLDER / 'questions.gif'}")
    before = (folder / FOLDER / "index.json").stat().st_mtime_ns
    data = json.loads(runner.invoke(app, ["watch", str(folder), "--json"]).output)
    assert data["questions"]
    assert data["album"]["stills"]
    assert (folder / FOLDER / "index.json").stat().st_mtime_ns == before, "they were there already"


def skeletons(text: str) -> set[str]:
    """The lines, whatever questions and objects they are about."""
    return {re.sub(r"[\w-]+\([^)]*\)|\d+", "#", line) for line in text.splitlines()}


def test_watch_tells_a_run_without_pictures_in_words(tmp_path: Path):
    folder, runner = tmp_path / "run", CliRunner()
    spec = f"pddl:{DOMAINS / 'delivery.pddl'},{DOMAINS / 'delivery-problem.pddl'}"
    assert runner.invoke(app, ["run", spec, "--out", str(folder), "--json"]).exit_code == 0
    watched = runner.invoke(app, ["watch", str(folder)])
    assert watched.exit_code == 0
    assert "So drive(T, FROM, TO) needs that road(FROM, TO) is true." in watched.output
    (shown,) = re.findall(r"\$ assay watch results/delivery\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert skeletons(shown) <= skeletons(watched.output)
    assert "Animation" not in watched.output
    assert not (folder / FOLDER).exists()
    odd = runner.invoke(app, ["watch", str(folder), "--agent", f"pddl:{DOMAINS / 'gripper.pddl'}"])
    assert odd.exit_code == 2
