"""Simulators as agents: where questions may start, what is remembered, and which broken promises are seen."""

from __future__ import annotations

import pytest

from assay import (
    AgentError,
    Atom,
    InputError,
    Invalid,
    Object,
    PlanQuery,
    PlanResponse,
    SimulatorAgent,
    Start,
    Step,
    Universe,
    predicate,
)
from assay.agents.guard import Guard
from assay.agents.python import open_python


@predicate
def at(state, place: "room") -> bool:  # noqa: F821, UP037 - a type of the user's world, as text
    return state["at"] == place


@predicate
def lit(state) -> bool:
    return state["lit"]


@predicate(static=True)
def door(state, one: "room", other: "room") -> bool:  # noqa: F821, UP037
    return f"{one}{other}" in state["doors"]


class Rooms:
    """Three rooms in a row and a lamp; one may go only where there is light."""

    def __init__(self):
        self.calls = []

    def reset(self, seed):
        self.calls.append("reset")
        self.state = {"at": "ab"[seed], "lit": False, "doors": ("ab", "ba", "bc")}
        return self.state

    def step(self, action):
        self.calls.append(action.text)
        state = self.state
        if action.action == "light":
            self.state = {**state, "lit": True}
            return self.state
        one, other = action.args
        if not state["lit"] or state["at"] != one or one + other not in state["doors"]:
            return None
        self.state = {**state, "at": other}
        return self.state

    def picture(self):
        return repr(self.state).encode()


class Rewindable(Rooms):
    def snapshot(self):
        self.calls.append("snapshot")
        return dict(self.state)

    def restore(self, snapshot):
        self.calls.append("restore")
        self.state = dict(snapshot)
        return self.state


OPTIONS = {
    "predicates": [at, lit, door],
    "actions": {"go": {"from": "room", "to": "room"}, "light": {}},
    "objects": dict.fromkeys("abc", "room"),
}


def agent(simulator, **changes):
    return SimulatorAgent(simulator, **(OPTIONS | changes))


def steps(*texts):
    return tuple(map(Step.parse, texts))


def only(agent):
    universe = Universe(agent.vocabulary, agent.objects)
    (state,) = agent.states(10, universe)
    return universe, state


def make_rooms():
    return agent(Rewindable())


def test_it_is_an_ordinary_agent():
    made = agent(Rooms())
    assert made.start is Start.RESET
    assert [t.name for t in made.vocabulary.types] == ["room"]
    assert set(made.vocabulary.predicate) == {"at", "lit", "door"}
    _, state = only(made)
    assert state.texts() == ["at a", "door a b", "door b a", "door b c"]
    assert agent(Rewindable()).start is Start.VISITED
    assert Guard(open_python(f"{__name__}:make_rooms")).start is Start.VISITED


def test_a_plan_runs_to_its_first_refusal():
    made = agent(Rooms())
    universe, state = only(made)
    answer = made.ask(PlanQuery(state, steps("light", "go a b", "go a b", "go b c")))
    lit = state.change(add=[Atom("lit")])
    there = lit.change(add=[Atom("at", ("b",))], delete=[Atom("at", ("a",))])
    assert answer == PlanResponse(2, there, (lit, there))
    assert answer.state.universe is universe
    assert made.ask(PlanQuery(state, steps("go a b"))) == PlanResponse(0, state, ())
    assert made.ask(PlanQuery(state, ())) == PlanResponse(0, state, ())


def test_without_snapshots_a_question_starts_at_a_reset():
    simulator = Rooms()
    made = agent(simulator)
    _, state = only(made)
    answer = made.ask(PlanQuery(state, steps("light")))
    assert isinstance(made.ask(PlanQuery(answer.state, ())), Invalid)
    simulator.calls.clear()
    made.ask(PlanQuery(state, steps("light")))
    assert simulator.calls == ["reset", "light"]


def test_with_snapshots_also_in_every_state_passed_through():
    simulator = Rewindable()
    made = agent(simulator)
    universe, state = only(made)
    dark = universe.state([*state, Atom("at", ("c",))])
    assert made.ask(PlanQuery(dark, ())) == Invalid("the simulator has never been there")
    made.ask(PlanQuery(state, steps("light", "go a b", "go b c")))
    lit_at_a = state.change(add=[Atom("lit")])
    assert made.ask(PlanQuery(lit_at_a, steps("go a b"))).steps == 1
    simulator.calls.clear()
    made.ask(PlanQuery(lit_at_a, steps("go a b")))
    assert simulator.calls == ["restore", "go a b"], "each state's snapshot is taken once"


