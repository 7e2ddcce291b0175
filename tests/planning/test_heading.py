from __future__ import annotations

import random

import pytest

from assay.bench.problems import load
from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import Universe
from assay.pddl.reader import read_domain
from assay.planning.heading import Heading

DOORS = """(define (domain doors) (:requirements :negative-preconditions)
  (:predicates (at ?x) (way ?x ?y) (dark) (open))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (way ?x ?y)) :effect (and (at ?y) (not (at ?x))))
  (:action light :effect (not (dark)))
  (:action unlock :parameters (?x) :precondition (and (at ?x) (way ?x ?x) (not (dark))) :effect (open))
  (:action fly :precondition (and (open) (dark)) :effect ())
  (:action dream :parameters (?x) :precondition (and (at ?x) (not (at ?x))) :effect ()))"""


@pytest.fixture
def doors() -> tuple[Model, Universe, int]:
    model = read_domain(DOORS)
    universe = Universe(model.vocabulary, [Object(name) for name in "abc"])
    facts = [Atom("at", ("a",)), Atom("way", ("a", "b")), Atom("way", ("b", "c")), Atom("way", ("c", "c"))]
    return model, universe, universe.bits([*facts, Atom("dark")])


def test_a_plan_runs_and_ends_with_the_action(doors: tuple[Model, Universe, int]) -> None:
    model, universe, start = doors
    plan = Heading(model, universe, [start]).plan(start, {"unlock"}, random.Random(0))
    assert plan is not None
    assert sorted(map(str, plan)) == sorted(["(go a b)", "(go b c)", "(light)", "(unlock c)"])
    execution, bits = Execution(model, universe), start
    for step in plan:
        after = execution.apply(bits, step)
        assert after is not None
        bits = after
    assert plan[-1] == Step("unlock", ("c",))


def test_what_runs_already_is_a_plan_of_one_step(doors: tuple[Model, Universe, int]) -> None:
    model, universe, start = doors
    assert Heading(model, universe, [start]).plan(start, {"light", "unlock"}, random.Random(0)) == [
        Step("light", ())
    ]


@pytest.mark.parametrize("action", ["fly", "dream"])
def test_what_cannot_be_done_has_no_plan(doors: tuple[Model, Universe, int], action: str) -> None:
    model, universe, start = doors
    assert Heading(model, universe, [start]).plan(start, {action}, random.Random(0)) is None


def test_long_ways_are_found() -> None:
    model, problem = load("barman", 3, 0)
    universe = Universe(model.vocabulary, problem.objects)
    start = universe.bits(sorted(problem.initial))
    plan = Heading(model, universe, [start]).plan(start, {"pour-shaker-to-shot"}, random.Random(0))
    assert plan is not None
    ran, _ = Execution(model, universe).run(universe.state(sorted(problem.initial)), tuple(plan))
    assert ran == len(plan) > 6


def test_another_way_than_those_known(doors: tuple[Model, Universe, int]) -> None:
    model, universe, start = doors
    heading, rng = Heading(model, universe, [start]), random.Random(0)
    first = heading.plan(start, {"go"}, rng)
    assert first == [Step("go", ("a", "b"))]
    second = heading.plan(start, {"go"}, rng, known=first)
    assert second is not None
    assert second[-1] == Step("go", ("b", "c"))
