"""The verdict against brute force over all models."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.agents.model import ModelAgent
from assay.core.confinement import distinct_arguments
from assay.core.model import ActionModel, Model
from assay.core.query import Invalid, PlanQuery, PlanResponse
from assay.core.setting import Setting
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.proof import prove
from assay.scoring.normal_form import normalised, satisfiable
from assay.store.journal import Entry

from .reference import (
    CONSTANT,
    NULLARY,
    OBJECTS,
    PAIR,
    PAIR_AND_SHARED,
    SHARED,
    TWO,
    UNARY,
    Altered,
    Interview,
    all_models,
    behaviour,
    explains,
    explains_somehow,
    flip,
    normal_actions,
    random_model,
    raw_actions,
)

Slot = tuple[str, str, str]

RICH = Vocabulary.of(
    types=["room", "ball"],
    constants={"depot": "room"},
    predicates={
        "at": {"r": "room"},
        "in": {"b": "ball", "r": "room"},
        "next": {"r": "room", "s": "room"},
        "free": [],
        "heavy": {"b": "ball"},
    },
    actions={"move": {"x": "room", "y": "room"}, "pick": {"b": "ball", "x": "room"}, "wait": []},
)
THINGS = (Object("r1", "room"), Object("r2", "room"), Object("r3", "room"), Object("b1", "ball"))


def modes(model: Model, ran: set[str]) -> dict[Slot, str]:
    found = {}
    for action in normalised(model).actions:
        if action.header.name not in ran:
            continue
        for atom in model.vocabulary.lifted_atoms(action.header.name):
            for part, literals in (("precondition", action.needed), ("effect", action.plain_effects)):
                signs = {x.positive for x in literals if x.atom == atom}
                mode = "+" if True in signs else "-" if signs else "absent"
                found[action.header.name, atom.text, part] = mode
    return found


def check_against(entries: Sequence[Entry], setting: Setting, claimed: Model, alive: list[Model]) -> bool:
    """Compares the verdict with the models that explain the entries; returns whether it is proved."""
    verdict = prove(setting, entries, claimed)
    ran = {
        step.action
        for e in entries
        if isinstance(e.response, PlanResponse)
        for step in e.query.plan[: e.response.steps]
        if distinct_arguments(e.query.state.universe, step)
    }
    assert verdict.unexplained == tuple(e.number for e in entries if not explains_somehow(claimed, e))
    assert verdict.contradiction is not bool(alive)
    if not alive:
        assert not verdict.proved
        return False
    claim = modes(claimed, ran)
    doubts: dict[Slot, set[str]] = {}
    for model in alive:
        for slot, mode in modes(model, ran).items():
            if mode != claim[slot]:
                doubts.setdefault(slot, set()).add(mode)
    idle = {n for m in alive for n, a in m.action.items() if n not in ran and satisfiable(a)}
    assert {(d.action, d.atom, d.part): set(d.alternatives) for d in verdict.unproved} == doubts
    assert all(d.mode == claim[d.action, d.atom, d.part] for d in verdict.unproved)
    assert verdict.never_ran == tuple(sorted(idle))
    assert verdict.proved == (not verdict.unexplained and not doubts and not idle)
    return verdict.proved


@pytest.mark.parametrize("vocabulary", [NULLARY, UNARY, SHARED, CONSTANT, TWO])
def test_agrees_with_enumeration(vocabulary: Vocabulary) -> None:
    rng = random.Random(1)
    candidates = all_models(vocabulary, normal_actions)
    proofs = 0
    for trial in range(40):
        truth = random_model(rng, vocabulary)
        interview = Interview(rng, ModelAgent(truth))
        entries = interview.entries(rng.randint(1, 20), rng.choice([1, 2, 6]))
        claimed = truth if trial % 3 else rng.choice(candidates)
        alive = [m for m in candidates if explains(m, entries)]
        proofs += check_against(entries, interview.setting, claimed, alive)
    assert proofs


@pytest.mark.parametrize("vocabulary", [CONSTANT, PAIR])
def test_steps_that_are_no_evidence(vocabulary: Vocabulary) -> None:
    """Constants or one object twice among the arguments: such a step may do anything, unseen."""
    rng = random.Random(5)
    candidates = all_models(vocabulary, normal_actions)
    odd = 0
    for _ in range(25):
        truth = random_model(rng, vocabulary)
        interview = Interview(rng, ModelAgent(truth), any_step=True)
        entries = interview.entries(rng.randint(1, 12), 3)
        odd += any(not distinct_arguments(interview.universe, s) for e in entries for s in e.query.plan)
        alive = [m for m in candidates if all(explains_somehow(m, e) for e in entries)]
        check_against(entries, interview.setting, truth, alive)
    assert odd > 10


@pytest.mark.parametrize("vocabulary", [NULLARY, UNARY, SHARED, PAIR])
def test_false_answers(vocabulary: Vocabulary) -> None:
    """Where an answer was turned round: contradictions, and wrong claims, as enumeration finds them."""
    rng = random.Random(6)
    candidates = all_models(vocabulary, normal_actions)
    contradictions = 0
    for _ in range(25):
        truth = random_model(rng, vocabulary)
        agent = Altered(truth, lambda n, q, r: flip(q, r, rng) if n == 3 else r)
        interview = Interview(rng, agent)
        entries = interview.entries(rng.randint(3, 12), 3)
        alive = [m for m in candidates if explains(m, entries)]
        contradictions += not alive
        check_against(entries, interview.setting, truth, alive)
    assert contradictions > 5


@pytest.mark.parametrize("vocabulary", [PAIR, PAIR_AND_SHARED])
def test_equality_agrees_with_enumeration(vocabulary: Vocabulary) -> None:
    rng = random.Random(2)
    candidates = all_models(vocabulary, raw_actions)
    universe = Universe(vocabulary, OBJECTS)
    behaviours = [behaviour(m, universe) for m in candidates]
    proofs = 0
    for _ in range(50):
        truth = random_model(rng, vocabulary, equality=True)
        interview = Interview(rng, ModelAgent(truth), equality=True)
        entries = interview.entries(rng.randint(1, 60), rng.choice([1, 2, 5]))
        verdict = prove(interview.setting, entries, truth)
        assert not verdict.unexplained
        alive = {b for m, b in zip(candidates, behaviours, strict=True) if explains(m, entries)}
        assert verdict.proved == (alive == {behaviour(truth, universe)})
        proofs += verdict.proved
    assert proofs > 5


def test_equality_keeps_an_add_that_saves_an_atom() -> None:
    """`p(?x1)` is needed and added: void for two objects, but with one it beats the delete of `p(?x2)`."""
    first, second = PAIR.lifted_atoms("a")
    header = PAIR.action["a"]
    saving, plain = (
        Model(PAIR, (ActionModel.strips(header, frozenset({Literal(first)}), frozenset(effects)),))
        for effects in ({Literal(first), Literal(second, False)}, {Literal(second, False)})
    )
    interview = Interview(random.Random(0), ModelAgent(saving), equality=True)
    entries = interview.entries(60, 1)
    assert prove(interview.setting, entries, saving).proved
    assert prove(interview.setting, entries, plain).unexplained
    distinct = Interview(random.Random(0), ModelAgent(saving))
    assert prove(distinct.setting, distinct.entries(60, 1), plain).proved


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), longest=st.sampled_from([1, 3, 12]), equality=st.booleans())
def test_truth_always_explains(seed: int, longest: int, equality: bool) -> None:
    """Types, constants, nullary atoms, negative preconditions, atoms touched again and again."""
    rng = random.Random(seed)
    truth = random_model(rng, RICH, equality=equality, needy=0.1)
    interview = Interview(rng, ModelAgent(truth), THINGS, equality=equality, any_step=rng.random() < 0.2)
    verdict = prove(interview.setting, interview.entries(25, longest), truth)
    assert not verdict.unexplained
    assert not verdict.contradiction
    assert not verdict.left_out


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_doubts_are_justified(seed: int) -> None:
    """Changing the claim where it is in doubt, as the verdict says, can leave every answer explained."""
    rng = random.Random(seed)
    truth = random_model(rng, UNARY)
    interview = Interview(rng, ModelAgent(truth))
    entries = interview.entries(6, 3)
    alive = [m for m in all_models(UNARY, normal_actions) if explains(m, entries)]
    for doubt in prove(interview.setting, entries, truth).unproved:
        others = {modes(m, {"a"})[doubt.action, doubt.atom, doubt.part] for m in alive}
        assert others - {doubt.mode} == set(doubt.alternatives)
        assert str(doubt).startswith("a ")


def ask(setting: Setting, agent: ModelAgent, questions: Sequence[tuple[str, str]]) -> list[Entry]:
    found = []
    for number, (state, plan) in enumerate(questions, start=1):
        atoms = [Atom.parse(t) for t in state.split(",") if t]
        query = PlanQuery(setting.universe.state(atoms), tuple(Step.parse(t) for t in plan.split(",")))
        found.append(Entry(number, query, agent.ask(query)))
    return found


def press() -> tuple[Setting, ModelAgent, Model]:
    """b needs h and deletes it; a adds h."""
    h = Atom("h")
    truth = Model(
        TWO,
        (
            ActionModel.strips(TWO.action["a"], frozenset(), frozenset({Literal(h)})),
            ActionModel.strips(TWO.action["b"], frozenset({Literal(h)}), frozenset({Literal(h, False)})),
        ),
    )
    agent = ModelAgent(truth)
    return Setting.of(agent), agent, truth


def test_two_questions_pin_down_both_actions() -> None:
    setting, agent, truth = press()
    entries = ask(setting, agent, [("", "a,b,a,a,b,b"), ("h", "a,b")])
    verdict = prove(setting, entries, truth)
    assert verdict.proved, verdict.sentences()
    assert verdict.sentences() == ["This is the only model, up to equivalence, that gives these answers."]


def test_an_action_that_never_ran() -> None:
    setting, agent, truth = press()
    entries = ask(setting, agent, [("", "a"), ("h", "a"), ("", "b")])
    without = Model(TWO, truth.actions[:1])
    for claimed in (truth, without):
        verdict = prove(setting, entries, claimed)
        assert verdict.never_ran == ("b",)
        assert not verdict.unproved
        assert not verdict.left_out
        assert not verdict.proved
        assert "b: it never ran" in verdict.sentences()[0]


def test_an_action_refused_everywhere_is_pinned_down() -> None:
    _, _, truth = press()
    (h,) = TWO.lifted_atoms("b")
    never = ActionModel.strips(TWO.action["b"], frozenset({Literal(h), Literal(h, False)}), frozenset())
    agent = ModelAgent(Model(TWO, (truth.actions[0], never)))
    setting = Setting.of(agent)
    entries = ask(setting, agent, [("", "a"), ("h", "a"), ("", "b"), ("h", "b")])
    assert prove(setting, entries, Model(TWO, (truth.actions[0], never))).proved
    assert prove(setting, entries, Model(TWO, truth.actions[:1])).proved
    assert prove(setting, entries, truth).unexplained == (4,)


def test_an_action_left_out_although_it_ran() -> None:
    setting, agent, truth = press()
    entries = ask(setting, agent, [("h", "a"), ("h", "b")])
    verdict = prove(setting, entries, Model(TWO, truth.actions[:1]))
    assert verdict.left_out == ("b",)
    assert verdict.unexplained == (2,)
    assert "leaves out b" in " ".join(verdict.sentences())


def test_a_wrong_claim_is_named_with_what_it_should_be() -> None:
    setting, agent, truth = press()
    entries = ask(setting, agent, [("", "a,b,a,a,b,b"), ("h", "a,b")])
    (h,) = TWO.lifted_atoms("a")
    wrong = ActionModel.strips(TWO.action["a"], frozenset(), frozenset({Literal(h, False)}))
    verdict = prove(setting, entries, Model(TWO, (wrong, truth.actions[1])))
    (doubt,) = verdict.unproved
    assert str(doubt) == "a deletes (h), but it could also be that it adds (h)"
    assert verdict.unexplained == (1, 2)
    assert not verdict.contradiction


def test_the_claim_is_normalised() -> None:
    setting, agent, truth = press()
    entries = ask(setting, agent, [("", "a,b,a,a,b,b"), ("h", "a,b")])
    (h,) = TWO.lifted_atoms("a")
    padded = ActionModel.strips(TWO.action["a"], frozenset(), frozenset({Literal(h), Literal(h, False)}))
    assert prove(setting, entries, Model(TWO, (padded, truth.actions[1]))).proved


def test_invalid_answers_are_no_evidence() -> None:
    setting, _, truth = press()
    query = PlanQuery(setting.universe.state([]), (Step("b"),))
    verdict = prove(setting, [Entry(1, query, Invalid("no such state"))], truth)
    assert verdict.never_ran == ("a", "b")
    assert not verdict.unexplained
    assert prove(setting, [], truth).never_ran == ("a", "b")


def test_parameters_are_matched_by_position() -> None:
    vocabulary = Vocabulary.of(predicates={"p": ["object"]}, actions={"a": {"thing": "object"}})
    renamed = Vocabulary.of(predicates={"p": ["object"]}, actions={"a": {"x": "object"}})
    (atom,) = renamed.lifted_atoms("a")
    claimed = Model(
        vocabulary,
        (ActionModel.strips(renamed.action["a"], frozenset({Literal(atom)}), frozenset()),),
    )
    interview = Interview(random.Random(0), ModelAgent(Model(renamed, claimed.actions)))
    entries = interview.entries(20, 1)
    assert prove(interview.setting, entries, claimed).proved


def test_a_model_outside_the_vocabulary_is_refused() -> None:
    setting, _, _ = press()
    strange = ActionModel.strips(TWO.action["a"], frozenset({Literal(Atom("z"))}), frozenset())
    with pytest.raises(InputError, match="not an atom of the vocabulary"):
        prove(setting, [], Model(TWO, (strange,)))
    other = Vocabulary.of(predicates={"h": []}, actions={"c": []})
    with pytest.raises(InputError, match="not in the vocabulary"):
        prove(setting, [], Model(other, tuple(normal_actions(other, "c"))[:1]))


def test_a_long_chain_over_many_objects() -> None:
    """Every step on objects of its own, and one atom that all of them share."""
    vocabulary = Vocabulary.of(
        predicates={"h": [], "r": ["object"] * 2, "q": ["object"]}, actions={"a": ["object"] * 3}
    )
    header, (shared, needed, *_) = vocabulary.action["a"], vocabulary.lifted_atoms("a")
    action = ActionModel.strips(header, frozenset({Literal(needed)}), frozenset({Literal(shared)}))
    truth = Model(vocabulary, (action,))
    agent, rng = ModelAgent(truth), random.Random(3)
    setting = Setting.of(agent)
    universe = setting.universe

    def question(length: int, last_may_fail: bool, shared_holds: bool) -> PlanQuery:
        plan, holds = [], [shared] if shared_holds else []
        for place in range(length):
            made = [Object(f"o{len(universe.objects)}") for _ in header.parameters]
            args = tuple(universe.add(Object(f"{o.name}_{i}")).name for i, o in enumerate(made))
            lifted = [a for a in vocabulary.lifted_atoms("a")[2:] if rng.random() < 0.5]
            if not (last_may_fail and place == length - 1):
                lifted.append(needed)
            holds += [a.substitute(header.bind(args)) for a in lifted]
            plan.append(Step("a", args))
        return PlanQuery(universe.state(holds), tuple(plan))

    queries = [question(30, True, n % 2 == 0) for n in range(4)] + [
        question(1, False, n > 0) for n in range(2)
    ]
    entries = [Entry(n, q, agent.ask(q)) for n, q in enumerate(queries, start=1)]
    verdict = prove(setting, entries, truth)
    assert verdict.proved, verdict.sentences()
