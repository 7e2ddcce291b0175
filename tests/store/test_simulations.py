"""Policy questions in the journal: everything comes back, and what does not add up is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.agents.stochastic import open_world
from assay.core.policy import PolicyQuery, PolicyResponse, follow
from assay.core.query import Invalid, PlanQuery, PlanResponse
from assay.core.setting import Setting
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import State
from assay.errors import InputError, JournalError
from assay.store.journal import Entry, Journal, read
from assay.store.simulations import Simulation, simulation_from_dict, simulation_to_dict

SETTING = Setting.of(open_world("driving"))
UNIVERSE = SETTING.universe
INITIAL = SETTING.offered[0]
MOVES = [Step("move-car", (a.args[0], a.args[1])) for a in sorted(INITIAL) if a.predicate == "road"]


def encoded(entry: Simulation) -> dict:
    return json.loads(json.dumps(simulation_to_dict(entry)))


def rollouts(query: PolicyQuery, number: int = 1) -> Simulation:
    agent = open_world("driving", seed=3)
    runs = tuple(agent.rollout(query, number, run) for run in range(1, query.runs + 1))
    return Simulation(number, query, PolicyResponse(runs))


steps = st.sampled_from(MOVES)
states = st.sampled_from(SETTING.offered)
literals = st.builds(
    Literal, st.sampled_from([Atom("not-flattire"), Atom("vehicle-at", ("l1",))]), st.booleans()
)


@given(
    st.lists(st.tuples(states, steps), unique_by=lambda rule: rule[0].bits, max_size=20),
    st.lists(st.frozensets(literals), max_size=2),
    st.integers(1, 4),
    st.integers(1, 5),
)
@settings(max_examples=50, deadline=None)
def test_round_trip(policy, goal, horizon, runs):
    start = policy[0][0] if policy else INITIAL
    entry = rollouts(PolicyQuery(start, tuple(policy), tuple(goal), horizon, runs))
    assert simulation_from_dict(encoded(entry), UNIVERSE, 1) == entry


def test_equal_traces_are_written_once():
    entry = rollouts(PolicyQuery.trial(INITIAL, start_move(), 200))
    data = encoded(entry)
    assert len(data["traces"]) == 2
    assert len(data["order"]) == 200
    assert data["policy"] == [{"added": [], "removed": [], "do": start_move().text}]
    assert simulation_from_dict(data, UNIVERSE, 1) == entry


def start_move() -> Step:
    (here,) = [a.args[0] for a in INITIAL if a.predicate == "vehicle-at"]
    return next(m for m in MOVES if m.args[0] == here)


def test_refusals_and_steps_without_change_stay_apart():
    query = PolicyQuery.trial(INITIAL, start_move(), 2)
    answers = iter([INITIAL, None])
    entry = Simulation(
        1, query, PolicyResponse(tuple(follow(query, lambda s, a: next(answers)) for _ in range(2)))
    )
    data = encoded(entry)
    assert data["traces"] == [
        {"changes": [{"added": [], "removed": []}], "end": "horizon"},
        {"changes": [], "end": "refused"},
    ]
    assert simulation_from_dict(data, UNIVERSE, 1) == entry


def test_invalid_and_new_objects():
    universe = Setting.of(open_world("driving")).universe
    universe.add(Object("far", "location"))
    state = universe.state([Atom("vehicle-at", ("far",))])
    entry = Simulation(4, PolicyQuery.trial(state, Step("changetire", ("far",))), Invalid("never been there"))
    data = encoded(entry)
    assert data["objects"] == {"far": "location"}
    again = simulation_from_dict(data, Setting.of(open_world("driving")).universe, 4)
    assert again.response == Invalid("never been there")
    assert encoded(again) == data


def broken(change) -> dict:
    data = encoded(rollouts(PolicyQuery.trial(INITIAL, start_move(), 3)))
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(n=2), "stands where entry 1 belongs"),
        (lambda d: d["order"].append(0), "does not fit 3 runs"),
        (lambda d: d.update(order=[0, 0, 9]), "does not fit 3 runs"),
        (lambda d: d["traces"][0].update(end="goal"), "only 'horizon' is possible"),
        (lambda d: d["traces"][0].update(changes=[]), "only 'refused' is possible"),
        (lambda d: d["policy"][0].update(do="fly l1"), "unknown action 'fly'"),
        (lambda d: d.update(state=["rain"]), "unknown predicate 'rain'"),
    ],
)
def test_what_does_not_add_up_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        simulation_from_dict(broken(change), UNIVERSE, 1)


def test_a_journal_of_both_kinds(tmp_path):
    path = tmp_path / "journal.jsonl"
    first = rollouts(PolicyQuery.trial(INITIAL, start_move(), 20))
    second = Entry(2, PlanQuery(INITIAL, (start_move(),)), PlanResponse(0, INITIAL))
    third = rollouts(PolicyQuery.trial(INITIAL, start_move(), 2), 3)
    journal = Journal.create(path, SETTING)
    for entry in (first, second, third):
        journal.append(entry)
    journal.close()
    record = read(path)
    assert record.simulations == (first, third)
    assert record.entries == (second,)
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"end":"horizon"', b'"end":"refused"', 1))
    with pytest.raises(JournalError, match="line 2: the hash does not match"):
        read(path)


def test_numbering_never_shows():
    """The same questions to another universe give the same bytes."""
    other = Setting.of(open_world("driving")).universe
    moved = State(other, other.bits(sorted(INITIAL, reverse=True)))
    assert encoded(rollouts(PolicyQuery.trial(moved, start_move(), 30))) == encoded(
        rollouts(PolicyQuery.trial(INITIAL, start_move(), 30))
    )
