"""Networks: they compute what the model does, and say which facts are causes of what."""

from __future__ import annotations

import pytest

from assay.causal.network import unroll
from assay.causal.variables import Chance, Decision, Executable, Fact, Given, Refused, Static
from assay.core.symbols import Atom, Step
from assay.errors import InputError
from worlds import coin, delivery, door, network, start

AT_DEPOT = Atom("at", ("t", "depot"))
STATE = "(at t depot) (at p depot) (road depot market)"
PLAN = "(load p t depot) (drive t depot market)"


def test_a_network_has_facts_at_times_decisions_and_whether_steps_can_run() -> None:
    found = network(delivery(), "(at t depot) (road depot market)", "(drive t depot market)")
    step = Step("drive", ("t", "depot", "market"))
    here, there = Atom("at", ("t", "depot")), Atom("at", ("t", "market"))
    assert set(found.structure.functions) == {
        Decision(step, 0),
        Executable(step, 0),
        *(Fact(a, t) for a in (here, there) for t in (0, 1)),
    }
    road = Static(Atom("road", ("depot", "market")))
    assert found.structure.exogenous == {
        road,
        *(Given(v) for v in (Decision(step, 0), Fact(here, 0), Fact(there, 0))),
    }
    assert found.structure.depends(Executable(step, 0), Fact(here, 0))
    assert not found.structure.depends(Executable(step, 0), Fact(there, 0))
    assert found.structure.depends(Fact(there, 1), Executable(step, 0))
    assert found.structure.depends(Fact(there, 1), Fact(here, 0)), "what a step needs, its effects depend on"


def test_conditions_range_over_all_objects_of_the_question() -> None:
    """Another person who watches forbids it; a condition decides on an effect; one door open, others shut."""
    people = "(person ann) (person bob) (door d) (door e) (card) (wet) (open e) "
    plan = "(unlock ann d) (slam d)"
    alone = network(door(), people, plan)
    assert alone.courses() == ("ran", "ran")
    end = {str(a) for a in alone.atoms if alone.values[alone.variable(a, 2)]}
    assert end == {"(card)", "(wet)", "(open d)", "(muddy ann)"}
    watched = network(door(), people + "(watching bob)", plan)
    assert watched.courses() == ("could not run", "not reached")
    assert network(door(), people + "(watching ann)", plan).courses()[0] == "ran"


def test_a_refused_step_may_be_passed_over() -> None:
    people = "(person ann) (person bob) (door d) (door e) (card) (watching bob)"
    found = network(door(), people, "(unlock ann d) (look-away bob) (unlock ann d)", refused=Refused.SKIP)
    assert found.courses() == ("could not run", "ran", "ran")
    assert found.values[Fact(Atom("open", ("d",)), 3)]


def test_a_step_left_out_is_skipped_and_a_step_that_cannot_run_ends_the_plan() -> None:
    found = network(delivery(), STATE, PLAN)
    load, drive = found.plan
    skipped = found.structure.do({Decision(load, 0): False}).evaluate(found.context)
    assert skipped[Fact(Atom("at", ("t", "market")), 2)]
    refused = found.structure.do({Fact(Atom("at", ("p", "depot")), 0): False}).evaluate(found.context)
    assert not refused[Executable(drive, 1)]
    assert not refused[Fact(Atom("at", ("t", "market")), 2)]


def test_the_outcome_that_occurred_is_held_fixed() -> None:
    model = coin()
    state, plan = start(model, ""), [Step("toss"), Step("bet")]
    lucky, unlucky = (unroll(model, state, plan, outcomes=[k, 1]) for k in (1, 2))
    assert lucky.values[Fact(Atom("won"), 2)]
    assert not unlucky.values[Fact(Atom("won"), 2)]
    assert Chance(0, 1) in lucky.structure.exogenous
    with pytest.raises(InputError, match="2 possible outcomes: say which"):
        unroll(model, state, plan)
    with pytest.raises(InputError, match="outcomes 1 to 2, not 3"):
        unroll(model, state, plan, outcomes=[3, 1])
    with pytest.raises(InputError, match="1 outcome for a plan of 2"):
        unroll(model, state, plan, outcomes=[1])


def test_what_is_outside_the_network_is_refused() -> None:
    found = network(delivery(), STATE, PLAN)
    assert found.variable(AT_DEPOT, 2) == Fact(AT_DEPOT, 2)
    for time in (-1, 3):
        with pytest.raises(InputError, match="times go from 0 to 2"):
            found.variable(AT_DEPOT, time)
    with pytest.raises(InputError, match="steps are taken from 0 to 1"):
        found.decision(2)
    with pytest.raises(InputError, match="not part of this network"):
        found.variable(Atom("at", ("t", "moon")), 0)
