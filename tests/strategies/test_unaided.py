"""First examples where the agent shows nothing being done: what is tried, and what it costs."""

from __future__ import annotations

import random
from itertools import product
from math import prod

import pytest

from assay.agents.model import ModelAgent
from assay.old_assessment import assess
from assay.core.setting import Setting
from assay.knowledge.knowledge import Knowledge
from assay.pddl.reader import read_domain, read_problem
from assay.scoring.equivalence import differences
from assay.scoring.normal_form import literal_count
from assay.strategies.crowd import Crowd
from assay.strategies.gibbs import LINK, STRICTNESS, gather
from assay.strategies.habits import Habits

WORKSHOP = """(define (domain workshop)
 (:requirements :strips :typing :negative-preconditions)
 (:types robot bench tool)
 (:predicates (at ?r - robot ?b - bench) (path ?b ?c - bench) (lies ?t - tool ?b - bench)
  (carries ?r - robot ?t - tool) (flat ?r - robot) (hot ?r - robot) (blunt ?t - tool) (taken ?b - bench)
  (alarm))
 (:action go :parameters (?r - robot ?b ?c - bench)
  :precondition (and (at ?r ?b) (path ?b ?c) (not (taken ?c)) (not (flat ?r)) (not (alarm)))
  :effect (and (at ?r ?c) (taken ?c) (not (at ?r ?b)) (not (taken ?b))))
 (:action grasp :parameters (?r - robot ?t - tool ?b - bench)
  :precondition (and (at ?r ?b) (lies ?t ?b) (not (carries ?r ?t)) (not (hot ?r)))
  :effect (and (carries ?r ?t) (not (lies ?t ?b))))
 (:action saw :parameters (?r - robot ?t - tool)
  :precondition (and (carries ?r ?t) (not (blunt ?t)) (not (flat ?r)) (not (hot ?r)))
  :effect (and (blunt ?t) (hot ?r)))
 (:action charge :parameters (?r - robot) :precondition (flat ?r) :effect (not (flat ?r)))
 (:action cool :parameters (?r - robot) :precondition (hot ?r) :effect (not (hot ?r)))
 (:action hush :parameters () :precondition (alarm) :effect (not (alarm))))"""

MORNING = """(define (problem morning) (:domain workshop)
 (:objects rob bob - robot left right - bench knife - tool)
 (:init (at rob left) (at bob right) (taken left) (taken right) (path left right) (path right left)
  (lies knife left)) (:goal (and (blunt knife))))"""

EXPECTED = Habits(
    about=[frozenset({"?x"}), frozenset({"?x"}), frozenset({"?x", "?y"}), frozenset()],
    true=[0.2, 0.15, 0.4, 0.15],
    false=[0.1, 0.15, 0.05, 0.2],
    rising=[0.2, 0.1, 0.05, 0.1],
)
REFUSED = [0b1111, 0b1101, 0b0110]


def exact_shares(habits: Habits, refused: list[int]) -> list[float]:
    """Per valuation, the share of the preconditions thinkable that accept it, by enumeration."""
    numbers = range(len(habits.true))
    true_odds = [c / (1 - c) for c in habits.true]
    false_odds = [c / (1 - c) for c in habits.false]
    accepted = [0.0] * (1 << len(numbers))
    total = 0.0
    for signs in product("+-0", repeat=len(numbers)):
        positive = {i for i in numbers if signs[i] == "+"}
        negative = {i for i in numbers if signs[i] == "-"}
        weight = prod(true_odds[i] for i in positive)
        weight *= LINK ** len({p for i in positive for p in habits.about[i]})
        weight *= sum(
            prod(s * false_odds[i] for i in negative) / prod(1 + s * odds for odds in false_odds)
            for s in STRICTNESS
        )
        for rising in [None, *(i for i in numbers if signs[i] != "+")]:
            chance = 1 - sum(habits.rising) if rising is None else habits.rising[rising]
            forbidden = negative | ({rising} - {None})
            suits = [
                all(v >> i & 1 for i in positive) and not any(v >> i & 1 for i in forbidden)
                for v in range(len(accepted))
            ]
            if not any(suits[v] for v in refused):
                total += weight * chance
                for v, suited in enumerate(suits):
                    accepted[v] += weight * chance * suited
    return [share / total for share in accepted]


