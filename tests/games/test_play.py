"""`assay play` with keys from a file and from a terminal, and `assay train`."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from assay.cli import app
from assay.core.reach import Reached
from assay.games import open_game
from assay.games.instances import random_game
from assay.games.search import reach_condition


def call(*arguments, keys="", code=0):
    result = CliRunner().invoke(app, list(arguments), input=keys)
    assert result.exit_code == code, result.output
    return result.output


def test_a_whole_game():
    game = random_game("zelda", 3, 4, 3)
    way = reach_condition(game, game.initial, game.winning)
    assert isinstance(way, Reached)
    shown = call("play", "zelda:3x4", "--seed", "3", keys="".join(way.keys).lower() + "wwww")
    assert shown.rstrip().endswith(f"Won, with {len(way.keys)} keys.")
    assert "+(has_key)" in shown
    assert "-(monster_alive monster1)" in shown
    assert "+(escaped)" in shown


def test_what_changes_is_said_after_each_key():
    shown = call("play", "zelda:3x4", "--seed", "3", keys="D\nd\n?W\nW\nq\nD")
    said = [line for line in shown.splitlines() if line[1:3] == ": "]
    assert said == [
        "D: the player turns; no fact changes",
        "D: +(at player1 cell_2_0), +(clear cell_1_0), -(at player1 cell_1_0)",
        "?: no key of the game",
        "W: the player turns; no fact changes",
        "W: nothing happens",
    ]


def test_once_more():
    shown = call("play", "escape", "--seed", "1", keys="dddr").splitlines()
    board = shown[2:7]
    assert board[0].startswith("+--")
    assert shown[-5:] == board


def test_a_game_that_is_none():
    assert "there are zelda, pasta" in call("play", "pong", code=2)
    assert "for example 5x6" in call("play", "zelda:big", code=2)


def test_in_a_terminal_keys_need_no_return():
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    playing = subprocess.Popen(
        [sys.executable, "-m", "assay", "play", "zelda:3x4", "--seed", "3"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert playing.stdout.readline().startswith("Pv player")
        os.write(ours, b"\x1b[Cdq")  # the right arrow, D, Q
        shown, _ = playing.communicate(timeout=60)
    finally:
        playing.kill()
        os.close(ours)
        os.close(theirs)
    assert playing.returncode == 0
    assert "D: the player turns; no fact changes" in shown
    assert "+(at player1 cell_2_0)" in shown


def test_training_writes_a_table_and_a_curve(tmp_path, monkeypatch):
    from assay.games import learned

    short = learned.train.__wrapped__
    monkeypatch.setattr(learned, "train", lambda *setting: short(*setting, episodes=2_000))
    out = tmp_path / "trained"
    (told,) = json.loads(call("train", "zelda", "--out", str(out), "--json"))
    assert told["game"] == "zelda"
    assert (out / "curve.svg").read_text().count("<polyline") == 1
    agent = open_game(f"zelda:3x4:policy-learned:{out / 'zelda.json'}")
    turns = [agent.reach(low, agent.press(low, key)) for low in agent.starts(10) for key in "WAD"]
    assert sum(isinstance(answer, Reached) for answer in turns) > len(turns) / 2
    call("train", "zelda", "--out", str(tmp_path / "again"))
    assert (tmp_path / "again/zelda.json").read_bytes() == (out / "zelda.json").read_bytes()
    assert "there is no game" in call("train", "pong", "--out", str(out), code=2)
    (tmp_path / "file").write_text("")
    assert "cannot write" in call("train", "zelda", "--out", str(tmp_path / "file"), code=2)
