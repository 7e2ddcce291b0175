"""Policy-simulation questions: how a run goes on and why it ends, and models with chance."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from assay.core.execution import Execution
from assay.core.policy import End, PolicyQuery, PolicyResponse, Trace, Transition, check_trace, follow
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import State, Universe
from assay.errors import InputError
from assay.pddl.reader import read_ppddl

DOMAIN = """(define (domain lift)
  (:types floor) (:constants top - floor)
  (:predicates (at ?f - floor) (next ?f ?g - floor) (stuck))
  (:action up :parameters (?f ?g - floor)
    :precondition (and (at ?f) (next ?f ?g) (not (stuck)) (not (= ?f ?g)))
    :effect (probabilistic 0.6 (and (at ?g) (not (at ?f))) 0.1 (stuck)))
  (:action shake :parameters () :precondition (stuck) :effect (probabilistic 0.5 (not (stuck))))
)"""


@pytest.fixture
def universe() -> Universe:
    return Universe(read_ppddl(DOMAIN).vocabulary, [Object("a", "floor"), Object("b", "floor")])


def state(universe: Universe, text: str) -> State:
    return universe.state(Atom.parse(part) for part in text.split(",") if part.strip())


UP, MORE, SHAKE = Step("up", ("a", "b")), Step("up", ("b", "top")), Step("shake")
ROADS = "next a b, next b top"
DONE = (frozenset({Literal(Atom("at", ("top",))), Literal(Atom("stuck"), False)}),)


@pytest.fixture
def query(universe: Universe) -> PolicyQuery:
    low, middle = state(universe, f"at a, {ROADS}"), state(universe, f"at b, {ROADS}")
    return PolicyQuery(low, ((low, UP), (middle, MORE)), DONE, 3, 2)


def scripted(universe: Universe, *texts: str):
    answers = [None if text == "refuse" else state(universe, f"{text}, {ROADS}") for text in texts]
    return lambda here, step: answers.pop(0)


@pytest.mark.parametrize(
    ("script", "end", "length"),
    [
        (("at b", "at top"), End.GOAL, 2),
        (("at a", "at a", "at a"), End.HORIZON, 3),
        (("at a", "at b", "at top"), End.GOAL, 3),
        (("at b", "at b, stuck"), End.SILENT, 2),
        (("at b", "refuse"), End.REFUSED, 1),
        (("refuse",), End.REFUSED, 0),
        (("at a", "refuse"), End.REFUSED, 1),
    ],
)
def test_why_a_run_ends(universe, query, script, end, length):
    trace = follow(query, scripted(universe, *script))
    assert (trace.end, len(trace.states) - 1) == (end, length)
    check_trace(query, trace)


def test_a_run_may_be_over_before_it_begins(universe, query):
    here = state(universe, "at top")
    trace = follow(PolicyQuery(here, ((here, UP),), DONE, 3, 1), scripted(universe))
    assert trace == Trace((here,), End.GOAL)
    assert follow(PolicyQuery(here, (), (), 3, 1), scripted(universe)).end is End.SILENT


def test_a_step_without_change_is_no_refusal(universe, query):
    """The papers' point: both leave the state as it was, and only one of them ran."""
    runs = (follow(query, scripted(universe, "at a", "refuse")), follow(query, scripted(universe, "refuse")))
    response = PolicyResponse(runs)
    low = query.state
    assert list(response.transitions(query)) == [
        Transition(low, UP, low),
        Transition(low, UP, None),
        Transition(low, UP, None),
    ]
    assert (response.samples, response.reached) == (3, False)


def test_reached_if_any_run_did(universe, query):
    runs = (follow(query, scripted(universe, "at b", "at top")), follow(query, scripted(universe, "refuse")))
    response = PolicyResponse(runs)
    assert response.reached
    assert response.samples == 3


def test_trials(universe):
    here = state(universe, "stuck")
    trial = PolicyQuery.trial(here, SHAKE, 7)
    assert trial == PolicyQuery(here, ((here, SHAKE),), (), 1, 7)
    assert follow(trial, lambda state, step: state).end is End.HORIZON


