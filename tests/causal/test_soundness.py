"""Causal soundness and completeness, and Theorem 4 as a property of what is learned."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import coin, delivery

from assay.agents.model import ModelAgent
from assay.causal.causes import actual_causes
from assay.causal.formula import event
from assay.causal.network import Fact, GroundStep, build, unroll
from assay.causal.soundness import Relation, compare
from assay.core.model import ActionModel, Model, Outcome, differences
from assay.core.symbols import Atom, Literal, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.report.words import Speaker
from hidden_models import interrogate, objects_of, random_model


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_theorem_4_what_is_learned_is_causally_sound_and_complete(seed: int) -> None:
    """By comparison of the models, and by the causes themselves on a random plan in both networks."""
    truth = random_model(seed, constants=1)
    knowledge, _ = interrogate(ModelAgent(truth))
    learned = knowledge.model()
    assert knowledge.complete
    assert compare(learned, truth.normalised()).same
    assert compare(truth, learned).same
    rng = random.Random(seed)
    universe = Universe(truth.vocabulary, objects_of(truth, 3))
    fits = truth.vocabulary.fits
    plan = []
    for _ in range(3):
        header, args = rng.choice(truth.vocabulary.actions), []
        for p in header.parameters:
            args.append(
                rng.choice([o.name for o in universe.objects if o.name not in args and fits(o.type, p.types)])
            )
        if set(args).isdisjoint(c.name for c in truth.vocabulary.constants):
            plan.append(Step(header.name, tuple(args)))
    atoms = {universe.atom(p) for s in plan for p in universe.positions(s)}
    state = universe.state(a for a in atoms if rng.random() < 0.6)
    networks = [unroll(m, state, plan, mention=atoms) for m in (learned, truth)]
    assert networks[0].structure.exogenous == networks[1].structure.exogenous
    final = [
        v for v in networks[0].structure.functions if isinstance(v, Fact) and v.time == len(plan) and plan
    ]
    for variable in rng.sample(final, min(2, len(final))):
        happened = event(variable, networks[1].values[variable])
        both = [{c.values for c in actual_causes(n.structure, n.context, happened)} for n in networks]
        assert both[0] == both[1]


def holds(model: Model, relation: Relation, others: Model) -> bool:
    """Whether the relation is one of the model's, checked from its definition."""
    action = model.action[relation.action]
    names = [p.name for p in others.action[relation.action].header.parameters]
    ground = GroundStep.of(action, tuple(names))
    atoms = {a for a, _ in relation.situation}
    state = {a for a, sign in relation.situation if sign}
    changed = {e.atom.predicate for m in (model, others) for a in m.normalised().actions for e in a.effects}
    static = frozenset({p.name for p in model.vocabulary.predicates} - changed)
    network = build([ground], state, atoms | ground.atoms, static)
    variable, value = relation.effect
    if network.values[variable] != value:
        return False
    found = actual_causes(network.structure, network.context, event(variable, value))
    return (relation.cause,) in {c.values for c in found}


def test_relations_that_differ_really_differ() -> None:
    """Random models with one action replaced: each reported relation is in one model and not in the other."""
    rng = random.Random(5)
    differing = 0
    for seed in range(150):
        first = random_model(seed)
        other = random_model(seed)
        name = rng.choice(sorted(first.action))
        atoms = first.vocabulary.lifted_atoms(name)
        if not atoms:
            continue
        changed = Literal(rng.choice(atoms), rng.random() < 0.5)
        action = other.action[name]
        if rng.random() < 0.5:
            action = replace(action, precondition=action.precondition ^ {changed})
        else:
            action = replace(action, outcomes=(Outcome(action.effects ^ {changed}),))
        second = Model(other.vocabulary, tuple(action if a.header.name == name else a for a in other.actions))
        verdict = compare(first, second)
        assert verdict.same == (not differences(first, second))
        if verdict.same:
            continue
        differing += 1
        assert verdict.only_first is not None
        assert verdict.only_second is not None
        assert holds(first, verdict.only_first, second)
        assert not holds(second, verdict.only_first, first)
        assert holds(second, verdict.only_second, first)
        assert not holds(first, verdict.only_second, second)
    assert differing > 60


def test_void_effects_and_names_of_parameters_make_no_difference() -> None:
    model = delivery()
    load = model.action["load"]
    needless = Literal(Atom("at", ("?t", "?l")))
    padded = ActionModel.deterministic(load.header, load.precondition, load.effects | {needless})
    rest = tuple(a for a in model.actions if a is not load)
    assert compare(Model(model.vocabulary, (padded, *rest)), model).same


def test_a_missing_action_makes_a_model_incomplete_but_not_unsound() -> None:
    model = delivery()
    fewer = Model(model.vocabulary, tuple(a for a in model.actions if a.header.name != "drive"))
    verdict = compare(fewer, model)
    assert (verdict.sound, verdict.complete) == (True, False)
    assert verdict.only_second is not None
    assert verdict.only_second.action == "drive"
    speaker = Speaker(model.vocabulary, model)
    assert "the decision to drive T from FROM to TO is a cause" in verdict.lines(speaker, speaker)[-1]


def test_outcomes_are_compared_and_their_chances_are_not() -> None:
    model = coin()
    toss = model.action["toss"]
    biased = replace(
        toss, outcomes=tuple(Outcome(o.effects, p) for o, p in zip(toss.outcomes, (0.9, 0.1), strict=True))
    )
    assert compare(Model(model.vocabulary, (biased, model.action["bet"])), model).same
    one_sided = replace(toss, outcomes=toss.outcomes[:1])
    assert not compare(Model(model.vocabulary, (one_sided, model.action["bet"])), model).same


def test_different_things_are_compared_only_if_asked() -> None:
    vocabulary = Vocabulary.of(
        predicates={"p": ["object", "object"]}, actions={"a": {"x": "object", "y": "object"}}
    )
    effects = frozenset({Literal(Atom("p", ("?x", "?y")))})
    loose, strict = (
        Model(vocabulary, (ActionModel.deterministic(vocabulary.action["a"], frozenset(), effects, pairs),))
        for pairs in (frozenset(), frozenset({("?x", "?y")}))
    )
    assert compare(loose, strict).same
    verdict = compare(loose, strict, equality=True)
    assert not verdict.same
    assert verdict.only_first is not None


def test_models_that_cannot_be_compared_are_refused() -> None:
    vocabulary = Vocabulary.of(predicates={"at": ["object"]}, actions={})
    with pytest.raises(InputError, match="predicate 'at' does not have the same number"):
        compare(Model(vocabulary, ()), delivery())
    vocabulary = Vocabulary.of(predicates={}, actions={"load": []})
    lone = ActionModel.deterministic(vocabulary.action["load"], frozenset(), frozenset())
    with pytest.raises(InputError, match="action 'load' does not have the same number"):
        compare(Model(vocabulary, (lone,)), delivery())
