"""Networks: they compute what the model does, and say which facts are causes of what."""

from __future__ import annotations

import random

import pytest
from worlds import coin, delivery, network, start

from assay.causal.network import Chance, Decision, Executable, Fact, Given, Static, two_slices, unroll
from assay.core.model import Execution
from assay.core.symbols import Atom, Step
from assay.core.universe import Universe
from assay.errors import InputError
from hidden_models import objects_of, random_model

AT_DEPOT = Atom("at", ("t", "depot"))
STATE = "(at t depot) (at p depot) (road depot market)"
PLAN = "(load p t depot) (drive t depot market)"


def test_the_unrolled_network_runs_as_the_model_does() -> None:
    """On random models, states and plans, same objects for two parameters included."""
    rng = random.Random(3)
    ran = stopped = 0
    for seed in range(150):
        model = random_model(seed, constants=1, distinct=0.2)
        universe = Universe(model.vocabulary, objects_of(model, 2))
        plan = tuple(_random_step(rng, model, universe) for _ in range(rng.randint(0, 5)))
        atoms = {universe.atom(p) for s in plan for p in universe.positions(s)}
        state = universe.state(a for a in atoms if rng.random() < 0.6)
        found = unroll(model, state, plan, mention=atoms)
        steps, final = Execution(model, universe).run(state, plan)
        assert found.steps == steps
        end = {a for a in found.atoms if found.values[found.variable(a, found.end)]}
        assert end == set(final)
        ran, stopped = ran + (steps == len(plan)), stopped + (steps < len(plan))
    assert ran > 20
    assert stopped > 20


def _random_step(rng: random.Random, model, universe) -> Step:  # type: ignore[no-untyped-def]
    header = rng.choice(model.vocabulary.actions)
    fits = universe.vocabulary.fits
    args = [
        rng.choice([o.name for o in universe.objects if fits(o.type, p.types)]) for p in header.parameters
    ]
    return Step(header.name, tuple(args))


def test_two_slices_have_exactly_what_the_action_looks_at() -> None:
    found = two_slices(delivery(), "drive")
    step = Step("drive", ("?t", "?from", "?to"))
    here, there = Atom("at", ("?t", "?from")), Atom("at", ("?t", "?to"))
    assert set(found.structure.functions) == {
        Decision(step, 0),
        Executable(step, 0),
        *(Fact(a, t) for a in (here, there) for t in (0, 1)),
    }
    road = Static(Atom("road", ("?from", "?to")))
    assert found.structure.exogenous == {
        road,
        *(Given(v) for v in (Decision(step, 0), Fact(here, 0), Fact(there, 0))),
    }
    assert found.structure.depends(Executable(step, 0), Fact(here, 0))
    assert not found.structure.depends(Executable(step, 0), Fact(there, 0))
    assert found.structure.depends(Fact(there, 1), Executable(step, 0))
    assert found.values[Executable(step, 0)]
    assert not two_slices(delivery(), "drive", [here]).values[Executable(step, 0)], "without a road"


def test_a_step_left_out_is_skipped_and_a_step_that_cannot_run_ends_the_plan() -> None:
    found = network(delivery(), STATE, PLAN)
    load, drive = (g.step for g in found.plan)
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
    with pytest.raises(InputError, match="does not describe action 'fly'; it describes: drive, load, unload"):
        two_slices(delivery(), "fly")
