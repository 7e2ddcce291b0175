"""ADL: what is read of it, what it means, how it is written, and that both agree."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from random_models import adl_models

from assay.core.execution import Execution
from assay.core.formula import (
    FALSE,
    TRUE,
    And,
    Equality,
    Exists,
    Forall,
    Formula,
    Or,
    conjoin,
    negate,
)
from assay.core.model import ActionModel, Effect, Model
from assay.core.symbols import Atom, Literal, Object, Parameter, Step
from assay.core.universe import Universe
from assay.errors import PddlError
from assay.pddl.reader import read_domain, read_ppddl
from assay.pddl.writer import write_domain

HEAD = """(define (domain d) (:types box - thing place) (:constants home - place)
(:predicates (p) (q) (r) (at ?x - thing ?l - place) (on ?x ?y - thing))
(:action a :parameters (?x ?y - box ?l - place)\n"""
P, Q, R = (Literal(Atom(name)) for name in "pqr")
ON = Literal(Atom("on", ("?z", "?x")))
OTHER = Equality("?z", "?x", False)
Z = (Parameter("?z", ("box",)),)


def needed(text: str) -> Formula:
    return read_domain(f"{HEAD}:precondition {text}))").actions[0].precondition


def does(text: str) -> frozenset[Effect]:
    return read_domain(f"{HEAD}:effect {text}))").actions[0].effects


def chances(text: str) -> ActionModel:
    return read_ppddl(f"{HEAD}:effect {text}))").actions[0]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("(or (p) (q))", Or((P, Q))),
        ("(or (q) (or (p)))", Or((P, Q))),
        ("(imply (p) (q))", Or((Q, negate(P)))),
        ("(not (imply (p) (q)))", And((P, negate(Q)))),
        ("(not (and (p) (or (q) (not (r)))))", Or((negate(P), And((R, negate(Q)))))),
        ("(and (or (p) (q)) (r))", And((R, Or((P, Q))))),
        ("(exists (?z - box) (on ?z ?x))", Exists(Z, ON)),
        ("(not (exists (?z - box) (on ?z ?x)))", Forall(Z, negate(ON))),
        ("(forall (?z - box) (imply (on ?z ?x) (p)))", Forall(Z, Or((P, negate(ON))))),
        ("(exists (?z - box) (and (not (= ?x ?z)) (on ?z ?x)))", Exists(Z, And((ON, OTHER)))),
        ("(= home ?l)", Equality("?l", "home")),
        ("(not (not (p)))", P),
        ("(or)", FALSE),
        ("(and)", TRUE),
        ("(or (p) (and))", TRUE),
    ],
)
def test_conditions_come_in_negation_normal_form(text: str, formula: Formula) -> None:
    assert needed(text) == formula


def test_a_variable_that_hides_another_gets_a_name_of_its_own() -> None:
    other = (Parameter("?x-2", ("box",)),)
    assert needed("(exists (?x - box) (on ?x ?y))") == Exists(other, Literal(Atom("on", ("?x-2", "?y"))))
    (effect,) = does("(forall (?x - box) (when (p) (forall (?x - box) (when (on ?x ?y) (not (on ?y ?x))))))")
    assert [v.name for v in effect.variables] == ["?x-2", "?x-3"]
    assert effect.condition == And((Literal(Atom("on", ("?x-3", "?y"))), P))
    assert effect.literal == Literal(Atom("on", ("?y", "?x-3")), False)


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        ("(when (p) (q))", [Effect(Q, P)]),
        ("(when (p) (and (q) (not (r))))", [Effect(Q, P), Effect(negate(R), P)]),
        ("(when (p) (when (r) (q)))", [Effect(Q, And((P, R)))]),
        ("(and (p) (when (or (q) (r)) (not (p))))", [Effect(P), Effect(negate(P), Or((Q, R)))]),
        ("(forall (?z - box) (when (on ?z ?x) (not (on ?z ?x))))", [Effect(negate(ON), ON, Z)]),
        ("(forall (?z - box) (on ?z ?x))", [Effect(ON, TRUE, Z)]),
        ("(when (p) (forall (?z - box) (on ?z ?x)))", [Effect(ON, P, Z)]),
        ("(when (or) (p))", []),
    ],
)
def test_effects_come_flat(text: str, effects: list[Effect]) -> None:
    assert does(text) == set(effects)


def cases(action: ActionModel) -> list[tuple[Formula, list[tuple[float, list[Effect]]]]]:
    return [
        (c.condition, [(o.probability, sorted(o.effects, key=str)) for o in c.outcomes]) for c in action.cases
    ]


def test_draws_under_conditions_that_exclude_each_other_are_cases() -> None:
    action = chances("""(and (when (p) (probabilistic 0.9 (q)))
        (when (not (p)) (and (r) (probabilistic 0.2 (q)))))""")
    assert cases(action) == [
        (P, [(0.9, [Effect(Q)]), (0.1, [])]),
        (negate(P), [(0.2, [Effect(Q), Effect(R)]), (0.8, [Effect(R)])]),
    ]


def test_what_is_left_is_a_case_of_its_own() -> None:
    action = chances("(and (when (and (p) (q)) (probabilistic 0.5 (r))) (when (not (p)) (q)))")
    assert cases(action) == [
        (And((P, Q)), [(0.5, [Effect(R)]), (0.5, [])]),
        (Or((negate(P), negate(Q))), [(1, [Effect(Q, negate(P))])]),
    ]


def test_draws_under_other_conditions_are_conditional_effects_of_the_outcomes() -> None:
    action = chances("(and (when (p) (probabilistic 0.5 (r))) (when (q) (probabilistic 0.5 (not (r)))))")
    one, two = Effect(R, P), Effect(negate(R), Q)
    assert cases(action) == [
        (TRUE, [(0.25, sorted([one, two], key=str)), (0.25, [one]), (0.25, [two]), (0.25, [])])
    ]


def test_a_condition_inside_a_draw() -> None:
    action = chances("(probabilistic 0.5 (when (p) (probabilistic 0.5 (q))))")
    assert cases(action) == [(TRUE, [(0.25, [Effect(Q, P)]), (0.75, [])])]


DOMAIN = """\
(define (domain porter)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions \
:existential-preconditions :universal-preconditions :conditional-effects :equality :probabilistic-effects)
  (:types
    box room - object)
  (:predicates
    (in ?b - box ?r - room)
    (wet)
    (torn ?b - box)
    (on ?x - box ?y - box))

  (:action clear
    :parameters (?b - box)
    :precondition (and
      (forall (?z - box) (imply (on ?z ?b) (torn ?z)))
      (exists (?r - room) (or (wet) (and (in ?b ?r) (not (torn ?b))))))
    :effect (and
      (not (torn ?b))
      (when (wet) (and (torn ?b) (not (wet))))
      (forall (?z - box) (when (and (on ?z ?b) (not (= ?z ?b))) (not (on ?z ?b)))))
  )

  (:action drop
    :parameters (?b - box ?r - room)
    :precondition (and
      (or
        (and (in ?b ?r) (wet) (not (torn ?b)) (exists (?o - room) (in ?b ?o)))
        (forall (?o - room) (imply (in ?b ?o) (= ?o ?r)))))
    :effect (and
      (in ?b ?r)
      (when (not (wet)) (not (in ?b ?r)))
      (when (wet)
        (probabilistic
          0.25 (and (torn ?b))
          0.75 (and))))
  )
)
"""


def test_layout() -> None:
    assert write_domain(read_ppddl(DOMAIN)) == DOMAIN


@pytest.mark.parametrize(
    ("action", "requirements"),
    [
        (":precondition (or (p) (q))", ":disjunctive-preconditions"),
        (":precondition (imply (p) (q))", ":negative-preconditions :disjunctive-preconditions"),
        (":precondition (exists (?z) (s ?z))", ":existential-preconditions"),
        (":precondition (forall (?z) (s ?z))", ":universal-preconditions"),
        (
            ":precondition (forall (?z) (imply (s ?z) (p)))",
            ":disjunctive-preconditions :universal-preconditions",
        ),
        (":precondition (exists (?z) (= ?z ?x))", ":existential-preconditions :equality"),
        (":effect (when (p) (q))", ":conditional-effects"),
        (":effect (when (not (p)) (q))", ":negative-preconditions :conditional-effects"),
        (":effect (forall (?z) (s ?z))", ":conditional-effects"),
        (":effect (probabilistic 0.5 (not (q)))", ":probabilistic-effects"),
        (
            ":effect (probabilistic 0.5 (when (or (p) (q)) (q)))",
            ":disjunctive-preconditions :conditional-effects :probabilistic-effects",
        ),
    ],
)
def test_requirements_are_those_that_are_used(action: str, requirements: str) -> None:
    text = f"(define (domain d) (:predicates (p) (q) (s ?z)) (:action a :parameters (?x) {action}))"
    assert f"(:requirements :strips {requirements})\n" in write_domain(read_ppddl(text))


OBJECTS = (Object("b1", "box"), Object("b2", "box"), Object("o", "ball"), Object("sea", "place"))


def agree(one: Model, two: Model) -> bool:
    """Whether every step from some random states has the same consequences."""
    universe = Universe(one.vocabulary, OBJECTS)
    first, second = Execution(one, universe), Execution(two, universe)
    steps = [Step("push", ("b1", "home")), Step("push", ("b2", "sea")), Step("rain")]
    steps += [Step("swap", args) for args in (("b1", "b2"), ("b2", "b2"), ("o", "b1"))]
    bits = [1 << p for step in steps for p in universe.positions(step)]
    rng = random.Random(1)
    for _ in range(30):
        state = 0
        for bit in bits:
            state |= bit if rng.random() < 0.5 else 0
        for step in steps:
            here, there = first.after(state, step), second.after(state, step)
            if (here is None) != (there is None) or (here or {}).keys() != (there or {}).keys():
                return False
            if here is not None and any(abs(p - there[s]) > 1e-9 for s, p in here.items()):
                return False
    return True


@given(adl_models(stochastic=True))
@settings(max_examples=150, deadline=None)
def test_what_was_written_says_the_same(model: Model) -> None:
    again = read_ppddl(write_domain(model))
    assert again.vocabulary == model.vocabulary
    assert agree(model, again)


@given(adl_models())
@settings(max_examples=150, deadline=None)
def test_in_the_order_of_the_reader_it_is_the_same_model(model: Model) -> None:
    once = read_domain(write_domain(model))
    text = write_domain(once)
    assert agree(model, once)
    assert read_domain(text) == once
    assert write_domain(read_domain(text)) == text


def test_the_first_case_that_holds_is_the_one_that_is_written() -> None:
    """Cases that overlap are written as the model runs."""
    text = """(and (when (p) (probabilistic 0.5 (q))) (when (not (p)) (probabilistic 0.1 (r))))"""
    action = chances(text)
    first, second = action.cases
    loose = ActionModel(action.header, action.precondition, (first, type(second)(second.outcomes, TRUE)))
    model = read_ppddl(f"{HEAD}:effect {text}))")
    assert read_ppddl(write_domain(Model(model.vocabulary, (loose,)))) == model


def test_very_many_alternatives_are_read() -> None:
    many = " ".join(f"(and (p) (at ?x home) {'(q)' if n % 2 else '(r)'})" for n in range(500))
    assert isinstance(needed(f"(or {many})"), Or)
    assert conjoin([needed(f"(not (or {many}))")]) == needed(f"(not (or {many}))")


def test_as_many_cases_as_there_are_squares_on_a_board() -> None:
    names = [f"p{n}" for n in range(130)]
    head = f"(define (domain d) (:predicates {' '.join(f'({n})' for n in names)})\n(:action a :effect (and "

    def board(size: int) -> str:
        cases = ""
        for n in range(size):
            here = " ".join([f"({names[n]})", *(f"(not ({other}))" for other in names[:n])])
            cases += f"(when (and {here}) (probabilistic 0.5 (not ({names[n]}))))"
        return f"{head}{cases})))"

    (action,) = read_ppddl(board(64)).actions
    assert len(action.cases) == 65
    with pytest.raises(PddlError, match="more than 128 different conditions"):
        read_ppddl(board(130))


def test_deep_conditions_are_refused_with_their_place() -> None:
    with pytest.raises(PddlError, match="more than 100 formulas inside each other"):
        needed("(and (p) (or (q) " * 100 + "(r)" + "))" * 100)
