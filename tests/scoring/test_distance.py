"""Variational distances, by hand where that is possible, and what each of them can see."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from assay.agents.worlds import WORLDS, larger_problems, truth
from assay.core.formula import TRUE
from assay.core.model import ActionModel, Model
from assay.core.universe import indices
from assay.errors import InputError
from assay.pddl.reader import read_ppddl, read_problem
from assay.planning.ground_step import ground_step
from assay.scoring.cases import balanced_cases, natural_cases, refused_cases
from assay.scoring.distance import Examiner, score

NEEDS = "(and (p) (not (q)) (not (r)))"
CHANCE = "(probabilistic 0.6 (q) 0.4 (r))"
TRUTH = f"""(define (domain d) (:predicates (p) (q) (r) (s))
  (:action a :precondition {NEEDS} :effect {CHANCE}))"""
"""Either outcome ends a walk, so every execution is from the beginning."""


def against(effect: str, precondition: str = NEEDS) -> tuple[Model, Model]:
    return read_ppddl(TRUTH.replace(CHANCE, effect).replace(NEEDS, precondition)), read_ppddl(TRUTH)


@pytest.mark.parametrize(
    ("effect", "precondition", "exact", "refused"),
    [
        (CHANCE, NEEDS, 0, 0),
        ("(probabilistic 0.5 (q) 0.5 (r))", NEEDS, 0.1, 0),
        ("(q)", NEEDS, 0.6 * 0.4 + 0.4 * 0.4, 0),
        ("(probabilistic 0.6 (q) 0.2 (r))", NEEDS, 0.4 * 0.2, 0),
        (CHANCE, "(and (p) (not (q)))", 0, 1 / 3),
        (CHANCE, "(and)", 0, 1),
        # needed in the model only: nothing happens where something should
        (CHANCE, "(and (p) (not (q)) (not (r)) (s))", 0.6 * 0.6 + 0.4 * 0.4, 0),
    ],
)
def test_by_hand(effect, precondition, exact, refused):
    model, hidden = against(effect, precondition)
    problem = read_problem("(define (problem x) (:domain d) (:init (p)))", hidden.vocabulary)
    found = score(model, hidden, [problem], executions=60)
    assert found.executions == 60
    assert found.exact == pytest.approx(exact)
    assert found.capabilities["a"].running == pytest.approx(exact)
    assert found.capabilities["a"].refused == pytest.approx(refused)
    assert found.full == pytest.approx((exact + refused) / 2)


@pytest.mark.parametrize("name", WORLDS)
def test_what_each_distance_sees(name):
    hidden = truth(name)
    examiner = Examiner(hidden, larger_problems(name), executions=400)
    own = examiner.score(hidden)
    assert (own.exact, own.full) == (0, 0)
    assert own.correct
    assert own.sampled == own.sampled_truth > 0
    careless = Model(hidden.vocabulary, tuple(replace(a, precondition=TRUE) for a in hidden.actions))
    found = examiner.score(careless)
    assert found.exact == 0
    assert found.full == 0.5
    assert not found.correctness.sound
    assert found.correctness.complete
    assert examiner.full(careless) == found.full
    certain = Model(
        hidden.vocabulary,
        tuple(ActionModel.strips(a.header, a.needed, a.outcomes[0].literals) for a in hidden.actions),
    )
    found = examiner.score(certain)
    assert found.exact > 0
    assert found.full > 0
    assert found.correctness.sound
    assert not found.correctness.complete
    nothing = examiner.score(Model(hidden.vocabulary, ()))
    assert nothing.sampled == 1
    assert nothing.correctness.sound
    assert all(c.refused == 0 for c in nothing.capabilities.values())


@pytest.mark.parametrize("name", WORLDS)
def test_refused_cases_lack_exactly_one_literal(name):
    hidden, rng = truth(name), random.Random(0)
    cases = balanced_cases(hidden, natural_cases(hidden, larger_problems(name), 400, rng), rng)
    assert {case.step.action for case in cases} == set(hidden.action)
    for case in cases:
        assert case.after is not None
        ground = ground_step(case.truth, case.step)
        found = set()
        for lacking in refused_cases(case):
            (missing,) = indices(ground.needed & ~lacking.bits | ground.forbidden & lacking.bits)
            found.add(missing)
            assert lacking.truth.after(lacking.bits, lacking.step) is None
        assert found == set(indices(ground.needed | ground.forbidden))


def test_the_same_seed_gives_the_same_score():
    hidden = truth("warehouse")
    model = Model(hidden.vocabulary, hidden.actions[:3])
    one, two, other = (
        score(model, hidden, larger_problems("warehouse"), seed=s, executions=300) for s in (1, 1, 2)
    )
    assert one == two
    assert one != other


def test_without_problems_states_are_made_up():
    model, hidden = against("(probabilistic 0.5 (q) 0.5 (r))")
    found = score(model, hidden, executions=1000)
    assert found.executions == 1000
    assert found.exact == pytest.approx(0.1)
    assert found.full == pytest.approx(0.05)


def test_a_capability_that_needs_nothing_is_never_refused():
    hidden = read_ppddl("(define (domain d) (:predicates (p)) (:action a :effect (p)))")
    found = score(hidden, hidden, executions=10)
    assert found.capabilities["a"].refused is None
    assert found.full == 0


def test_parameters_are_matched_by_position():
    text = "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x)))"
    assert score(read_ppddl(text.replace("?x", "?other")), read_ppddl(text), executions=20).full == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("(:action a", "(:action b"), "a capability 'b' that the truth does not know"),
        (("(:action a", "(:action a :parameters (?x)"), "'a' has 1 and 0 parameters"),
        (("(r) (s))", "(r) (s) (t))"), "predicate 't' is not one of the truth's"),
    ],
)
def test_models_of_something_else(change, message):
    hidden = read_ppddl(TRUTH)
    with pytest.raises(InputError, match=message):
        score(read_ppddl(TRUTH.replace(*change)), hidden)


def test_sampled_distance_of_the_truth():
    """Two draws from 0.6 and 0.4 differ with probability 0.48."""
    hidden = read_ppddl(TRUTH)
    found = score(hidden, hidden, executions=4000)
    assert found.sampled_truth == pytest.approx(0.48, abs=5 * (0.48 * 0.52 / 4000) ** 0.5)
