from __future__ import annotations

import pytest
from hypothesis import given, settings
from random_models import models

from assay.core.formula import TRUE, And, Exists
from assay.core.model import ActionModel, Model, Outcome
from assay.core.symbols import ActionHeader, Atom, Literal, Object, Parameter
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.pddl.reader import read_domain, read_problem
from assay.pddl.writer import write_domain, write_problem


@given(models())
@settings(max_examples=100, deadline=None)
def test_reading_what_was_written_gives_the_model_back(model: Model) -> None:
    text = write_domain(model, ["a note", "two\nlines"])
    again = read_domain(text)
    assert again == model
    assert again.vocabulary.name == "random"
    assert write_domain(again, ["a note", "two\nlines"]) == text


TEXT = """\
; learned from 3 questions
(define (domain doors)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types
    room key - object
    hall - (either room key))
  (:constants
    lobby - hall)
  (:predicates
    (at ?r - room)
    (fits ?k - key ?r - room)
    (dark))

  ; the second note
  (:action go
    :parameters (?from - room ?to - (either room hall))
    :precondition (and
      (at ?from)
      (at lobby)
      (not (at ?to))
      (not (dark))
      (not (= ?from ?to))
      (not (= ?to lobby)))
    :effect (and
      (at ?to)
      (not (at ?from)))
  )

  (:action wait
    :parameters ()
    :precondition (and)
    :effect (and)
  )
)
"""


def test_layout() -> None:
    notes = {"": ["learned from 3 questions"], "go": ["the second note"]}
    assert write_domain(read_domain(TEXT), notes) == TEXT


@pytest.mark.parametrize(
    ("text", "requirements"),
    [
        ("(:predicates (p ?x)) (:action a :parameters (?x) :effect (not (p ?x)))", ":strips"),
        ("(:types t) (:predicates (p))", ":strips :typing"),
        ("(:predicates (p)) (:action a :precondition (not (p)))", ":strips :negative-preconditions"),
        (
            "(:predicates (p)) (:action a :parameters (?x ?y) :precondition (not (= ?x ?y)))",
            ":strips :negative-preconditions :equality",
        ),
    ],
)
def test_requirements_are_those_that_are_used(text: str, requirements: str) -> None:
    written = write_domain(read_domain(f"(define (domain d) {text})"))
    assert f"(:requirements {requirements})\n" in written


def test_untyped_models_are_written_without_types() -> None:
    text = "(define (domain d) (:constants k) (:predicates (p ?x ?y)) (:action a :parameters (?x ?y)))"
    written = write_domain(read_domain(text))
    assert "(p ?x ?y)" in written
    assert " - " not in written


def test_a_name_chosen_without_pddl_in_mind() -> None:
    model = Model(Vocabulary(name="my (first) agent"), ())
    assert "(domain my-first-agent)" in write_domain(model)
    assert "(domain other)" in write_domain(model, name="other")


@pytest.mark.parametrize(
    "model",
    [
        Model(Vocabulary(), (ActionModel.chance(ActionHeader("a"), [], [Outcome.plain([], 0.5)]),)),
        Model(Vocabulary(), (ActionModel.chance(ActionHeader("a"), [], []),)),
    ],
)
def test_what_pddl_cannot_say_is_not_written(model: Model) -> None:
    with pytest.raises(InputError, match="cannot"):
        write_domain(model)


def test_problem_round_trip() -> None:
    vocabulary = read_domain(TEXT).vocabulary
    objects = (Object("r1", "room"), Object("r2", "room"), Object("k", "key"), Object("r3", "room"))
    initial = {Atom("at", ("r1",)), Atom("at", ("lobby",)), Atom("fits", ("k", "r2"))}
    at, dark = Literal(Atom("at", ("r2",))), Literal(Atom("dark"), False)
    goal = And((at, dark, Exists((Parameter("?k", ("key",)),), Literal(Atom("fits", ("?k", "r2"))))))
    text = write_problem("p1", "doors", objects, initial, goal)
    problem = read_problem(text, vocabulary)
    assert (problem.name, problem.domain) == ("p1", "doors")
    assert (problem.objects, problem.initial, problem.goal) == (objects, initial, goal)
    assert text == write_problem("p1", "doors", objects, sorted(initial, reverse=True), goal)


def test_empty_problem() -> None:
    text = write_problem("p", "d", [], [])
    problem = read_problem(text, Vocabulary())
    assert (problem.objects, problem.initial, problem.goal) == ((), frozenset(), TRUE)