def test_preconditions_are_drawn_as_often_as_they_are_likely():
    shares = exact_shares(EXPECTED, REFUSED)
    crowd = gather(EXPECTED, REFUSED, random.Random(0))
    for valuation, share in enumerate(shares):
        assert crowd.confidence(valuation) == pytest.approx(share, abs=0.07)


def test_every_precondition_drawn_explains_every_refusal():
    rng = random.Random(3)
    refused = sorted({0b1111, *(rng.getrandbits(4) for _ in range(8))})
    crowd = gather(EXPECTED, refused, random.Random(1))
    assert crowd.members
    for valuation in refused:
        assert crowd.confidence(valuation) == 0
    best = crowd.best(set(refused), random.Random(2))
    assert best is not None
    assert best not in refused


def test_a_refusal_for_one_reason_that_was_not_shown_before_is_worth_something():
    crowd = Crowd(0b11, [0b11, 0b01], [0, 0], [0b10])  # both need the first atom, which 10 lacks: shown
    assert crowd.confidence(0b01) == 0.5
    assert crowd.worth(0b11) == 2
    assert crowd.worth(0b01) > crowd.confidence(0b01) * 2
    assert crowd.worth(0b10) == 0
    assert crowd.required(0b01) == (1.0, 0.0)


def knowing(*names: str) -> Knowledge:
    """What is known after the actions named were learned alone."""
    model = read_domain(WORKSHOP, "workshop")
    knowledge = assess(ModelAgent(model)).knowledge
    assert knowledge is not None
    blank = Knowledge(Setting.of(ModelAgent(model)))
    for name in names:
        blank.dossiers[name] = knowledge.dossiers[name]
    return blank


def habits_of(knowledge: Knowledge, action: str) -> dict[str, tuple[float, float, float]]:
    dossier = knowledge.dossiers[action]
    habits = Habits.of(knowledge, dossier)
    chances = zip(habits.true, habits.false, habits.rising, strict=True)
    return {atom.text: each for atom, each in zip(dossier.atoms, chances, strict=True)}


def test_what_an_action_only_ever_takes_away_is_expected_to_be_in_the_way():
    before, after = habits_of(knowing(), "go"), habits_of(knowing("charge"), "go")
    assert after["flat ?r"][1] > 2 * before["flat ?r"][1]
    assert after["hot ?r"][1] <= before["hot ?r"][1]


def test_what_others_require_of_the_same_parameters_is_expected_again():
    before, after = habits_of(knowing(), "saw"), habits_of(knowing("grasp"), "saw")
    assert after["hot ?r"][1] > before["hot ?r"][1]
    assert sum(each[2] for each in after.values()) < 1


@pytest.mark.parametrize("seed", [0, 1])
def test_without_situations_first_examples_are_found(seed):
    model = read_domain(WORKSHOP, "workshop")
    result = assess(ModelAgent(model), seed=seed, budget=literal_count(model) + 30)
    assert not differences(result.model, model)


class Still(ModelAgent):
    """An agent that offers the situation it is in, and no other."""

    def states(self, count, universe):
        yield from list(super().states(count, universe))[:1]


@pytest.mark.parametrize("seed", [0, 1])
def test_one_situation_is_enough_to_find_first_examples(seed):
    model = read_domain(WORKSHOP, "workshop")
    problem = read_problem(MORNING, model.vocabulary, "morning")
    agent = Still(model, problem.objects, (problem.initial,))
    result = assess(agent, seed=seed, budget=literal_count(model) + 30)
    assert not differences(result.model, model)
