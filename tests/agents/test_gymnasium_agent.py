"""Gymnasium environments as agents: refusals, what a call means, the end, what can be rewound."""

from __future__ import annotations

import struct
import textwrap

import pytest

pytest.importorskip("gymnasium")

from toy_env import LEFT, RIGHT, SWITCH, Toy

from assay import (
    AgentError,
    Atom,
    InputError,
    PlanQuery,
    PlanResponse,
    Start,
    Step,
    Universe,
    check_agent,
    predicate,
)
from assay.agents.gym_file import gym_agent, open_gym
from assay.agents.gymnasium import Press, same
from assay.agents.open import open_agent

ROOMS = ("hall", "kitchen", "garden")


@predicate
def at(state, room: "room") -> bool:  # noqa: F821, UP037 - a type of the user's world, as text
    return ROOMS[state[0]] == room


@predicate
def lit(state) -> bool:
    return bool(state[1])


def moved(before, after):
    return ROOMS[before[0]], ROOMS[after[0]]


WALK = {"from": "room", "to": "room"}
WORDS = {
    "environment": Toy,
    "at": at,
    "lit": lit,
    "objects": dict.fromkeys(ROOMS, "room"),
    "actions": {
        "left": Press(LEFT, WALK, moved),
        "right": Press(RIGHT, WALK, moved),
        "light": Press(SWITCH, {}, lambda before, after: () if after[1] else None),
    },
}


def asked(agent, *plan):
    universe = Universe(agent.vocabulary, agent.objects)
    (state,) = agent.states(10, universe)
    answer = agent.ask(PlanQuery(state, tuple(map(Step.parse, plan))))
    return answer.steps, {text for text in answer.state.texts() if not text.startswith("ended")}


def test_a_call_runs_when_what_happened_is_what_it_says():
    agent = gym_agent(WORDS)
    assert asked(agent, "right hall kitchen") == (0, {"at hall"}), "dark: nothing happens"
    assert asked(agent, "light", "right hall garden") == (1, {"at hall", "lit"}), "something else happens"
    assert asked(agent, "light", "right hall kitchen") == (2, {"at kitchen", "lit"})
    assert asked(agent, "light", "light") == (1, {"at hall", "lit"}), "the second press puts the lamp out"


@pytest.mark.parametrize("copies", [True, False])
def test_what_is_refused_is_taken_back(copies):
    agent = gym_agent(WORDS | {"options": {"copies": copies}})
    assert agent.start is (Start.VISITED if copies else Start.RESET)
    simulator = agent._simulator
    simulator.reset(0)
    simulator.step(Step("light"))
    assert simulator.step(Step("right", ("hall", "garden"))) is None
    assert simulator.step(Step("right", ("hall", "kitchen"))).tolist() == [1, 1]
    assert simulator._env.presses == 2
    assert check_agent(agent) == []


def test_a_press_may_be_refused_by_reward_or_info_or_a_rule_of_ones_own():
    def rule(before, after, reward, info):
        return bool(info["blocked"])

    for refused in ("unchanged", "negative reward", "info blocked", rule):
        agent = gym_agent(WORDS | {"refused": refused, "actions": {"right": RIGHT, "switch": SWITCH}})
        assert asked(agent, "right") == (0, {"at hall"})
        assert asked(agent, "switch", "right", "switch", "right") == (3, {"at kitchen"})
    agent = gym_agent(WORDS | {"refused": "info nothing", "actions": {"right": RIGHT}})
    assert asked(agent, "right", "right") == (2, {"at hall"})
    with pytest.raises(InputError, match=r"refused = 'unchangd': write 'unchanged', 'negative reward'"):
        gym_agent(WORDS | {"refused": "unchangd"})


def test_an_action_may_be_several_keys_or_a_function_of_its_arguments():
    agent = gym_agent(WORDS | {"actions": {"enter": [SWITCH, RIGHT], "blink": (SWITCH, SWITCH)}})
    assert asked(agent, "enter") == (1, {"at kitchen", "lit"})
    assert asked(agent, "enter", "enter") == (1, {"at kitchen", "lit"}), "dark after the first of its keys"
    keys = {"kitchen": RIGHT, "hall": LEFT}
    agent = gym_agent(
        WORDS | {"actions": {"go": Press(lambda to: keys[to], {"to": "room"}), "light": SWITCH}}
    )
    assert asked(agent, "light", "go kitchen", "go hall") == (3, {"at hall", "lit"})


def test_the_end_refuses_everything_and_is_told():
    agent = gym_agent(WORDS)
    universe = Universe(agent.vocabulary, agent.objects)
    (state,) = agent.states(1, universe)
    plan = tuple(
        map(Step.parse, ("light", "right hall kitchen", "right kitchen garden", "left garden kitchen"))
    )
    answer = agent.ask(PlanQuery(state, plan))
    assert answer.steps == 3
    assert Atom("ended") in answer.state
    assert agent.ask(PlanQuery(answer.state, plan[3:])) == PlanResponse(0, answer.state, ())
    going_on = gym_agent(WORDS | {"after_end": "continue"})
    assert "ended" not in going_on.vocabulary.predicate
    assert asked(going_on, *(step.text for step in plan)) == (4, {"at kitchen", "lit"})
    with pytest.raises(InputError, match="after_end = 'stop'"):
        gym_agent(WORDS | {"after_end": "stop"})


