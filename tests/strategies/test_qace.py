"""QACE's Algorithm 1 from executions alone: what it asks, what it concludes, and where it must give up."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from assay.agents.stochastic import StochasticAgent, open_world
from assay.agents.worlds import WORLDS, truth
from assay.chance_assessment import assess_chance
from assay.core.execution import Execution
from assay.core.model import ActionModel, Model
from assay.core.policy import End, Trace
from assay.core.symbols import ActionHeader, Atom, Literal, Object, Parameter, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.pddl.reader import read_ppddl
from assay.planning.fond import Solution, solve
from assay.planning.ground_step import ground_step
from assay.scoring.correctness import correctness
from assay.strategies.chance.effect_sets import Change, EffectSet, effect_sets, likeliest
from assay.strategies.chance.separation import Node, Separation, ground_pairs

LAMP = """
(define (domain lamp)
  (:requirements :strips :typing :probabilistic-effects :negative-preconditions)
  (:types lamp)
  (:predicates (power) (on ?l - lamp) (broken ?l - lamp) (dusty ?l - lamp))
  (:action switch
    :parameters (?l - lamp)
    :precondition (and (power) (not (broken ?l)))
    :effect (probabilistic 0.6 (on ?l) 0.3 (and (broken ?l) (not (on ?l)))))
  (:action mend
    :parameters (?l - lamp)
    :precondition (broken ?l)
    :effect (not (broken ?l))))
