from __future__ import annotations

import pytest

from assay.core.formula import And, Forall, Or, negate
from assay.core.symbols import ActionHeader, Atom, Literal, Object, Parameter, Predicate, Type
from assay.core.vocabulary import Vocabulary
from assay.errors import PddlError
from assay.pddl.reader import read_domain, read_problem, read_vocabulary


def positive(*texts: str) -> frozenset[Literal]:
    return frozenset(Literal(Atom.parse(t)) for t in texts)


def negative(*texts: str) -> frozenset[Literal]:
    return frozenset(Literal(Atom.parse(t), False) for t in texts)


TYPED = """
; sections in an unusual order, names in mixed case
(define (domain Tea_Time-2)
  (:predicates
    (hot) (in ?d - DRINK ?c - (either cup pot)) (near ?x ?y) (clean ?c - cup))
  (:constants Kitchen - place)
  (:action POUR
    :effect (and (in ?d ?c) (and (not (in ?d ?p)) (and)))
    :parameters (?d - drink ?p - pot ?c - cup)
    :precondition (and (and (in ?d ?p)) (not (in ?d ?c)) (clean ?c)))
  (:requirements :strips :typing :adl :no-such-thing)
  (:types mug - cup cup pot - vessel drink place - object))
"""


def test_typed_domain_in_any_order_and_case() -> None:
    model = read_domain(TYPED)
    vocabulary = model.vocabulary
    assert vocabulary.name == "tea_time-2"
    assert vocabulary.types == (
        Type("mug", ("cup",)),
        Type("cup", ("vessel",)),
        Type("pot", ("vessel",)),
        Type("drink"),
        Type("place"),
        Type("vessel"),
    )
    assert vocabulary.constants == (Object("kitchen", "place"),)
    assert vocabulary.predicates == (
        Predicate("hot"),
        Predicate("in", (Parameter("?d", ("drink",)), Parameter("?c", ("cup", "pot")))),
        Predicate("near", (Parameter("?x"), Parameter("?y"))),
        Predicate("clean", (Parameter("?c", ("cup",)),)),
    )
    pour = model.action["pour"]
    assert pour.header.parameters[1] == Parameter("?p", ("pot",))
    assert pour.needed == positive("in ?d ?p", "clean ?c") | negative("in ?d ?c")
    assert pour.plain_effects == positive("in ?d ?c") | negative("in ?d ?p")


def test_the_vocabulary_ignores_action_bodies() -> None:
    text = """(define (domain d) (:predicates (p ?x))
      (:action a :parameters (?x) :precondition (forall (?y) (q ?y)) :effect (probabilistic 0.5 (p ?x))))"""
    assert read_vocabulary(text) == Vocabulary(
        predicates=(Predicate("p", (Parameter("?x"),)),), actions=(ActionHeader("a", (Parameter("?x"),)),)
    )
    assert read_vocabulary(TYPED) == read_domain(TYPED).vocabulary


@pytest.mark.parametrize(
    "body",
    [
        "",
        ":parameters ()",
        ":precondition () :effect ()",
        ":precondition (and) :effect (and)",
        ":effect (and (and) ()) :parameters () :precondition (and (and (and)))",
    ],
)
def test_missing_and_empty_parts_of_an_action(body: str) -> None:
    (action,) = read_domain(f"(define (domain d) (:predicates (p)) (:action a {body}))").actions
    assert action.header == ActionHeader("a")
    assert action.needed == action.plain_effects == frozenset()


def test_inequality_is_kept_apart_and_ordered_as_in_the_header() -> None:
    text = """(define (domain d) (:constants home) (:predicates (p ?x))
      (:action a :parameters (?x ?y ?z)
        :precondition (and (not (= ?y ?x)) (not (= home ?z)) (not (= ?x ?y)) (p ?x))))"""
    (action,) = read_domain(text).actions
    assert action.distinct == {("?x", "?y"), ("?z", "home")}
    assert action.needed == positive("p ?x")


def test_contradictory_preconditions_and_effects_are_kept() -> None:
    text = """(define (domain d) (:predicates (p))
      (:action a :precondition (and (p) (not (p))) :effect (and (not (p)) (p))))"""
    (action,) = read_domain(text).actions
    assert action.needed == action.plain_effects == positive("p") | negative("p")


