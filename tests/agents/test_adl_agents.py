"""Hidden models with all of ADL: what they do, and for whom quantifiers speak."""

from __future__ import annotations

from collections import Counter

import pytest

from assay.agents.guard import Guard
from assay.agents.model import ModelAgent
from assay.agents.pddl import open_pddl
from assay.agents.stochastic import StochasticAgent, open_ppddl
from assay.core.policy import PolicyQuery
from assay.core.query import PlanQuery, WalkQuery
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import Universe
from assay.pddl.reader import read_ppddl
from assay.testing import check_agent

STABLE = """(define (domain stable) (:types horse stall)
  (:predicates (in ?h - horse ?s - stall) (fed ?h - horse) (wet ?h - horse) (rain) (open ?s - stall))
  (:action stall :parameters (?h - horse ?s - stall)
    :precondition (and (or (open ?s) (fed ?h)) (not (exists (?o - horse) (in ?o ?s))))
    :effect (and (in ?h ?s) (when (rain) (wet ?h))))
  (:action feed :parameters ()
    :precondition (forall (?h - horse) (not (wet ?h)))
    :effect (forall (?h - horse) (when (not (fed ?h)) (fed ?h))))
  (:action rub :parameters (?a ?b - horse)
    :precondition (not (= ?a ?b)) :effect (and (wet ?a) (not (wet ?b))))
  (:action shut :parameters (?s - stall) :precondition (imply (rain) (open ?s)) :effect (not (open ?s))))"""


@pytest.fixture
def universe() -> Universe:
    return Universe(read_ppddl(STABLE).vocabulary, (Object("ada", "horse"), Object("s1", "stall")))


def agent(initial: tuple[frozenset[Atom], ...] = ()) -> ModelAgent:
    return ModelAgent(read_ppddl(STABLE), (Object("ada", "horse"), Object("s1", "stall")), initial)


def ask(universe: Universe, state: str, plan: str, *bystanders: str) -> list[list[str]]:
    for name in bystanders:
        universe.add(Object(name, "horse"))
    atoms = [Atom.parse(text) for text in state.split(",") if text.strip()]
    steps = tuple(Step.parse(text) for text in plan.split(","))
    answer = Guard(agent()).ask(PlanQuery(universe.state(atoms), steps, frozenset(bystanders)))
    return [s.texts() for s in answer.states]


def test_disjunctions_and_conditional_effects(universe: Universe) -> None:
    assert ask(universe, "", "stall ada s1") == []
    assert ask(universe, "fed ada, rain", "stall ada s1") == [["fed ada", "in ada s1", "rain", "wet ada"]]
    assert ask(universe, "open s1", "stall ada s1, stall ada s1") == [["in ada s1", "open s1"]]
    assert ask(universe, "rain", "shut s1") == []
    assert ask(universe, "", "shut s1") == [[]]


def test_quantifiers_speak_of_the_objects_of_the_question_and_no_others(universe: Universe) -> None:
    """The universe remembers the objects of earlier questions; they are not there any more."""
    assert ask(universe, "", "feed") == [["fed ada"]]
    assert ask(universe, "", "feed", "bea", "cleo") == [["fed ada", "fed bea", "fed cleo"]]
    assert ask(universe, "", "feed", "cleo") == [["fed ada", "fed cleo"]]
    assert ask(universe, "", "feed") == [["fed ada"]]
    assert ask(universe, "fed bea", "feed") == [["fed ada", "fed bea"]]
    assert ask(universe, "wet bea", "feed") == []


def test_arguments_are_free_where_the_precondition_does_not_compare_them() -> None:
    assert set(agent().free_arguments) == {"stall", "feed", "shut"}


def test_it_offers_situations_and_walks(universe: Universe) -> None:
    started = agent((frozenset({Atom("open", ("s1",))}),))
    assert len(list(started.states(40, universe))) == 40
    walk = started.walk(WalkQuery(next(started.states(1, universe)), 10))
    assert {step.action for step in walk.plan} >= {"feed", "shut"}
    assert check_agent(started) == []


def test_a_file_is_opened(tmp_path) -> None:
    path = tmp_path / "stable.pddl"
    path.write_text(STABLE)
    assert check_agent(open_pddl(path)) == []


DICE = """(define (domain dice) (:types die)
  (:predicates (loaded ?d - die) (six ?d - die) (lost))
  (:action roll :parameters (?d - die)
    :precondition (or (loaded ?d) (not (lost)))
    :effect (and (when (loaded ?d) (probabilistic 0.9 (six ?d)))
      (when (not (loaded ?d)) (probabilistic 0.25 (six ?d) 0.25 (lost)))))
  (:action shake :parameters ()
    :effect (probabilistic 0.5 (forall (?d - die) (when (six ?d) (not (six ?d)))))))"""


def rolls(state: list[str], step: str, *brought: str) -> Counter[str]:
    model = read_ppddl(DICE)
    universe = Universe(model.vocabulary)
    for name in (*brought, "forgotten"):
        universe.add(Object(name, "die"))
    start = universe.state(map(Atom.parse, state))
    guard = Guard(StochasticAgent(model, seed=1))
    answer = guard.simulate(PolicyQuery.trial(start, Step.parse(step), runs=1000))
    return Counter(" ".join(sorted(trace.states[-1].texts())) for trace in answer.traces)


def test_cases_have_chances_of_their_own() -> None:
    deviation = 4 * (1000 * 0.25) ** 0.5
    found = rolls(["loaded d"], "roll d", "d")
    assert found["loaded d six d"] == pytest.approx(900, abs=deviation)
    assert found.total() == found["loaded d six d"] + found["loaded d"]
    found = rolls([], "roll d", "d")
    assert [found[s] for s in ("six d", "lost", "")] == pytest.approx([250, 250, 500], abs=deviation)


def test_chance_and_quantifiers() -> None:
    found = rolls(["six d", "six e"], "shake", "d", "e")
    assert found[""] == pytest.approx(500, abs=4 * 250**0.5)
    assert found["six d six e"] == 1000 - found[""]


def test_a_plan_tells_the_states_between(tmp_path) -> None:
    path = tmp_path / "dice.ppddl"
    path.write_text(DICE)
    dice = open_ppddl(path)
    universe = Universe(dice.vocabulary)
    universe.add(Object("d", "die"))
    answer = Guard(dice).ask(PlanQuery(universe.state([]), (Step("roll", ("d",)), Step("shake"))))
    assert answer.steps == len(answer.states) == 2
    assert check_agent(dice) == []
