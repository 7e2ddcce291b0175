"""Goal babbling and its rules: what is learned from which examples, and what the exploration goes for."""

from __future__ import annotations

import pytest

from assay.agents.stochastic import open_world
from assay.chance_assessment import assess_chance
from assay.core.policy import PolicyResponse
from assay.core.setting import Aims, Setting
from assay.errors import InputError
from assay.knowledge.experience import Experience
from assay.strategies.chance.effect_sets import EffectSet
from assay.strategies.chance.glib import GlibL
from assay.strategies.chance.rules import applicable, learn_rules


def test_one_rule_with_the_context_that_matters():
    """Three atoms; it runs where atom 0 holds and adds atom 1, whatever atom 2 is."""
    examples = {}
    for values in range(8):
        examples[values, values | 0b010 if values & 1 else None] = 5
    (rule,) = learn_rules(examples, 3)
    assert (rule.true, rule.false) == (0b001, 0)
    assert rule.outcomes == ((EffectSet(add=0b010), 1.0),)
    assert rule.refused == 0
    assert applicable((rule,), 0b110) is None


def test_chance_becomes_outcomes_of_one_rule_and_not_rules_of_their_own():
    (rule,) = learn_rules({(0b1, 0b1): 30, (0b1, 0b0): 70, (0b0, None): 20}, 1)
    assert dict(rule.outcomes) == {EffectSet(delete=0b1): 0.7, EffectSet(): 0.3}


def test_two_ways_of_running_make_two_rules():
    """It adds atom 1 where atom 0 holds, and deletes atom 2 where it does not."""
    examples = {}
    for values in range(8):
        examples[values, values | 0b010 if values & 1 else values & ~0b100] = 20
    rules = learn_rules(examples, 3)
    assert len(rules) == 2
    for values in range(8):
        rule = applicable(rules, values)
        expected = values | 0b010 if values & 1 else values & ~0b100
        assert rule is not None
        assert rule.likeliest is not None
        assert rule.likeliest.apply(values) == expected


def test_nothing_that_ran_leaves_no_rule():
    assert learn_rules({(0b1, None): 9, (0b0, None): 9}, 1) == ()


@pytest.mark.parametrize("strategy", ["glib-g", "glib-l", "random"])
def test_the_budget_is_used_up_and_the_same_seed_goes_the_same_way(strategy):
    first, second = (
        assess_chance(open_world("driving", 3), strategy=strategy, seed=3, samples=80) for _ in range(2)
    )
    assert first.samples == second.samples == 80
    assert [s.query for s in first.simulations] == [s.query for s in second.simulations]
    assert first.model == second.model
    for action in first.model.actions:
        assert sum(o.probability for o in action.outcomes) == pytest.approx(1)


def test_babbling_sees_more_than_wandering():
    """The driver must find spares and flat tires; going for what was never tried gets there sooner."""
    ran = {}
    for strategy in ("glib-l", "random"):
        tries = 0
        for seed in range(4):
            result = assess_chance(open_world("driving", seed), strategy=strategy, seed=seed, samples=90)
            tries += sum(c.tries for c in result.experience.capabilities.values())
        ran[strategy] = tries
    assert ran["glib-l"] > ran["random"]


def test_a_goal_is_novel():
    agent = open_world("driving", 0)
    setting = Setting.of(agent, strategy="glib-l", aims=Aims())
    experience = Experience(setting)
    learner = GlibL(experience)
    questions = learner.questions()
    query = next(questions)
    for number in range(1, 60):
        trace = agent.rollout(query, number, 1)
        response = PolicyResponse((trace,))
        experience.learn(query, response)
        query = questions.send(response)
    for _ in range(20):
        goal = learner._novel()
        if goal is not None:
            for (bits, step), _ in experience.transitions.items():
                assert step != goal.step or not goal.holds(bits)


@pytest.mark.parametrize("strategy", ["glib-g", "glib-l", "random"])
def test_what_explores_step_by_step_says_what_it_needs(strategy):
    with pytest.raises(InputError, match="put back"):
        assess_chance(open_world("driving", 0), strategy=strategy, start="reset", samples=10)
    with pytest.raises(InputError, match="samples"):
        assess_chance(open_world("driving", 0), strategy=strategy)
