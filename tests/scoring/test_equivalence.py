"""Differences between models: found exactly where there are some, and told with a state that shows them."""

from __future__ import annotations

import random
import re
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from random_models import WORLD, adl_models

from assay import differences
from assay.core.execution import Execution
from assay.core.formula import negate
from assay.core.model import ActionModel, Model
from assay.core.symbols import Object, Step
from assay.core.universe import Universe
from assay.errors import InputError
from assay.pddl.reader import read_ppddl
from assay.pddl.writer import write_domain
from assay.scoring.agreement import agreement, random_states

HEAD = """(define (domain d) (:types box ball - thing) (:constants k - box)
  (:predicates (p ?x - thing) (on ?x ?y - thing) (q) (r)) (:action a :parameters (?x ?y - thing) """


def model(action: str) -> Model:
    return read_ppddl(f"{HEAD}{action}))")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (":precondition (or (q) (and (r) (not (q))))", ":precondition (or (r) (q))"),
        (":precondition (imply (q) (r))", ":precondition (not (and (q) (not (r))))"),
        (":precondition (q) :effect (q)", ":precondition (q) :effect (and)"),
        (":precondition (q) :effect (when (q) (r))", ":precondition (q) :effect (r)"),
        (":effect (when (q) (not (q)))", ":effect (not (q))"),
        (":effect (and (q) (not (q)))", ":effect (q)"),
        (
            ":effect (and (when (q) (r)) (when (not (q)) (r)))",
            ":effect (r)",
        ),
        (
            ":precondition (exists (?z - thing) (p ?z))",
            ":precondition (or (p k) (p ?x) (p ?y) "
            "(exists (?z - thing) (and (not (= ?z ?x)) (not (= ?z ?y)) (not (= ?z k)) (p ?z))))",
        ),
        (
            ":effect (forall (?z - thing) (when (p ?z) (not (p ?z))))",
            ":effect (forall (?o - thing) (not (p ?o)))",
        ),
        (
            ":precondition (exists (?z - thing) (p ?z))",
            ":precondition (or (exists (?z - box) (p ?z)) (exists (?z - ball) (p ?z)) (p ?x) (p ?y) "
            "(exists (?z - thing) (p ?z)))",
        ),
        (":precondition (and (q) (not (q))) :effect (r)", ":precondition (or)"),
        (
            ":effect (and (when (q) (probabilistic 0.5 (r))) (when (not (q)) (probabilistic 0.5 (r))))",
            ":effect (probabilistic 0.5 (r))",
        ),
        (
            ":effect (probabilistic 0.5 (r) 0.25 (and (r) (q)))",
            ":effect (probabilistic 0.75 (and (r) (probabilistic 0.3333333333 (q))))",
        ),
        (":effect (probabilistic 0.5 (when (q) (r)))", ":effect (when (q) (probabilistic 0.5 (r)))"),
    ],
)
def test_the_same_said_in_two_ways(one: str, two: str) -> None:
    assert differences(model(one), model(two)) == []
    assert differences(model(two), model(one)) == []


@pytest.mark.parametrize(
    ("one", "two", "told"),
    [
        ("", ":precondition (q)", ["a runs in the first model only where (not (q))"]),
        (":precondition (or (q) (r))", "", ["a runs in the second model only where (not (q)) (not (r))"]),
        (
            ":precondition (q)",
            ":precondition (r)",
            [
                "a runs in the first model only where (not (r))",
                "a runs in the second model only where (not (q))",
            ],
        ),
        (":effect (r)", "", ["a leads to (r) in the first model only where (not (r))"]),
        (
            ":effect (when (q) (r))",
            ":effect (r)",
            ["a leads to (r) in the second model only where (not (q)) (not (r))"],
        ),
        (
            ":precondition (exists (?z - box) (on ?z ?x))",
            ":precondition (or (on ?x ?x) (on ?y ?x) (on k ?x))",
            [
                "a runs in the second model only where (not (on k ?x))",
                "a runs in the first model only where (not (on ?x ?x)) (not (on ?y ?x)) (not (on k ?x))",
            ],
        ),
        (
            ":precondition (forall (?z - box) (imply (p ?z) (on ?z ?z)))",
            ":precondition (forall (?z - thing) (imply (p ?z) (on ?z ?z)))",
            ["a runs in the first model only where (not (on ?x ?x)) (p ?x)"],
        ),
        (
            ":effect (probabilistic 0.5 (r))",
            ":effect (probabilistic 0.4 (r))",
            ["a leads to (r) with probability 0.5 in the first model and 0.4 in the second where (not (r))"],
        ),
    ],
)
def test_what_differs_is_told_with_a_state(one: str, two: str, told: list[str]) -> None:
    found = differences(model(one), model(two))
    assert [re.sub(r"\(not \(r\)\) \(q\)$", "(q)", text) for text in found] == told


