"""Causal soundness and completeness of ADL models: exactly where behaviour is the same (DCDN Thm. 4)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from random_adl import OBJECTS, random_model, steps

from assay.causal.causes import actual_causes
from assay.causal.formula import event
from assay.causal.network import static_predicates, unroll
from assay.causal.soundness import Relation, compare
from assay.causal.variables import Fact
from assay.core.formula import Formula, conjoin, disjoin, negate
from assay.core.model import ActionModel, Case, Effect, Model, Outcome
from assay.core.symbols import Atom, Literal, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.language.english import English
from assay.pddl.reader import read_domain
from worlds import coin, delivery, door

PREDICATES = {"p": [], "q": ["thing"]}


def rewritten(model: Model) -> Model:
    """The same behaviour, written otherwise: conditions say again what holds, effects what is so anyway."""
    p = Literal(Atom("p"))

    def padded(action: ActionModel) -> ActionModel:
        def again(condition: Formula) -> Formula:
            return disjoin(conjoin([condition, action.precondition, x]) for x in (p, negate(p)))

        effects = {Effect(e.literal, again(e.condition), e.variables) for e in action.effects}
        void = Effect(p, conjoin([p, negate(action.precondition)]))
        return ActionModel.adl(action.header, negate(negate(action.precondition)), [*effects, void])

    return Model(model.vocabulary, tuple(map(padded, model.actions)))


def test_models_that_behave_alike_have_the_same_causes() -> None:
    """By comparison of the models, and by the causes themselves on random plans in both networks."""
    rng = random.Random(4)
    for _ in range(25):
        model = random_model(rng, PREDICATES)
        other = rewritten(model)
        assert compare(model, other).same
        universe = Universe(model.vocabulary, OBJECTS)
        atoms = [Atom("p"), *(Atom("q", (o.name,)) for o in OBJECTS)]
        plan = [rng.choice(steps(universe)) for _ in range(3)]
        state, static = (
            universe.state(a for a in atoms if rng.random() < 0.6),
            static_predicates(model, other),
        )
        networks = [unroll(m, state, plan, mention=atoms, static=static) for m in (model, other)]
        for variable in [v for v in networks[0].structure.functions if isinstance(v, Fact) and v.time == 3]:
            happened = event(variable, networks[0].values[variable])
            both = [
                {c.values for c in actual_causes(n.structure, n.context, happened, n.candidates)}
                for n in networks
            ]
            assert both[0] == both[1]


def test_relations_that_differ_really_differ() -> None:
    """Random models with one action replaced: each relation told is in one model and not in the other."""
    rng = random.Random(5)
    differing = 0
    for _ in range(40):
        first = random_model(rng, PREDICATES)
        changed = random_model(rng, PREDICATES).action["b"]
        second = Model(first.vocabulary, (first.action["a"], changed))
        verdict = compare(first, second)
        assert verdict.sound == verdict.complete, "without chance both fail together"
        if verdict.same:
            continue
        differing += 1
        assert verdict.only_first is not None
        assert verdict.only_second is not None
        assert holds(first, verdict.only_first, second)
        assert not holds(second, verdict.only_first, first)
        assert holds(second, verdict.only_second, first)
        assert not holds(first, verdict.only_second, second)
    assert differing > 25


def holds(model: Model, relation: Relation, other: Model) -> bool:
    """Whether the relation is one of the model's, checked from its definition."""
    names = {a for x in relation.situation for a in x.atom.args}
    called = {name: name.replace("?", "of-") for name in sorted(names | {"?x1"})}
    vocabulary = Vocabulary.of(
        types=["thing"], predicates=PREDICATES, actions={"a": [], "b": ["thing"]}, constants={}
    )
    things = [replace(OBJECTS[0], name=c) for c in called.values()]
    universe = Universe(vocabulary, things)

    def ground(variable: object) -> object:
        if isinstance(variable, Fact):
            return Fact(variable.atom.substitute(called), variable.time)
        return type(variable)(Step(variable.step.action, tuple(called[a] for a in variable.step.args)), 0)  # type: ignore[attr-defined, call-arg]

    situation = [Literal(x.atom.substitute(called), x.positive) for x in relation.situation]
    step = Step(relation.action, (called["?x1"],) if relation.action == "b" else ())
    network = unroll(
        model,
        universe.state(a for a, positive in situation if positive),
        [step],
        mention=[a for a, _ in situation],
        static=static_predicates(model, other),
    )
    (source, given), (target, value) = relation.cause, relation.effect
    if network.values[ground(target)] != value:
        return False
    found = actual_causes(network.structure, network.context, event(ground(target), value))
    return ((ground(source), given),) in {c.values for c in found}


