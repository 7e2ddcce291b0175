"""Drafted vocabulary files run as they are, and show what was found."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from toy_env import Toy
from typer.testing import CliRunner

from assay import InputError, Outcome, assess, check_agent
from assay.agents.gym_draft import draft, word
from assay.agents.gym_draft_text import draft_text
from assay.agents.gym_file import open_gym
from assay.cli import app

gymnasium.register(id="assay/Toy-v0", entry_point=Toy)


def test_parts_and_keys_are_found():
    found = draft("assay/Toy-v0")
    assert found.parts == {"observation_0": "observation[0]", "observation_1": "observation[1]"}
    assert found.values["observation_1"] == ["observation-1-0", "observation-1-1"]
    by_action = {change.action: change for change in found.changes}
    assert by_action["press-2"].depends == ("observation_1",), "the switch works in every room"
    assert by_action["press-1"].depends == ("observation_0", "observation_1"), "walking needs light"
    assert by_action["press-1"].table == (("observation-0-0", "observation-1-1", "observation-0-1"),), (
        "not the end"
    )
    assert found.draws
    assert any("env.presses" in other for other in found.others), "a counter is no part of the state"


def test_what_depends_on_more_than_is_seen_is_left_out():
    pytest.importorskip("minigrid")
    found = draft("minigrid:MiniGrid-DoorKey-5x5-v0")
    assert {change.action for change in found.changes} == {"left", "right", "forward", "pickup"}
    assert "two ways" in found.left_out["drop"]
    assert "never seen" in found.left_out["done"]


@pytest.mark.parametrize("name", ["assay/Toy-v0", "CliffWalking-v1", "minigrid:MiniGrid-DoorKey-5x5-v0"])
def test_a_draft_runs_as_it_is(tmp_path, name):
    if name.startswith("minigrid"):
        pytest.importorskip("minigrid")
    path = tmp_path / "draft.py"
    done = CliRunner().invoke(app, ["init", name, "--out", str(path)])
    assert done.exit_code == 0, done.output
    assert f"assay check gym:{path}" in done.output
    assert check_agent(open_gym(path), questions=6) == []
    result = assess(open_gym(path), strategy="acting", budget=20)
    assert result.outcome is not Outcome.CONTRADICTION
    assert result.questions


def test_a_file_is_not_overwritten(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("mine")
    done = CliRunner().invoke(app, ["init", "assay/Toy-v0", "--out", str(path)])
    assert done.exit_code == 2
    assert path.read_text() == "mine"


def test_the_text_is_the_same_every_time():
    assert draft_text(draft("assay/Toy-v0"), "toy.py") == draft_text(draft("assay/Toy-v0"), "toy.py")


def test_words_for_values():
    assert word("agent_pos", (1, 2)) == "agent-pos-1-2"
    assert word("x", np.int64(-3)) == "x-minus-3"
    assert word("x", 0.5) == "x-not-negative"
    assert word("x", None) == "x-none"
    assert word("x", "Get the KEY!") == "x-get-the-key"
    assert word("x", object()) == "x-object"


def test_an_environment_without_keys_is_refused():
    with pytest.raises(InputError, match="not discrete"):
        draft("Pendulum-v1")


def test_an_environment_of_a_package_is_named_with_it():
    with pytest.raises(InputError, match="name that too: minigrid:MiniGrid-Nowhere-v0"):
        draft("MiniGrid-Nowhere-v0")
    with pytest.raises(InputError, match=r"doesn't exist.*PACKAGE:Elsewhere-v0"):
        draft("Elsewhere-v0")
    with pytest.raises(InputError) as caught:
        draft("minigrid:MiniGrid-Nowhere-v0")
    assert "name that too" not in str(caught.value)