def test_a_time_limit_is_no_part_of_the_world():
    agent = gym_agent(WORDS | {"actions": {"switch": SWITCH}})
    assert asked(agent, *["switch"] * 150) == (150, {"at hall"})


def test_a_picture_is_the_environments():
    agent = gym_agent(WORDS | {"options": {"render_mode": "rgb_array"}})
    universe = Universe(agent.vocabulary, agent.objects)
    (state,) = agent.states(1, universe)
    shown = agent.picture(state)
    assert shown.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", shown[16:24]) == (6, 4)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"actions": {"jump": 7}}, "action 'jump': the environment has keys 0 to 2, not 7"),
        ({"actions": {"jump": "up"}}, "action 'jump': write a key, several keys or a Press"),
        ({"actions": {"left": Press(LEFT, WALK)}}, "action 'left': it has parameters, so say in `arguments`"),
        ({"environment": "Nowhere-v0"}, "environment 'Nowhere-v0'"),
        ({"environment": "Pendulum-v1"}, "actions are not discrete"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(change, complaint):
    with pytest.raises(InputError, match=complaint):
        gym_agent(WORDS | change)


def test_files_are_named_in_complaints(tmp_path):
    path = tmp_path / "world.py"
    with pytest.raises(InputError, match=r"no vocabulary file .*assay init"):
        open_gym(path)
    path.write_text("environment = 'FrozenLake-v1'\n")
    with pytest.raises(InputError, match=r"world.py: it does not define 'actions'"):
        open_gym(path)
    path.write_text("1 / 0\n")
    with pytest.raises(AgentError, match=r"world.py raised ZeroDivisionError"):
        open_gym(path)


def test_arrays_are_compared_as_a_whole():
    import numpy as np

    assert same({"a": np.array([1, 2])}, {"a": np.array([1, 2])})
    assert not same({"a": np.array([1, 2])}, {"a": np.array([1, 3])})
    assert not same({"a": np.array([1, 2])}, {"a": np.array([1, 2, 3])})
    assert not same((1, np.array([1])), (1,))


SLIPPERY = """
    from assay import predicate
    from assay.agents.gymnasium import Press

    environment = "FrozenLake-v1"
    options = {"is_slippery": SLIPPERY}
    objects = {f"s{n}": "cell" for n in range(8)}

    @predicate
    def at(state, cell: "cell"):
        return f"s{state}" == cell

    @predicate(static=True)
    def right_of(state, one: "cell", other: "cell"):
        a, b = int(one[1:]), int(other[1:])
        return a == b + 1 and b % 4 < 3

    def moved(before, after):
        return f"s{before}", f"s{after}"

    WALK = {"from": "cell", "to": "cell"}
    actions = {"right": Press(2, WALK, moved), "left": Press(0, WALK, moved)}
"""


@pytest.mark.parametrize("slippery", [False, True])
def test_a_random_world_is_caught(tmp_path, slippery):
    path = tmp_path / "lake.py"
    path.write_text(textwrap.dedent(SLIPPERY).replace("SLIPPERY", str(slippery)))
    complaints = check_agent(open_gym(path), questions=20)
    assert bool(complaints) == slippery
    if slippery:
        assert "repeatable" in {c.rule for c in complaints}  # though a copy would repeat its chance


def test_door_key_is_sound_and_ends_at_the_goal():
    pytest.importorskip("minigrid")
    agent = open_agent("minigrid:MiniGrid-DoorKey-5x5-v0", timeout=None)
    assert agent.start is Start.VISITED
    assert check_agent(agent, questions=15) == []
    universe = Universe(agent.vocabulary, agent.objects)
    (state,) = agent.states(1, universe)
    plan = (
        "right west north",
        "pick-up yellow-key c1-3 c1-2 north",
        "forward c1-3 c1-2 north",
        "forward c1-2 c1-1 north",
        "right north east",
        "toggle yellow-door c1-1 c2-1 east",
        "toggle yellow-door c1-1 c2-1 east",
        "toggle yellow-door c1-1 c2-1 east",
        "forward c1-1 c2-1 east",
        "forward c2-1 c3-1 east",
        "right east south",
        "forward c3-1 c3-2 south",
        "forward c3-2 c3-3 south",
        "right south west",
    )
    answer = agent.ask(PlanQuery(state, tuple(map(Step.parse, plan))))
    assert answer.steps == 13
    assert {"ended", "at c3-3", "carrying yellow-key", "is_open yellow-door"} <= set(answer.state.texts())