def test_a_state_is_the_same_in_every_universe():
    made = agent(Rewindable())
    _, state = only(made)
    other = Universe(made.vocabulary, made.objects)
    other.index(Atom("lit"))
    twin = other.state(list(state))
    answer = made.ask(PlanQuery(twin, steps("light")))
    assert answer.state.universe is other
    assert answer == made.ask(PlanQuery(state, steps("light")))


def test_each_seed_gives_an_initial_state():
    made = agent(Rooms(), seeds=(1, 0, 1))
    universe = Universe(made.vocabulary, made.objects)
    first, second = made.states(10, universe)
    assert (Atom("at", ("b",)) in first, Atom("at", ("a",)) in second) == (True, True)
    assert made.states(1, universe) == [first]
    for state in (first, second):
        assert made.ask(PlanQuery(state, ())) == PlanResponse(0, state, ())


def test_objects_may_be_read_off_the_first_state():
    made = agent(Rooms(), objects=lambda state: {name: "room" for door in state["doors"] for name in door})
    assert [o.name for o in made.objects] == ["a", "b", "c"]
    with pytest.raises(
        InputError, match=r"seed 1 gives other objects than seed 0: now there is \(b - room\)"
    ):
        agent(Rooms(), objects=lambda state: {state["at"]: "room"}, seeds=(0, 1))


def test_what_is_declared_wrongly_is_named():
    with pytest.raises(InputError, match=r"predicate 'at': unknown type 'room'"):
        agent(Rooms(), objects={"a": "house"})
    with pytest.raises(InputError, match=r"action 'go': unknown type 'cell'"):
        agent(Rooms(), actions={"go": ["cell"]})
    with pytest.raises(InputError, match="write @predicate above"):
        agent(Rooms(), predicates=[lambda state: True])
    with pytest.raises(InputError, match="at least one seed"):
        agent(Rooms(), seeds=())


@pytest.mark.parametrize("kind", [Rooms, Rewindable])
def test_pictures_are_the_simulators(kind):
    made = agent(kind())
    _, state = only(made)
    after = made.ask(PlanQuery(state, steps("light", "go a b"))).state
    assert b"'at': 'a'" in made.picture(state)
    assert b"'at': 'b'" in made.picture(after)
    assert made.picture(after.change(delete=[Atom("lit")])) is None
    wider = Universe(made.vocabulary, [*made.objects, Object("nowhere", "room")])
    assert made.picture(wider.state([Atom("at", ("nowhere",))])) is None


class Forgetful(Rewindable):
    """Snapshots without a copy: they change with the world."""

    def step(self, action):
        if action.action == "light":
            self.state["lit"] = True
            return self.state
        return super().step(action)

    def snapshot(self):
        return self.state

    def restore(self, snapshot):
        self.state = snapshot
        return self.state


def test_a_snapshot_that_does_not_restore_is_seen():
    made = agent(Forgetful())
    _, state = only(made)
    assert made.ask(PlanQuery(state, steps("light"))).steps == 1
    with pytest.raises(AgentError, match=r"restore leads to another state .*: now there is \(lit\)"):
        made.ask(PlanQuery(state, steps("light")))


@pytest.mark.parametrize("kind", [Rooms, Rewindable])
def test_a_refusal_that_changes_the_state_is_seen(kind):
    class Spoilt(kind):
        def step(self, action):
            after = super().step(action)
            if after is None:
                self.state["lit"] = True
            return after

    made = agent(Spoilt())
    _, state = only(made)
    with pytest.raises(
        AgentError, match=r"step \(go a b\) was refused and yet changed .*: now there is \(lit\)"
    ):
        made.ask(PlanQuery(state, steps("go a b")))


def test_a_reset_that_drifts_is_seen():
    class Drifting(Rooms):
        def reset(self, seed):
            return super().reset(int(len(self.calls) > 3))

    made = agent(Drifting())
    _, state = only(made)
    assert made.ask(PlanQuery(state, steps("light"))).steps == 1
    with pytest.raises(AgentError, match=r"reset\(0\) leads to another state .* no longer there is \(at a\)"):
        made.ask(PlanQuery(state, steps("light")))


def test_a_static_predicate_that_changes_is_seen():
    class Building(Rooms):
        def step(self, action):
            self.state = {**self.state, "doors": ("ab",)}
            return self.state

    made = agent(Building())
    _, state = only(made)
    with pytest.raises(
        AgentError, match=r"declared static has changed: no longer there is \(door b a\), \(door b c\)"
    ):
        made.ask(PlanQuery(state, steps("light")))


def test_a_simulator_that_raises_is_named_with_the_call():
    class Fragile(Rooms):
        def step(self, action):
            raise ValueError("no")

    made = agent(Fragile())
    _, state = only(made)
    with pytest.raises(AgentError, match=r"the simulator: step\(\(light\)\) raised ValueError: no"):
        made.ask(PlanQuery(state, steps("light")))