"""


def lamp(seed: int = 0) -> StochasticAgent:
    start = frozenset({Atom("power")})
    return StochasticAgent(
        read_ppddl(LAMP, "lamp"), (Object("l1", "lamp"), Object("l2", "lamp")), (start,), seed
    )


@pytest.mark.parametrize("seed", range(3))
def test_three_outcomes_and_a_negative_precondition(seed):
    result = assess_chance(lamp(seed), strategy="qace", seed=seed, samples=400)
    found = correctness(result.model, read_ppddl(LAMP, "lamp"))
    assert found.sound, found.spurious
    assert found.complete, found.missing
    chances = {frozenset(map(str, o.literals)): o.probability for o in result.model.action["switch"].outcomes}
    # a share of n tries is off by more than 5 standard deviations once in a million
    assert abs(chances[frozenset({"(on ?l)"})] - 0.6) < 5 * (0.24 / 100) ** 0.5


@pytest.mark.parametrize("world", WORLDS)
def test_the_symbolic_agents_are_learned_within_the_published_samples(world):
    published = {"driving": 92, "warehouse": 241, "responder": 1983, "elevator": 1563}[world]
    result = assess_chance(open_world(world, 0), strategy="qace", samples=published)
    assert result.samples == published
    assert set(result.model.action) == set(truth(world).action)
    needs = {a.header.name: a.needed for a in result.model.actions}
    assert needs == {a.header.name: a.needed for a in truth(world).actions}


def test_it_ends_by_itself_when_nothing_is_left_to_separate():
    """With eta = 5 every atom has been spared, or changed, in five executions, and every literal decided."""
    result = assess_chance(open_world("driving", 1), strategy="qace", precision=0.4)
    assert result.samples < 92
    for capability in result.experience.capabilities.values():
        assert not capability.dossier.precondition.open
        assert capability.tries >= 5


def test_samples_that_are_left_are_spent_with_a_larger_eta():
    """The second capability can never run, for there is one lamp only: that must not end the rest."""
    text = LAMP.replace(
        "(:action mend", "(:action swap :parameters (?l ?m - lamp) :effect (on ?l)) (:action mend"
    )
    agent = StochasticAgent(
        read_ppddl(text, "lamp"), (Object("l1", "lamp"),), (frozenset({Atom("power")}),), 0
    )
    result = assess_chance(agent, strategy="qace", samples=500)
    assert result.samples == 500
    assert result.never_ran == ["swap"]


def test_the_same_seed_asks_the_same():
    first, second = (assess_chance(lamp(4), strategy="qace", seed=4, samples=60) for _ in range(2))
    assert [s.query for s in first.simulations] == [s.query for s in second.simulations]


@pytest.mark.parametrize("start", ["visited", "reset"])
def test_an_agent_that_must_be_led_is_never_put_elsewhere(start):
    result = assess_chance(open_world("driving", 0), strategy="qace", start=start, precision=0.4)
    assert not result.experience.rejected
    assert set(result.model.action) == {"move-car", "changetire"}
    assert any(len(s.query.policy) > 1 for s in result.simulations) == (start == "reset")


def test_an_agent_without_a_state_to_begin_with_is_declined():
    with pytest.raises(InputError, match="state to begin with"):
        assess_chance(StochasticAgent(read_ppddl(LAMP, "lamp")), strategy="qace", samples=5)


def test_copies_of_an_outcome_are_coupled():
    """Candidates that agree on every outcome are never told apart, however many outcomes there are."""
    model = read_ppddl(LAMP, "lamp")
    universe = Universe(model.vocabulary, (Object("l1", "lamp"),))
    switch, step = model.action["switch"], Step("switch", ("l1",))
    bits = universe.bits([Atom("power")])
    (pair,) = ground_pairs(universe, switch, switch, [step])
    assert len(pair.after(bits)) == 3
    assert all(node.first == node.second and not node.apart for node in pair.after(bits))


def test_a_policy_leads_to_where_the_candidates_differ_whatever_happens():
    """Only a broken lamp tells whether `mend` needs a dusty one; switching may or may not break it."""
    model = read_ppddl(LAMP, "lamp")
    universe = Universe(model.vocabulary, (Object("l1", "lamp"),))
    mend = model.action["mend"]
    dusty = ActionModel.chance(mend.header, mend.needed | {Literal(Atom("dusty", ("?l",)))}, mend.outcomes)
    pairs = ground_pairs(universe, mend, dusty, [Step("mend", ("l1",))])
    switch = Step("switch", ("l1",))
    ground = ground_step(Execution(model, universe), switch)
    start = universe.bits([Atom("power")])
    found = solve(Separation(start, pairs, [(switch, ground)]), max_nodes=100)
    assert isinstance(found, Solution)
    broken = universe.bits([Atom("power"), Atom("broken", ("l1",))])
    assert found.steps[Node(start, start)] == switch
    assert found.steps[Node(broken, broken)] == Step("mend", ("l1",))


def test_hidden_effects_are_matched_to_the_outcome_that_shows_them():
    """Bits: 0 adds, 1 is deleted. Where bit 0 holds already, the first outcome shows the delete alone."""
    changes = {Change(0b10, 0b01): 6, Change(0b11, 0b01): 4, Change(0b10, 0b10): 2, Change(0b11, 0b11): 3}
    sets = effect_sets(changes, 2)
    assert sets == [EffectSet(0b01, 0b10), EffectSet()]
    assert likeliest(changes, sets) == pytest.approx([10 / 15, 5 / 15])


def test_likelihood_is_shared_where_two_sets_explain_the_same():
    """Of 10 draws that show, 8 are the first set's; 5 more could be either's, and change nothing."""
    sets = [EffectSet(add=1), EffectSet()]
    assert likeliest({Change(0, 1): 8, Change(0, 0): 2, Change(1, 1): 5}, sets) == pytest.approx([0.8, 0.2])


@pytest.mark.parametrize("seed", range(20))
def test_effect_sets_explain_every_transition(seed):
    rng = random.Random(seed)
    size = 5
    hidden = [EffectSet(rng.getrandbits(size), 0) for _ in range(3)]
    hidden = [EffectSet(e.add, rng.getrandbits(size) & ~e.add) for e in hidden]
    changes: Counter[Change] = Counter()
    for _ in range(40):
        before = rng.getrandbits(size)
        changes[Change(before, rng.choice(hidden).apply(before))] += 1
    sets = effect_sets(changes, size)
    assert all(any(c.explained_by(e) for e in sets) for c in changes)
    assert sum(likeliest(changes, sets)) == pytest.approx(1)


def test_a_contradicted_capability_does_not_stop_the_rest():
    """An agent that from some time on refuses what it did before: the rest is learned all the same."""
    header = ActionHeader("flip", (Parameter("?l", ("lamp",)),))
    vocabulary = Vocabulary.of(
        types=["lamp"], predicates={"on": ["lamp"]}, actions={"flip": {"l": "lamp"}, "dim": {"l": "lamp"}}
    )
    on = Literal(Atom("on", ("?l",)))
    model = Model(
        vocabulary,
        (
            ActionModel.strips(header, [], [on]),
            ActionModel.strips(
                ActionHeader("dim", (Parameter("?l", ("lamp",)),)), [on], [Literal(on.atom, False)]
            ),
        ),
    )

    class Moody(StochasticAgent):
        def rollout(self, query, number, run, /):
            if query.policy[0][1].action == "flip" and number > 4:
                return Trace((query.state,), End.REFUSED)
            return super().rollout(query, number, run)

    agent = Moody(model, (Object("l1", "lamp"),), (frozenset(),), 0)
    result = assess_chance(agent, strategy="qace", samples=60)
    assert any(f.kind == "refusal" and f.action == "flip" for f in result.experience.findings)
    assert result.model.action["dim"].needed == {on}