def test_goals_are_alternatives(universe):
    here = state(universe, "at a")
    parts = (frozenset({Literal(Atom("stuck"))}), frozenset({Literal(Atom("at", ("b",)), False)}))
    assert PolicyQuery(here, (), parts, 1, 1).reached(here.bits)
    assert not PolicyQuery(here, (), parts[:1], 1, 1).reached(here.bits)
    assert PolicyQuery(here, (), (frozenset(),), 1, 1).reached(0)


def test_what_is_no_question(universe):
    here = state(universe, "at a")
    with pytest.raises(InputError, match="one step for a state"):
        PolicyQuery(here, ((here, UP), (here, SHAKE)), (), 1, 1)
    for horizon, runs in ((0, 1), (1, 0)):
        with pytest.raises(InputError, match="at least one"):
            PolicyQuery(here, (), (), horizon, runs)
    elsewhere = Universe(universe.vocabulary, universe.objects)
    with pytest.raises(InputError, match="universe"):
        PolicyQuery(here, ((state(elsewhere, "at b"), UP),), (), 1, 1)


def test_new_objects_are_told(universe):
    universe.add(Object("c", "floor"))
    here = state(universe, "at a")
    goal = (frozenset({Literal(Atom("at", ("c",)))}),)
    assert PolicyQuery(here, (), goal, 1, 1).new_objects == (Object("c", "floor"),)
    assert PolicyQuery.trial(here, UP).new_objects == ()


@pytest.mark.parametrize(
    ("texts", "end", "message"),
    [
        (("at b",), End.SILENT, "does not begin"),
        ((), End.SILENT, "does not begin"),
        (("at a", "at b", "at top", "at top"), End.GOAL, "goes on after 2 steps"),
        (("at a", "at a"), End.HORIZON, "only 'refused' is possible"),
        (("at a", "at b", "at top"), End.HORIZON, "only 'goal' is possible"),
        (("at a", "at a", "at a", "at a"), End.REFUSED, "only 'horizon' is possible"),
    ],
)
def test_what_is_no_run_of_the_policy(universe, query, texts, end, message):
    trace = Trace(tuple(state(universe, f"{text}, {ROADS}") for text in texts), end)
    with pytest.raises(InputError, match=message):
        check_trace(query, trace)


def test_chances(universe):
    model = read_ppddl(DOMAIN)
    chances = Execution(model, universe)
    here = state(universe, f"at a, {ROADS}")
    after = {State(universe, bits): p for bits, p in chances.after(here.bits, UP).items()}
    assert after == pytest.approx(
        {
            state(universe, f"at b, {ROADS}"): 0.6,
            state(universe, f"at a, {ROADS}, stuck"): 0.1,
            here: 0.3,
        }
    )
    assert chances.after(here.bits, MORE) is None
    assert chances.after(here.bits, SHAKE) is None
    assert chances.after(here.bits, Step("up", ("a", "a"))) is None
    with pytest.raises(InputError, match="unknown action"):
        chances.after(here.bits, Step("down"))


def test_draws_follow_the_probabilities(universe):
    chances = Execution(read_ppddl(DOMAIN), universe)
    here = state(universe, f"at a, {ROADS}").bits
    rng, count = random.Random(1), 4000
    drawn = Counter(chances.draw(here, UP, rng) for _ in range(count))
    expected = chances.after(here, UP)
    assert drawn.keys() == expected.keys()
    for bits, probability in expected.items():
        # five standard deviations: a right sampler fails once in a million seeds
        bound = 5 * (probability * (1 - probability) / count) ** 0.5
        assert abs(drawn[bits] / count - probability) < bound
    assert chances.draw(here, SHAKE, rng) is None


def test_equal_successors_are_one():
    """Where an effect holds already, an outcome cannot be told from no change."""
    model = read_ppddl(
        "(define (domain d) (:predicates (p) (q)) (:action a :effect (probabilistic 0.5 (p) 0.3 (q))))"
    )
    universe = Universe(model.vocabulary)
    p, both = universe.bits([Atom("p")]), universe.bits([Atom("p"), Atom("q")])
    assert Execution(model, universe).after(p, Step("a")) == pytest.approx({p: 0.7, both: 0.3})
    assert Execution(model, universe).after(both, Step("a")) == pytest.approx({both: 1})