def one_action(text: str, effect: str = "(muddy ?p)") -> Model:
    domain = """(define (domain hall) (:types person) (:predicates (key) (card) (muddy ?p - person))
      (:action go :parameters (?p - person) :precondition {} :effect {}))"""
    return read_domain(domain.format(text, effect))


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("(or (key) (card))", "(not (and (not (key)) (not (card))))", True),
        ("(or (key) (card))", "(or (key) (and (card) (not (key))))", True),
        ("(or (key) (card))", "(key)", False),
        ("(exists (?q - person) (muddy ?q))", "(not (forall (?r - person) (not (muddy ?r))))", True),
        (
            "(exists (?q - person) (muddy ?q))",
            "(or (muddy ?p) (exists (?q - person) (and (not (= ?q ?p)) (muddy ?q))))",
            True,
        ),
        ("(exists (?q - person) (muddy ?q))", "(muddy ?p)", False),
    ],
)
def test_preconditions_are_compared_by_what_they_mean(first: str, second: str, same: bool) -> None:
    assert compare(one_action(first), one_action(second)).same is same


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("(when (and (key) (card)) (muddy ?p))", "(when (card) (muddy ?p))", True),  # the key is needed
        ("(when (card) (muddy ?p))", "(muddy ?p)", False),
        ("(and (muddy ?p) (not (muddy ?p)))", "(muddy ?p)", True),
        ("(forall (?q - person) (muddy ?q))", "(muddy ?p)", False),
    ],
)
def test_effects_are_compared_by_what_they_do(first: str, second: str, same: bool) -> None:
    assert compare(one_action("(key)", first), one_action("(key)", second)).same is same


def test_a_missing_action_makes_a_model_incomplete_but_not_unsound() -> None:
    model = delivery()
    fewer = Model(model.vocabulary, tuple(a for a in model.actions if a.header.name != "drive"))
    verdict = compare(fewer, model)
    assert (verdict.sound, verdict.complete) == (True, False)
    assert verdict.only_second is not None
    assert verdict.only_second.action == "drive"
    speaker = English(model.vocabulary, mark="")
    assert verdict.lines(speaker, speaker)[-1].startswith("Only in the second: when at(T, FROM) is true")


def test_outcomes_are_compared_and_their_chances_are_not() -> None:
    model = coin()
    toss, bet = model.action["toss"], model.action["bet"]
    (case,) = toss.cases

    def with_outcomes(*outcomes: Outcome) -> Model:
        return Model(model.vocabulary, (replace(toss, cases=(Case(outcomes),)), bet))

    heads, tails = case.outcomes
    assert compare(
        with_outcomes(replace(heads, probability=0.9), replace(tails, probability=0.1)), model
    ).same
    verdict = compare(with_outcomes(replace(heads, probability=1.0)), model)
    assert (verdict.sound, verdict.complete) == (True, False)


def test_one_thing_for_two_parameters_is_tried_only_if_asked() -> None:
    vocabulary = Vocabulary.of(
        predicates={"p": ["object", "object"]}, actions={"a": {"x": "object", "y": "object"}}
    )
    effect = [Literal(Atom("p", ("?x", "?y")))]
    loose, strict = (
        Model(vocabulary, (ActionModel.strips(vocabulary.action["a"], (), effect, pairs),))
        for pairs in ((), (("?x", "?y"),))
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
    lone = ActionModel.strips(vocabulary.action["load"], (), ())
    with pytest.raises(InputError, match="action 'load' does not have the same number"):
        compare(Model(vocabulary, (lone,)), delivery())


def test_odd_actions_are_told_in_words() -> None:
    model = door()
    simple = read_domain(
        """(define (domain door) (:types door person)
        (:predicates (open ?d - door) (key) (card) (wet) (muddy ?p - person) (watching ?p - person))
        (:action unlock :parameters (?p - person ?d - door) :precondition (card) :effect (open ?d)))"""
    )
    verdict = compare(simple, Model(model.vocabulary, (model.action["unlock"],)))
    words = English(simple.vocabulary, mark="")
    assert not verdict.same
    assert all(line.endswith(".") for line in verdict.lines(words, words))
