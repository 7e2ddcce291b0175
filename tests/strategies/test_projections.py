"""What only three facts exclude together: proved object by object, where it is so."""

from __future__ import annotations

from functools import cache

import pytest

from assay.old_assessment import assess
from assay.bench.confined import ConfinedAgent
from assay.core.model import Model
from assay.core.query import Start
from assay.pddl.reader import read_domain, read_problem
from assay.proof import Limits, reachable_verdict
from assay.old_result import Outcome, Result

BAR = """
(define (domain bar)
  (:requirements :strips :typing)
  (:types hand glass drink)
  (:predicates (free ?h - hand) (on-table ?g - glass) (in ?h - hand ?g - glass) (dry ?g - glass)
    (mixed ?g - glass) (has ?g - glass ?d - drink))
  (:action grasp :parameters (?h - hand ?g - glass)
    :precondition (and (free ?h) (on-table ?g))
    :effect (and (not (free ?h)) (not (on-table ?g)) (in ?h ?g)))
  (:action leave :parameters (?h - hand ?g - glass)
    :precondition (in ?h ?g) :effect (and (free ?h) (on-table ?g) (not (in ?h ?g))))
  (:action fill :parameters (?g - glass ?d - drink ?h1 ?h2 - hand)
    :precondition (and (in ?h1 ?g) (free ?h2) (dry ?g))
    :effect (and (not (dry ?g)) (has ?g ?d)))
  (:action mix :parameters (?g - glass ?d - drink ?h - hand)
    :precondition (and (in ?h ?g) (has ?g ?d)) :effect (and (not (has ?g ?d)) (mixed ?g)))
  (:action rinse :parameters (?g - glass ?h - hand)
    :precondition (and (in ?h ?g) (mixed ?g)) :effect (and (not (mixed ?g)) (dry ?g))))
"""
"""A glass that is not on the table is in one of two hands: in the one that is not free."""
HANDS = "l r - hand"


@cache
def bar(hands: str, start: Start, free: bool) -> tuple[Model, Result]:
    names = hands.split(" - ")[0].split()
    held = " ".join(f"(free {h})" for h in names)
    text = f"""(define (problem one) (:domain bar) (:objects {hands} g k m - glass w v - drink)
      (:init {held} (on-table g) (on-table k) (on-table m) (dry g) (dry k) (dry m)) (:goal (mixed g)))"""
    truth = read_domain(BAR, "bar")
    problem = read_problem(text, truth.vocabulary)
    return truth, assess(ConfinedAgent(truth, problem, start, free=free), strategy="acting")


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("start", [Start.RESET, Start.VISITED])
def test_what_only_three_facts_exclude_is_proved_by_both(start: Start, free: bool) -> None:
    result = bar(HANDS, start, free)[1]
    assert result.outcome is Outcome.COMPLETE
    assert result.knowledge.proof == "mutual exclusion of facts, object by object"
    claims = {(c.action, c.atom.text): c.status.value for c in result.evidence if c.part == "precondition"}
    assert claims["fill", "in ?h1 ?g"] == "indistinguishable"
    setting = result.knowledge.setting
    assert reachable_verdict(setting, result.entries, result.model).method == "exhaustion"
    assert reachable_verdict(setting, result.entries, result.model, Limits(states=0)).method == "projections"


def test_with_a_third_hand_it_makes_a_difference() -> None:
    _, result = bar("l r x - hand", Start.RESET, False)
    claims = {(c.action, c.atom.text): c.status.value for c in result.evidence if c.part == "precondition"}
    assert claims["fill", "in ?h1 ?g"] == "settled"


def test_from_too_few_answers_nothing_is_proved_that_is_not_so() -> None:
    truth, result = bar(HANDS, Start.RESET, True)
    setting, entries, counts = result.knowledge.setting, result.entries, [0, 0]
    for count in [*range(5, len(entries), 5), len(entries)]:
        object_by_object = reachable_verdict(setting, entries[:count], truth, Limits(states=0)).proved
        everywhere = reachable_verdict(setting, entries[:count], truth).proved
        assert everywhere or not object_by_object
        counts[everywhere] += 1
    assert all(counts)
