"""The default learner for chance: right structure from few samples, on known worlds and on random models."""

from __future__ import annotations

import random

import pytest

from assay.agents.model import ModelAgent
from assay.agents.stochastic import StochasticAgent, open_world
from assay.agents.worlds import training_problem, truth
from assay.chance_assessment import assess_chance
from assay.chance_result import ChanceResult
from assay.core.model import ActionModel, Model, Outcome
from assay.core.query import Start
from assay.core.symbols import Literal
from assay.pddl.reader import read_ppddl
from assay.scoring.correctness import correctness
from assay.scoring.equivalence import differences
from assay.scoring.normal_form import literal_count, normalised_action, satisfiable
from hidden_models import objects_of, random_model

PUBLISHED = {"driving": 92, "warehouse": 241, "responder": 1983, "elevator": 1563}


def right(result: ChanceResult, model: Model) -> bool:
    found = correctness(result.model, model)
    return found.sound and found.complete


@pytest.mark.parametrize(("world", "seeds"), [("driving", 6), ("warehouse", 2), ("elevator", 1)])
def test_right_at_the_published_number_of_samples(world: str, seeds: int) -> None:
    for seed in range(seeds):
        result = assess_chance(open_world(world, seed), seed=seed, samples=PUBLISHED[world])
        assert result.samples == PUBLISHED[world]
        assert result.complete
        assert right(result, truth(world))


def test_refusals_are_few() -> None:
    result = assess_chance(open_world("driving", 1), seed=1, samples=92)
    needs = literal_count(result.model)
    assert needs == 6
    assert sum(t.refused for t in result.tallies.values()) <= needs + 4
    assert result.tallies["changetire"].runs < 20  # it always does the same


def with_chance(seed: int) -> Model:
    """A random model in which some actions have up to four outcomes, alike in part.

    None adds what another one deletes: then some state shows them all.
    """
    model, rng, actions = random_model(seed, negative=0.2), random.Random(seed + 1000), []
    for action in model.actions:
        signs = dict(action.plain_effects)
        atoms = model.vocabulary.lifted_atoms(action.header.name)
        sets = [action.plain_effects]
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
            effects = {x.atom: x for x in rng.choice(sets)}
            for atom in rng.sample(atoms, min(len(atoms), rng.randint(0, 2))):
                effects.pop(atom, None)
                if rng.random() < 0.7:
                    effects[atom] = Literal(atom, signs.setdefault(atom, rng.random() < 0.5))
            sets.append(frozenset(effects.values()))
        made = [ActionModel.strips(action.header, action.needed, s) for s in sets]
        kept = list(dict.fromkeys(normalised_action(m).plain_effects for m in made))
        weights = [rng.choice([0.7, 0.5, 0.3, 0.2]) for _ in kept]
        outcomes = [Outcome.plain(e, w / sum(weights)) for e, w in zip(kept, weights, strict=True)]
        actions.append(ActionModel.chance(action.header, action.needed, outcomes))
    return Model(model.vocabulary, tuple(actions))


@pytest.mark.parametrize("seed", range(12))
def test_random_models(seed: int) -> None:
    model = with_chance(seed)
    agent = StochasticAgent(model, objects_of(model, 3), (), seed)
    result = assess_chance(agent, seed=seed, samples=300 * len(model.actions))
    assert not result.experience.findings
    for action in model.actions:
        if not satisfiable(action):
            continue
        mine = normalised_action(result.model.action[action.header.name])
        assert mine.needed == action.needed
        chances = {o.literals: o.probability for o in mine.outcomes}
        assert chances.keys() == {o.literals for o in action.outcomes}
        # four standard deviations of a share of at least a hundred tries
        assert all(abs(chances[o.literals] - o.probability) < 0.2 for o in action.outcomes)
        assert sum(chances.values()) == pytest.approx(1)
        assert result.tallies[action.header.name].unexplained == 0


@pytest.mark.parametrize("seed", range(10))
def test_deterministic_agents_yield_their_model(seed: int) -> None:
    model = random_model(seed)
    agent = ModelAgent(model, objects_of(model, 3))
    result = assess_chance(agent, strategy="sampling", samples=100 * len(model.actions))
    kept = tuple(a for a in model.actions if satisfiable(a))
    assert differences(result.model, Model(model.vocabulary, kept)) == []


def test_an_outcome_of_one_per_cent_is_found() -> None:
    model = read_ppddl(
        """(define (domain rare) (:requirements :strips :probabilistic-effects)
        (:predicates (p ?x) (broken ?x))
        (:action use :parameters (?x) :precondition (not (broken ?x))
          :effect (and (p ?x) (probabilistic 0.01 (broken ?x)))))""",
        "rare",
    )
    result = assess_chance(StochasticAgent(model, seed=4), seed=4, samples=1200)
    assert right(result, model)


@pytest.mark.parametrize("start", [Start.VISITED, Start.RESET])
def test_acting_only(start: Start) -> None:
    for seed in range(3):
        result = assess_chance(open_world("driving", seed), seed=seed, samples=150, start=start)
        assert result.complete
        assert right(result, truth("driving"))


def test_what_no_reachable_state_tells_is_not_claimed() -> None:
    result = assess_chance(open_world("elevator"), samples=900, start="visited")
    by_status = {c.status.value for x in result.experience.capabilities.values() for c in x.claims()}
    assert "indistinguishable" in by_status
    assert all(t.unexplained == 0 for t in result.tallies.values())


@pytest.mark.parametrize(("world", "samples"), [("driving", 250), ("warehouse", 700)])
def test_refusals_that_do_not_show(world: str, samples: int) -> None:
    situation = training_problem(world)
    agent = StochasticAgent(
        truth(world), situation.objects, (situation.initial,), 5, new_objects=False, shows_refusals=False
    )
    result = assess_chance(agent, seed=5, samples=samples)
    assert not result.aims.refusals
    assert right(result, truth(world))
