"""An agent that may do as it likes for one question saves the search for first examples."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import assess
from assay.agents.model import ModelAgent
from assay.bench.problems import DOMAINS, load
from assay.bench.variants import Case, Kind, measure
from assay.core.query import Invalid, WalkQuery, WalkResponse
from assay.core.symbols import Atom
from assay.pddl.reader import read_domain, read_problem
from assay.old_result import Outcome
from assay.scoring.equivalence import differences
from assay.scoring.normal_form import literal_count
from hidden_models import objects_of, random_model

SHOP = """(define (domain shop) (:requirements :strips :typing :negative-preconditions)
 (:types thing place)
 (:constants counter - place)
 (:predicates (at ?t - thing ?p - place) (sold ?t - thing) (broken ?t - thing) (paid ?t - thing)
  (wet ?p - place) (shut ?p - place))
 (:action bring :parameters (?t - thing ?from ?to - place)
  :precondition (and (at ?t ?from) (not (wet ?to)) (not (shut ?to)) (not (broken ?t)) (not (sold ?t)))
  :effect (and (at ?t ?to) (not (at ?t ?from))))
 (:action sell :parameters (?t - thing)
  :precondition (and (at ?t counter) (not (sold ?t)) (not (broken ?t)) (not (paid ?t)))
  :effect (and (sold ?t) (paid ?t))))"""
GOODS = """(define (problem goods) (:domain shop) (:objects cup jug - thing shelf cellar - place)
 (:init (at cup shelf) (at jug counter) (wet cellar)) (:goal (sold cup)))"""


def shop() -> tuple[ModelAgent, int]:
    model = read_domain(SHOP)
    problem = read_problem(GOODS, model.vocabulary)
    return ModelAgent(model, problem.objects, (problem.initial,)), literal_count(model)


@pytest.mark.parametrize("domain", ["gripper", "logistics", "freecell"])
def test_nothing_is_left_to_the_agent_where_no_action_forbids_anything(domain):
    model, problem = load(domain, 2, 0)
    result = assess(ModelAgent(model, problem.objects, (problem.initial,)))
    assert not any(entry.walk for entry in result.entries)
    assert result.questions == literal_count(model) + 1


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("kind", [Kind.FORBIDDING, Kind.HALF])
def test_more_negative_preconditions_take_at_most_four_more_than_the_bound(domain, kind):
    row = measure(Case(domain, kind, 77))
    assert row is None or (row.verdict.value == "correct" and row.excess <= 4)


def test_a_walk_is_one_question_and_counts_as_search():
    agent, bound = shop()
    result = assess(agent)
    assert result.complete
    assert sum(entry.walk > 0 for entry in result.entries) == 1
    assert result.questions == len(result.entries) <= bound + 4
    assert result.knowledge.searches >= 1


def test_what_is_done_to_a_constant_on_the_way_is_a_hint_where_the_action_runs():
    """Bringing to and from the counter is no evidence about places in general."""
    model = read_domain(SHOP)
    goods = GOODS.replace(" shelf cellar - place", " shelf - place").replace(" (wet cellar)", "")
    problem = read_problem(goods, model.vocabulary)
    result = assess(ModelAgent(model, problem.objects, (problem.initial,)))
    assert result.knowledge.dossiers["bring"].hints
    assert result.complete
    assert result.questions <= literal_count(model) + 4


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_whatever_a_walk_shows_the_model_is_the_right_one(seed):
    model = random_model(seed, constants=1)
    objects = objects_of(model, 3)
    vocabulary = model.vocabulary
    initial = frozenset(
        Atom(p.name, (objects[seed % len(objects)].name,))
        for p in vocabulary.predicates
        if len(p.parameters) == 1 and objects[seed % len(objects)].type in p.parameters[0].types
    )
    result = assess(ModelAgent(model, objects, (initial,), seed), budget=2000)
    assert result.complete
    assert differences(result.model, model) == []


class Boaster(ModelAgent):
    """Says that none of its steps changed anything."""

    def walk(self, query: WalkQuery, /) -> WalkResponse:
        answer = super().walk(query)
        return WalkResponse(answer.plan, tuple(query.state for _ in answer.plan))


def test_a_walk_that_is_not_true_is_a_contradiction_that_names_it():
    agent, _ = shop()
    agent.__class__ = Boaster
    result = assess(agent)
    assert result.outcome is Outcome.CONTRADICTION
    conflict = result.contradiction()
    walk = next(entry.number for entry in result.entries if entry.walk)
    assert conflict is not None
    assert walk in conflict.numbers
    assert "left to itself, the agent took" in result.explain_contradiction()


class Homebody(ModelAgent):
    def walk(self, query: WalkQuery, /) -> Invalid:  # type: ignore[override]
        return Invalid("not today")


class Idler(ModelAgent):
    def walk(self, query: WalkQuery, /) -> WalkResponse:
        return WalkResponse((), ())


@pytest.mark.parametrize("kind", [Homebody, Idler])
def test_one_that_does_nothing_is_asked_about_plans(kind):
    agent, _ = shop()
    agent.__class__ = kind
    result = assess(agent)
    assert result.complete
    assert sum(entry.walk > 0 for entry in result.entries) == 1
