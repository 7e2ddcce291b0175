"""Dependence: what can make a difference to what along a plan, directly or by way of others."""

from __future__ import annotations

import random

from random_adl import OBJECTS, random_model, steps

from assay.causal.depends import depends, difference
from assay.causal.network import unroll
from assay.causal.structural import StructuralModel
from assay.causal.variables import Decision, Executable, Fact, Static
from assay.core.symbols import Atom
from assay.core.universe import Universe
from assay.language.english import English
from worlds import delivery, door, network

PEOPLE = "(person ann) (person bob) (door d) (door e)"
D, E = Atom("open", ("d",)), Atom("open", ("e",))


def test_a_fact_depends_on_what_the_step_needs_and_on_conditions_of_the_effect() -> None:
    found = network(door(), PEOPLE, "(unlock ann d)", "(muddy ann) (key) (card) (watching bob) (wet)")
    (step,) = found.plan
    muddy = Atom("muddy", ("ann",))
    assert set(depends(found, Fact(muddy, 1)).direct) == {
        Fact(muddy, 0),
        Fact(Atom("key"), 0),
        Fact(Atom("card"), 0),
        Fact(Atom("watching", ("bob",)), 0),
        Static(Atom("wet")),
        Decision(step, 0),
        Executable(step, 0),
    }
    assert Static(Atom("wet")) not in depends(found, Fact(D, 1)).direct


def test_the_setting_in_which_it_makes_a_difference_is_shown() -> None:
    found = network(door(), PEOPLE, "(unlock ann d)", "(key) (card)")
    shown = difference(found, Fact(D, 1), Fact(Atom("key"), 0)).setting
    assert shown is not None
    assert not dict(shown)[Fact(Atom("card"), 0)], "with a card the key makes no difference"


def test_indirect_dependence_and_none() -> None:
    found = network(door(), PEOPLE, "(take-key) (unlock ann d)", "(key)")
    take = Decision(found.plan[0], 0)
    by_way = difference(found, Fact(D, 2), take)
    assert (by_way.setting, by_way.indirect) == (None, True)
    none = difference(found, Fact(Atom("key"), 1), Fact(D, 0), strength=1)
    assert (none.setting, none.indirect) == (None, False)
    model = door()
    lines = none.lines(English(model.vocabulary, mark=""))
    assert lines[0].startswith("No:")
    assert lines[1] == "That is so as far as strength 1 tells."


def test_it_is_a_matter_of_the_model_and_not_of_what_happened() -> None:
    plan = "(drive t depot market)"
    here, there = Atom("at", ("t", "depot")), Atom("at", ("t", "market"))
    for state in ("(at t depot)", "(truck t)"):
        found = network(delivery(), state, plan, "(at t depot)")
        assert Fact(here, 0) in depends(found, Fact(there, 1)).direct


def test_what_makes_no_difference_makes_none_in_any_context() -> None:
    """Of random models: indirect dependence is found exactly where some context shows it."""
    rng, seen = random.Random(2), set()
    for _ in range(40):
        model = random_model(rng, {"p": [], "q": []})
        universe = Universe(model.vocabulary, OBJECTS)
        plan = [rng.choice(steps(universe)) for _ in range(2)]
        found = unroll(model, universe.state(()), plan, mention=[Atom("p"), Atom("q")])
        facts = [v for v in found.structure.functions if isinstance(v, Fact) and v.time == 2]
        for fact in facts:
            on = rng.choice(found.candidates)
            answer = difference(found, fact, on)
            assert answer.indirect == _somewhere(found.structure, fact, on)
            seen.add(answer.indirect)
    assert seen == {True, False}


def _somewhere(structure: StructuralModel, fact: Fact, on: object) -> bool:
    outside = sorted(structure.exogenous, key=str)
    for number in range(2 ** len(outside)):
        context = {v: bool(number >> i & 1) for i, v in enumerate(outside)}
        values = [structure.do({on: x}).evaluate(context)[fact] for x in (False, True)]
        if values[0] != values[1]:
            return True
    return False
