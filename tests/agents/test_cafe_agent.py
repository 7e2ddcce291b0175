"""The cafe's robot: what it does follows from poses and contact, and is the same again from the same seed."""

from __future__ import annotations

import random
import re
import runpy
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

if find_spec("mujoco") is None:  # not importorskip: the agent says how it is to draw, before it is imported
    pytest.skip("MuJoCo is not installed", allow_module_level=True)

from assay.agents.cafe import CafeSimulator, open_cafe
from assay.agents.cafe_room import CAN_CENTRE, TOP, Room
from assay.agents.cafe_scene import docked, held, passable, stands_on
from assay.agents.cafe_vocabulary import SETTINGS
from assay.core.execution import Execution
from assay.core.query import Invalid, PlanQuery, PlanResponse, Start
from assay.core.symbols import Step
from assay.core.universe import Universe
from assay.errors import InputError
from assay.pddl.reader import read_ppddl

ROOT = Path(__file__).parents[2]
GRASP = "grasp gripper counter can-1 robot"


def simulator(name, seed=0):
    made = CafeSimulator(SETTINGS[name], Room.of(2, 2), seed)
    made.reset(0)
    return made


def do(cafe, *steps):
    for step in steps:
        state = cafe.step(Step.parse(step))
        assert state is not None, cafe.refusal
    return state


def pick(cafe, step="pick-item counter can-1", wanted=lambda state: held(state, "can-1")):
    """Tries, from where it is and with one seed after another, until it ends as wanted."""
    begin = cafe.snapshot()
    for seed in range(100):
        cafe.restore(begin)
        cafe.reseed(seed)
        state = do(cafe, step)
        if wanted(state):
            return state
    raise AssertionError("never")


@pytest.fixture(scope="module")
def server():
    return simulator("server")


@pytest.fixture(scope="module")
def fetcher():
    return simulator("pick-item")


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_it_is_an_agent_of_at_most_seven_objects_that_can_go_back(name):
    agent = open_cafe(name)
    assert agent.start is Start.VISITED
    assert len(agent.objects) <= 7
    universe = Universe(agent.vocabulary, agent.objects)
    (initial,) = agent.states(5, universe)
    texts = {str(atom) for atom in initial}
    both = {"(at can-1 counter)", "(at can-2 counter)", "(empty gripper)", "(nowhere robot)"}
    figure = {"(at counter can-1)", "(at counter can-2)", "(empty-arm)", "(has-charge)", "(robot-at counter)"}
    assert texts == {"server": both, "pick-item": figure}[name]
    assert isinstance(agent.ask(PlanQuery(universe.state([]), ())), Invalid)


def test_an_answer_is_a_state_in_words():
    agent = open_cafe("server")
    universe = Universe(agent.vocabulary, agent.objects)
    (initial,) = agent.states(1, universe)
    answer = agent.ask(PlanQuery(initial, (Step.parse("teleport table-2 robot"), Step.parse(GRASP))))
    assert isinstance(answer, PlanResponse)
    assert answer.steps == 1
    after = {str(atom) for atom in answer.state}
    assert after == {
        "(at can-1 counter)",
        "(at can-2 counter)",
        "(empty gripper)",
        "(robot-at robot table-2)",
    }


def test_a_grasp_has_two_outcomes_and_the_figures_pick_has_three(server, fetcher):
    def outcomes(cafe, step):
        begin, found = cafe.snapshot(), set()
        for seed in range(30):
            cafe.restore(begin)
            cafe.reseed(seed)
            state = do(cafe, step)
            found.add((held(state, "can-1"), stands_on(state, "can-1", "counter"), state.powered))
        cafe.restore(begin)
        return found

    held_it, nothing, tripped = (True, False, True), (False, True, True), (False, True, False)
    server.reset(0)
    do(server, "teleport counter robot")
    assert outcomes(server, GRASP) == {held_it, nothing}
    fetcher.reset(0)
    assert outcomes(fetcher, "pick-item counter can-1") == {held_it, nothing, tripped}