def test_actions_that_only_one_model_has_and_numbers_of_parameters() -> None:
    one, other = model(""), read_ppddl(HEAD.replace("action a", "action b") + "))")
    assert differences(one, other) == ["a is only in the first model", "b is only in the second model"]
    fewer = read_ppddl(HEAD.replace("(?x ?y - thing) ", "(?x - thing) ") + "))")
    assert differences(one, fewer)[0] == "a has 2 and 1 parameters"


def test_parameters_go_by_position() -> None:
    one = model(":precondition (on ?x ?y)")
    other = read_ppddl(
        HEAD.replace("(:action a :parameters (?x ?y", "(:action a :parameters (?y ?x")
        + ":precondition (on ?y ?x)))"
    )
    assert differences(one, other) == []


@pytest.mark.parametrize(
    ("one", "two", "told"),
    [
        (":precondition (not (= ?x ?y))", "", "a runs in the second model only where (= ?y ?x)"),
        (":precondition (not (= ?x k))", "", "a runs in the second model only where (= ?x k)"),
        (":effect (and (p ?x) (not (p ?y)))", ":effect (and (p ?x) (when (not (= ?x ?y)) (not (p ?y))))", ""),
        (
            ":effect (and (q) (when (= ?x ?y) (r)))",
            ":effect (q)",
            "a leads to (not (r)) (q) in the second model only where (= ?y ?x) (not (r))",
        ),
    ],
)
def test_arguments_that_coincide_count_only_with_equality(one: str, two: str, told: str) -> None:
    assert differences(model(one), model(two)) == []
    found = differences(model(one), model(two), equality=True)
    assert found == ([told] if told else [])


def test_predicates_with_other_arguments_cannot_be_compared() -> None:
    other = read_ppddl("(define (domain d) (:predicates (q ?x)) (:action a :parameters (?x ?y)))")
    with pytest.raises(InputError, match="predicate 'q' has 0 and 1 arguments"):
        differences(model(""), other)


OBJECTS = (Object("b1", "box"), Object("b2", "box"), Object("o", "ball"), Object("sea", "place"))


def behave_alike(one: Model, two: Model, seed: int) -> bool:
    """Whether both do the same with different objects from some states."""
    universe, rng = Universe(WORLD, OBJECTS), random.Random(seed)
    first, second = Execution(one, universe), Execution(two, universe)
    steps = [Step("push", ("b1", "sea")), Step("rain"), Step("swap", ("b1", "b2")), Step("swap", ("o", "b1"))]
    for step, execution in product(steps, (first, second)):
        execution.ground(step)
    for _ in range(60):
        bits = sum(1 << n for n in range(universe.size) if rng.random() < 0.5)
        for step in steps:
            here, there = first.after(bits, step), second.after(bits, step)
            if (here is None) != (there is None):
                return False
            if any(
                abs((here or {}).get(s, 0) - (there or {}).get(s, 0)) > 1e-5
                for s in {*(here or ()), *(there or ())}
            ):
                return False
    return True


@given(adl_models(stochastic=True), adl_models(stochastic=True))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_not_told_does_not_show(one: Model, two: Model) -> None:
    if not differences(one, two):
        assert behave_alike(one, two, 0)
    assert differences(one, read_ppddl(write_domain(one))) == []


@given(adl_models())
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_opposite_condition_is_always_told(one: Model) -> None:
    action = one.action["push"]
    turned = ActionModel(action.header, negate(action.precondition), action.cases)
    assert differences(Model(WORLD, (turned,)), Model(WORLD, (action,)))


def test_agreement_counts_what_is_said_alike() -> None:
    truth = model(":precondition (or (q) (p ?x)) :effect (when (r) (not (p ?x)))")
    objects = (Object("b", "box"), Object("o", "ball"))
    states = list(random_states(truth, objects, 200, random.Random(1)))
    found = agreement(truth, truth, states, random.Random(2))
    assert (found.same, found.share, found.first) == (found.tried, 1, "")
    assert found.tried > found.ran > found.tried / 4
    careless = model(":effect (when (r) (not (p ?x)))")
    found = agreement(careless, truth, states, random.Random(2))
    assert found.same == found.ran
    assert "in truth refused" in found.first
    assert agreement(Model(truth.vocabulary, ()), truth, states, random.Random(2)).share < 0.8
    assert found == agreement(careless, truth, states, random.Random(2))
