"""Scripted agents, and how a question with its answer is told."""

from __future__ import annotations

import itertools

import pytest

from assay.agents.guard import Guard
from assay.core.query import Invalid, PlanQuery, PlanResponse
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import Universe
from assay.errors import AgentError, InputError
from assay.testing import ScriptedAgent, check_agent, describe
from lamp_agents import LAMPS, POWER, VOCABULARY


def query(state: str, plan: str) -> PlanQuery:
    universe = Universe(VOCABULARY, LAMPS)
    return PlanQuery(
        universe.state(map(Atom.parse, state.split(", "))), tuple(map(Step.parse, plan.split(", ")))
    )


def test_describe():
    asked = query("power, on desk", "douse desk, connect")
    assert describe(asked) == "from (on desk) (power) run (douse desk) (connect)"
    answer = PlanResponse(1, query("power", "connect").state)
    assert describe(asked, answer).endswith("(connect): 1 of 2 steps, then (power)")
    assert describe(asked, Invalid("fuse")).endswith("(connect): invalid (fuse)")
    asked.state.universe.add(Object("porch", "lamp"))
    with_guest = PlanQuery(asked.state, (Step("light", ("porch",)),))
    assert "with new lamp porch run (light porch)" in describe(with_guest)


def test_script_in_order():
    asked = query("power", "light desk, connect")
    script = [(1, ["power", "on desk"]), Invalid("fuse"), ValueError("boom"), "nonsense"]
    agent = ScriptedAgent(VOCABULARY, script, objects=LAMPS)
    assert agent.ask(asked) == PlanResponse(1, query("power, on desk", "connect").state)
    assert agent.ask(asked) == Invalid("fuse")
    with pytest.raises(ValueError, match="boom"):
        agent.ask(asked)
    assert agent.ask(asked) == "nonsense"
    with pytest.raises(InputError, match="only 4 answer"):
        agent.ask(asked)
    assert agent.asked == [asked] * 5


def test_script_by_question():
    known, unknown = query("power", "light desk"), query("power", "light hall")
    agent = ScriptedAgent(VOCABULARY, {known: (1, ["power", "on desk"])}, objects=LAMPS)
    assert agent.ask(query("power", "light desk")).steps == 1
    with pytest.raises(AgentError, match=r"no answer to: from \(power\) run \(light hall\)"):
        Guard(agent).ask(unknown)


def test_script_declares():
    agent = ScriptedAgent(
        VOCABULARY, itertools.repeat(Invalid()), objects=LAMPS, start="reset", states=[["power"], ["on desk"]]
    )
    universe = Universe(VOCABULARY, LAMPS)
    assert agent.states(1, universe) == [universe.state([POWER])]
    complaints = check_agent(agent)
    assert {c.rule for c in complaints} == {"own states"}