def test_chance_depends_on_the_seed_and_the_number_of_executions_only(fetcher):
    fetcher.reset(0)
    begin = fetcher.snapshot()

    def series(seed):
        fetcher.reseed(seed)
        found = []
        for _ in range(8):
            fetcher.restore(begin)
            fetcher.step(Step.parse("pick-item table-1 can-1"))  # refused, and that draws nothing
            do(fetcher, "pick-item counter can-1")
            found.append(fetcher.snapshot())
        return found

    first = series(3)
    assert len(set(first)) == 8
    assert series(4) != first == series(3)


def test_a_snapshot_is_exact_and_good_for_another_simulator(fetcher):
    fetcher.reset(0)
    pick(fetcher)
    twin = simulator("pick-item", seed=9)
    middle, ends = fetcher.snapshot(), []
    for cafe in (fetcher, fetcher, twin):
        seen = cafe.restore(middle)
        assert cafe.snapshot() == middle
        cafe.reseed(5)
        do(cafe, "move counter table-2", "place-item table-2 can-1", "pick-item table-2 can-1")
        ends.append((seen, cafe.snapshot()))
    assert ends[0] == ends[1] == ends[2]


def test_a_can_is_carried_and_put_down_upright(server):
    server.reset(1)
    do(server, "teleport counter robot")
    state = pick(server, GRASP)
    assert not stands_on(state, "can-1", "counter")
    for _ in range(3):
        state = do(server, "move counter table-2 robot", "move table-2 table-1 robot")
        assert held(state, "can-1")
        assert docked(state, "table-1")
        state = do(server, "move table-1 counter robot")
    state = do(server, "move counter table-1 robot", "put gripper table-1 can-1 robot")
    assert stands_on(state, "can-1", "table-1")
    can = state.cans["can-1"]
    assert (can.roll, can.pitch, can.z) == pytest.approx((0, 0, TOP + CAN_CENTRE), abs=0.002)


def refused(cafe, step):
    before = cafe.snapshot()
    assert cafe.step(Step.parse(step)) is None
    assert cafe.snapshot() == before
    return cafe.refusal


def test_what_cannot_begin_is_refused_and_moves_nothing(server):
    server.reset(0)
    assert refused(server, GRASP) == "can-1 is out of reach"
    assert refused(server, "move counter table-1 robot") == "the robot is not docked at counter"
    assert refused(server, "put gripper counter can-1 robot") == "the hand does not have can-1"
    do(server, "teleport counter robot")
    assert refused(server, "teleport table-1 robot") == "the dock at counter holds the robot"
    assert refused(server, "move table-1 table-2 robot") == "the robot is not docked at table-1"
    assert refused(server, "grasp gripper table-1 can-1 robot") == "can-1 does not stand on table-1"
    pick(server, GRASP)
    assert refused(server, GRASP) == "the hand is not empty, it has can-1"
    other = "grasp gripper counter can-2 robot"
    assert refused(server, other) == "the hand is not empty, it has can-1"
    assert refused(server, "put gripper counter can-2 robot") == "the hand does not have can-2"
    assert refused(server, "put gripper table-1 can-1 robot") == "table-1 is out of reach"


def test_without_charge_nothing_goes(fetcher):
    fetcher.reset(0)
    pick(fetcher, wanted=lambda state: not state.powered)
    for step in ("pick-item counter can-1", "move counter table-1", "place-item counter can-1"):
        assert refused(fetcher, step) == "the battery gives no power"


def test_where_things_are_decides_and_not_what_was_said_of_them(server):
    server.reset(0)
    do(server, "teleport counter robot")
    dock = Room.of(2, 2).place("counter").dock
    server._physics.shift({"x": dock[0] + 0.2})
    state = server.restore(server.snapshot())
    assert not docked(state, "counter")
    assert refused(server, "move counter table-1 robot") == "the robot is not docked at counter"
    server._physics.shift({"x": dock[0] + 0.01})
    assert docked(server.restore(server.snapshot()), "counter")
    do(server, "move counter table-1 robot")


