"""Well-known simulators by name, learned and held against the bare environment."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from assay import InputError, Outcome, Start, assess, check_agent
from assay.agents.open import open_agent
from assay.cli import app
from assay.core.model import ActionModel, Model
from assay.core.universe import Universe
from assaylab.bench.bare import BareWorld, agreement
from assaylab.worlds.opening import open_world, world_words

pytest.importorskip("gymnasium")

TOYS = ("gym:FrozenLake-v1", "gym:CliffWalking-v1", "gym:Taxi-v4,seed=2")


def judged(world: str, model: Model, limit: int = 20_000):
    agent = open_world(world)
    universe = Universe(agent.vocabulary, agent.objects)
    return agreement(model, BareWorld(world_words(world), universe), universe, limit)


@pytest.mark.parametrize("world", TOYS)
def test_a_world_keeps_the_promises_of_a_simulator(world):
    with open_agent(world, timeout=None) as agent:
        assert agent.start is Start.VISITED
        assert check_agent(agent, questions=6) == []


@pytest.mark.parametrize("level", ["DoorKey-5x5", "LavaGapS5", "Empty-5x5"])
def test_a_minigrid_level_is_opened(level):
    pytest.importorskip("minigrid")
    with open_agent(f"minigrid:MiniGrid-{level}-v0,seed=1", timeout=None) as agent:
        actions = {a.name for a in agent.vocabulary.actions}
        assert ("toggle" in actions) == level.startswith("DoorKey")
        assert "forward" in actions


def test_the_lake_is_learned_as_it_is():
    world = "gym:FrozenLake-v1"
    result = assess(open_world(world))
    assert result.complete
    found = judged(world, result.model)
    assert (found.states, found.transitions, found.whole) == (16, 64, True)
    assert found.right, found.first


def test_the_judge_tells_what_is_wrong():
    world = "gym:FrozenLake-v1"
    model = assess(open_world(world), strength=0, recheck=0).model
    east = model.action["east"]
    idle = ActionModel.adl(east.header, east.precondition, ())
    others = tuple(a for a in model.actions if a.header.name != "east")
    elsewhere = judged(world, Model(model.vocabulary, (*others, idle)))
    assert elsewhere.elsewhere
    assert elsewhere.first.endswith("leads elsewhere in at c0-0")
    assert judged(world, Model(model.vocabulary, others)).refused
    free = ActionModel.strips(east.header, (), ())
    assert judged(world, Model(model.vocabulary, (*others, free))).promised
    assert not judged(world, model, limit=10).whole


def test_a_slippery_lake_is_chance():
    lake = open_world("gym:FrozenLake-v1,is_slippery=true")
    assert {c.rule for c in check_agent(lake)} == {"repeatable"}
    assert assess(lake, budget=300).outcome is Outcome.CONTRADICTION


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("gym:Pendulum-v1", "there are words for CliffWalking-v1, FrozenLake-v1, Taxi-v4"),
        ("minigrid:MiniGrid-UnlockPickup-v0", "there are words for MiniGrid-DistShift"),
        ("gym:FrozenLake-v1,8x8", "'8x8' is no option of a world; write NAME=VALUE"),
        ("gym:FrozenLake-v1,depth=3", "unexpected keyword argument 'depth'"),
        ("gym:nowhere.py", "no vocabulary file"),
    ],
)
def test_what_cannot_be_opened_is_said(spec, reason):
    with pytest.raises(InputError, match=reason):
        open_agent(spec, timeout=None)


def test_the_command_prints_and_keeps(tmp_path):
    arguments = ["bench", "worlds", "--worlds", "gym:FrozenLake-v1", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    (row,) = json.loads((tmp_path / "worlds.json").read_text())["rows"]
    assert row["outcome"] == "complete"
    assert row["agreement"]["transitions"] == 64