def test_object_may_be_declared_and_a_type_listed_with_several_parents() -> None:
    text = """(define (domain d) (:requirements :typing)
      (:types object a b - object c - a c - b d - (either a b)) (:predicates (p ?x - object)))"""
    assert read_vocabulary(text).types == (
        Type("a"),
        Type("b"),
        Type("c", ("a", "b")),
        Type("d", ("a", "b")),
    )


def test_a_subtype_fits_where_its_parent_is_asked_for() -> None:
    text = """(define (domain d) (:types a b - top) (:constants k - a) (:predicates (p ?x - top))
      (:action m :parameters (?x - a ?y - (either a b)) :precondition (and (p ?x) (p ?y) (p k))))"""
    assert len(read_domain(text).actions[0].needed) == 3


def test_declared_predicates_may_have_names_that_mean_something_elsewhere() -> None:
    text = "(define (domain d) (:predicates (increase)) (:action a :precondition (increase)))"
    assert read_domain(text).actions[0].needed == positive("increase")


def test_very_deep_conjunctions() -> None:
    deep = "(and " * 20_000 + "(p)" + ")" * 20_000
    text = f"(define (domain d) (:predicates (p)) (:action a :precondition {deep}))"
    assert read_domain(text).actions[0].needed == positive("p")


VOCABULARY = Vocabulary.of(
    types={"place": "object", "thing": "object"},
    constants={"home": "place"},
    predicates={"at": ["thing", "place"], "dark": []},
    actions={},
)


def test_problem() -> None:
    text = """(define (problem Trip-01) (:domain D) (:requirements :typing)
      (:objects A b - thing home sea - place)
      (:init (at a home) (DARK) (not (at b sea)))
      (:goal (and (at A sea) (not (dark))))
      (:metric minimize (total-time)))"""
    problem = read_problem(text, VOCABULARY)
    assert (problem.name, problem.domain) == ("trip-01", "d")
    assert problem.objects == (Object("a", "thing"), Object("b", "thing"), Object("sea", "place"))
    assert problem.initial == {Atom("at", ("a", "home")), Atom("dark")}
    assert problem.goal == And((Literal(Atom("at", ("a", "sea"))), Literal(Atom("dark"), False)))


DARK, HOME = Literal(Atom("dark")), Literal(Atom("at", ("a", "home")))
THINGS = (Parameter("?x", ("thing",)),)
ANYWHERE = Literal(Atom("at", ("?x", "home")))


@pytest.mark.parametrize(
    ("goal", "wanted"),
    [
        ("", None),
        ("(:goal (and))", And()),
        ("(:goal ())", And()),
        ("(:goal (dark))", DARK),
        ("(:goal (and (and (dark)) (at a home)))", And((HOME, DARK))),
        ("(:goal (or (dark) (at a home)))", Or((HOME, DARK))),
        ("(:goal (not (and (dark) (at a home))))", Or((negate(HOME), negate(DARK)))),
        ("(:goal (and (dark) (forall (?x - thing) (at ?x home))))", And((DARK, Forall(THINGS, ANYWHERE)))),
        ("(:goal (not (exists (?x - thing) (at ?x home))))", Forall(THINGS, negate(ANYWHERE))),
    ],
)
def test_goals_are_any_condition(goal: str, wanted: object) -> None:
    text = f"(define (problem p) (:domain d) (:objects a - thing) (:init (dark)) {goal})"
    assert read_problem(text, VOCABULARY).goal == wanted


@pytest.mark.parametrize(
    ("goal", "column", "message"),
    [
        ("(:goal (> (fuel) 3))", 8, "'>': numbers are outside"),
        ("(:goal ((dark)))", 8, "expected a formula"),
        ("(:goal (and dark))", 13, "expected a formula in parentheses"),
        ("(:goal (preference p (dark)))", 8, "preferences are outside"),
        ("(:goal (dark) (dark))", 1, "one goal, not 2"),
        ("(:goal)", 1, "one goal, not 0"),
    ],
)
def test_goals_that_cannot_be_read(goal: str, column: int, message: str) -> None:
    text = f"(define (problem p) (:domain d) (:objects a - thing) (:init (dark))\n{goal})"
    with pytest.raises(PddlError, match=message) as error:
        read_problem(text, VOCABULARY)
    assert (error.value.line, error.value.column) == (2, column)