def test_the_robot_does_not_drive_through_furniture(server):
    server.reset(0)
    server._physics.shift({"x": 0.0, "y": 1.5})  # behind the counter
    behind = server.restore(server.snapshot())
    x, y, _ = Room.of(2, 2).place("counter").dock
    assert not passable(behind, x, y)
    assert passable(behind, 0.0, 1.8)


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_the_models_in_the_examples_say_when_it_acts_and_what_may_come_of_it(name):
    path = ROOT / f"examples/cafe/{name}.ppddl"
    agent, model = open_cafe(name), read_ppddl(path.read_text(), str(path))
    assert {a.header for a in model.actions} == set(agent.vocabulary.actions)
    universe = Universe(agent.vocabulary, agent.objects)
    chances, rng = Execution(model, universe), random.Random(1)
    (state,), seen = agent.states(1, universe), Counter()
    for _ in range(500):
        header = rng.choice(agent.vocabulary.actions)
        names = [[o.name for o in agent.objects if o.type in p.types] for p in header.parameters]
        step = Step(header.name, tuple(map(rng.choice, names)))
        if len(set(step.args)) < len(step.args):
            continue
        expected = chances.after(state.bits, step)
        answer = agent.ask(PlanQuery(state, (step,)))
        assert answer.steps == (expected is not None), (step, state)
        assert answer.state.bits in (expected or {state.bits: 1.0}), (step, state)
        seen[step.action, answer.steps] += 1
        (state,) = (answer.state,) if rng.random() < 0.97 else agent.states(1, universe)
    assert all(seen[header.name, ran] for header in agent.vocabulary.actions for ran in (0, 1))


def test_other_seeds_place_the_cans_elsewhere_and_more_of_everything_is_possible():
    cafe = CafeSimulator(SETTINGS["server"], Room.of(4, 4))
    first, other = cafe.reset(0), cafe.reset(1)
    assert first.cans != other.cans
    assert first == cafe.reset(0)
    assert all(stands_on(first, can, "counter") for can in first.cans)
    do(cafe, "teleport table-4 robot", "move table-4 counter robot")
    state = pick(cafe, "grasp gripper counter can-4 robot", lambda state: held(state, "can-4"))
    assert stands_on(state, "can-1", "counter")
    state = do(cafe, "move counter table-3 robot", "put gripper table-3 can-4 robot")
    assert stands_on(state, "can-4", "table-3")


def test_it_has_a_picture(server):
    server.reset(0)
    before = server.picture()
    assert before.startswith(b"\x89PNG")
    assert len(before) > 10_000
    do(server, "teleport table-1 robot")
    assert server.picture() != before


def test_bad_names_are_explained():
    with pytest.raises(InputError, match="there is no cafe 'bar'; write pick-item or server"):
        open_cafe("bar")
    with pytest.raises(InputError, match="a cafe has 1 to 4 cans"):
        open_cafe("server:2x9")


def test_the_example_counts_what_happens():
    measure = runpy.run_path(str(ROOT / "examples/cafe/frequencies.py"))["measure"]
    ran, refused_steps, _ = measure("pick-item", 80)
    assert ran.keys() == {"move", "pick-item", "place-item"} == refused_steps.keys()
    assert ran["move"].keys() == {"not robot-at ?source, robot-at ?destination"}
    assert ran["place-item"].keys() == {"at ?location ?item, empty-arm, not holding ?item"}
    assert ran["pick-item"].keys() <= {
        "holding ?item, not at ?location ?item, not empty-arm",
        "not has-charge",
        "no change",
    }


def test_the_page_shows_the_example_and_how_to_open_it():
    page = (ROOT / "docs/cafe.md").read_text()
    (shown,) = re.findall(r"```pddl\n(.*?)```", page, re.DOTALL)
    assert shown in (ROOT / "examples/cafe/pick-item.ppddl").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names = {}
    exec(code, names)  # the page's own code
    assert names["agent"].vocabulary.name == "cafe-server"
