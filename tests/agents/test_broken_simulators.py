"""Simulators that break their promises are caught by `check_agent`, which says what disagrees with what.

What it does not see in its questions, a run reports as a contradiction where it shows.
"""

from __future__ import annotations

import random
import re

import pytest

from assay import AgentError, Outcome, SimulatorAgent, assess, check_agent, predicate

FLOORS = {"low": 0, "middle": 1, "high": 2}
RIDE = {"from": "floor", "to": "floor"}


@predicate
def at(state, floor: "floor") -> bool:  # noqa: F821, UP037 - a type of the user's world, as text
    return state["at"] == FLOORS[floor]


@predicate
def lit(state) -> bool:
    return state["lit"]


@predicate(static=True)
def above(state, one: "floor", other: "floor") -> bool:  # noqa: F821, UP037
    return FLOORS[one] == FLOORS[other] + 1


class Lift:
    """Three floors and a lamp; sound."""

    def reset(self, seed):
        self.state = {"at": 0, "lit": False, "strain": 0}
        return self.state

    def step(self, action):
        now = dict(self.state)
        if action.action in ("light", "douse"):
            if now["lit"] == (action.action == "light"):
                return None
            now["lit"] = not now["lit"]
        else:
            one, other = (FLOORS[name] for name in action.args)
            if now["at"] != one or other - one != (1 if action.action == "up" else -1):
                return None
            now["at"] = other
        self.state = now
        return now


class Rewindable(Lift):
    def snapshot(self):
        return dict(self.state)

    def restore(self, snapshot):
        self.state = dict(snapshot)
        return self.state


def agent(simulator, **more):
    return SimulatorAgent(
        simulator,
        predicates=[at, lit, above],
        actions={"up": RIDE, "down": RIDE, "light": {}, "douse": {}} | more,
        objects=dict.fromkeys(FLOORS, "floor"),
    )


class Worn(Lift):
    """The lamp breaks when it has been lit three times: a counter that no predicate shows."""

    def step(self, action):
        if action.action == "light" and self.state["strain"] >= 3:
            return None
        after = super().step(action)
        if after is not None and action.action == "light":
            after["strain"] += 1
        return after


class WornForGood(Lift):
    """The same, and a reset does not repair it."""

    strain = 0

    def step(self, action):
        if action.action == "light":
            self.strain += 1
            if self.strain > 20:
                return None
        return super().step(action)


class Random(Lift):
    """A ride may end with the lamp switched on."""

    def __init__(self):
        self.rng = random.Random(1)

    def step(self, action):
        after = super().step(action)
        if after is not None and action.args and self.rng.random() < 0.5:
            after["lit"] = True
        return after


class Seeded(Random):
    """Random, and yet every reset starts the same dice."""

    def reset(self, seed):
        self.rng = random.Random(seed)
        return super().reset(seed)


class Shallow(Lift):
    """Its snapshots are the state itself, which its steps change."""

    def step(self, action):
        before = self.state
        after = super().step(action)
        if after is not None:
            before.update(after)
            self.state = before
        return after and before

    def snapshot(self):
        return self.state

    def restore(self, snapshot):
        self.state = snapshot
        return self.state


class HalfRestored(Worn, Rewindable):
    """The counter is in the state but not in the snapshot."""

    def snapshot(self):
        return {**self.state, "strain": 0}


class Grudging(Rewindable):
    """A refused step switches the lamp."""

    def step(self, action):
        after = super().step(action)
        if after is None:
            self.state = {**self.state, "lit": not self.state["lit"]}
        return after


@pytest.mark.parametrize("kind", [Lift, Rewindable])
@pytest.mark.parametrize("seed", range(3))
def test_sound_simulators_pass(kind, seed):
    assert check_agent(agent(kind()), seed=seed) == []


@pytest.mark.parametrize(
    ("kind", "rules", "words"),
    [
        (Worn, {"whole state"}, r"\(light\) went differently from .*: once it ran, once it was refused"),
        (WornForGood, {"repeatable", "prefix", "whole state"}, r"differently|not all"),
        (
            Random,
            {"repeatable"},
            r"answered differently: (\d step|once true and once false afterwards: \(lit\))",
        ),
        (
            Seeded,
            {"whole state"},
            r"\((up|down) .*\) went differently .*: once true and once false afterwards: \(lit\)",
        ),
        (Shallow, {"answer"}, "restore leads to another state than the one its snapshot was taken in"),
        (HalfRestored, {"whole state", "longest prefix"}, "differently|stopped before"),
        (
            Grudging,
            {"answer"},
            r"step \(.*\) was refused and yet changed the state: .* there is \(lit\)",
        ),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_broken_promises_are_told(kind, rules, words, seed):
    complaints = check_agent(agent(kind()), seed=seed)
    told = [c for c in complaints if c.rule in rules and re.search(words, c.sentence)]
    assert told, "\n".join(map(str, complaints))
    if told[0].rule != "answer":
        assert len(told[0].questions) >= 2, "the two observations that disagree"


class Switch(Lift):
    """Keeps every promise, and a switch lights or douses the lamp."""

    def step(self, action):
        if action.action == "switch":
            self.state = {**self.state, "lit": not self.state["lit"]}
            return self.state
        return super().step(action)


@pytest.mark.parametrize("kind", [Lift, Rewindable])
def test_a_run_with_a_sound_simulator_finds_its_model(kind):
    result = assess(agent(kind()), strategy="acting")
    assert result.outcome is not Outcome.CONTRADICTION
    up = {str(literal) for literal in result.model.action["up"].needed}
    assert up == {"(at ?from)", "(above ?to ?from)"}


def test_a_switch_is_learned():
    made = agent(Switch(), switch={})
    assert check_agent(made) == []
    result = assess(made, strategy="acting")
    assert result.complete
    assert {(e.literal.positive, str(e.condition)) for e in result.model.action["switch"].effects} == {
        (True, "(not (lit))"),
        (False, "(lit)"),
    }


@pytest.mark.parametrize(("kind", "actions"), [(Random, {"up"}), (Worn, {"light"})])
def test_chance_and_hidden_state_are_found(kind, actions):
    result = assess(agent(kind()), strategy="acting")
    assert result.outcome is Outcome.CONTRADICTION
    assert set(result.contradicted) == actions
    assert all(result.finding[action].conflict for action in actions)


@pytest.mark.parametrize("kind", [Shallow, Grudging])
def test_a_run_stops_at_a_promise_that_is_seen_to_be_broken(kind):
    with pytest.raises(AgentError, match=r"another state|yet changed"):
        assess(agent(kind()), strategy="acting")
