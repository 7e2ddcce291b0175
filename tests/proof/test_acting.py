"""What acting cannot tell apart, against brute force over all models and all reachable states."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from assay.bench.problems import domain_text
from assay.core.execution import Execution
from assay.core.model import ActionModel, Model
from assay.core.query import PlanQuery, PlanResponse, Start
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.pddl.reader import read_domain
from assay.proof import Limits, reachable_verdict
from assay.proof.grounding import Grounding
from assay.proof.mutexes import MOST_WORK, Pairs
from assay.proof.projections import follow
from assay.proof.reachable import exhaust
from assay.proof.slots import slot_actions
from assay.proof.task import Condition, Task
from assay.store.journal import Entry
from hidden_models import objects_of
from hidden_models import random_model as hidden_model

from .acting import Walks, conduct, reach
from .reference import (
    CONSTANT,
    NULLARY,
    OBJECTS,
    PAIR,
    PAIR_AND_SHARED,
    SHARED,
    TWO,
    UNARY,
    all_models,
    explains,
    free_actions,
    ground_atoms,
    normal_actions,
    random_model,
)

PAIRS_ONLY = Limits(states=0)


@pytest.mark.parametrize(
    ("vocabulary", "free"),
    [
        *((vocabulary, False) for vocabulary in (NULLARY, UNARY, SHARED, CONSTANT, TWO, PAIR_AND_SHARED)),
        *((vocabulary, True) for vocabulary in (CONSTANT, PAIR, PAIR_AND_SHARED)),
    ],
)
def test_agrees_with_enumeration(vocabulary: Vocabulary, free: bool) -> None:
    """Proved by exhaustion iff no two models left behave differently; by pairs of facts only if so."""
    rng = random.Random(7)
    candidates = all_models(vocabulary, free_actions if free else normal_actions)
    counts = {"alike": 0, "apart": 0, "by pairs": 0}
    for trial in range(60):
        truth = random_model(rng, vocabulary, needy=rng.choice([0.2, 0.6]))
        walks = Walks(rng, truth, OBJECTS, _initial(rng, vocabulary, rng.choice([1, 1, 2])), free)
        universe, starts = walks.setting.universe, walks.setting.offered
        entries = walks.entries(rng.choice([3, 30]), rng.choice([0, 4]))
        alive = [m for m in candidates if explains(m, entries)]
        claimed = rng.choice([truth, *alive]) if trial % 2 else min(alive, key=_literals)
        states = sorted(reach(claimed, starts, free))
        behaviour = conduct(claimed, universe, states, free)
        alike = all(conduct(m, universe, states, free) == behaviour for m in alive)
        found = reachable_verdict(walks.setting, entries, claimed)
        assert found.proved == alike
        assert bool(found.shown) == (not alike)
        assert found.states <= len(states)
        for question in found.shown.values():
            told = [m for m in alive if not explains(m, [_answered(claimed, question)])]
            assert question.state in starts
            assert told
        by_pairs = reachable_verdict(walks.setting, entries, claimed, PAIRS_ONLY)
        assert alike or not by_pairs.proved
        if found.matters:
            counts["alike" if alike else "apart"] += 1
            counts["by pairs"] += by_pairs.proved
    assert all(counts.values()), counts


@pytest.mark.parametrize("seed", range(25))
def test_pairs_of_facts_hold_in_every_reachable_state(seed: int) -> None:
    truth = hidden_model(seed, constants=1)
    rng = random.Random(seed)
    objects = objects_of(truth, 2)
    initial = _initial(rng, truth.vocabulary, 1 + seed % 2, objects)
    walks = Walks(rng, truth, objects, initial)
    states = reach(truth, walks.setting.offered)
    actions = slot_actions(truth, truth.vocabulary)
    grounding = Grounding(truth.vocabulary, False)
    everything = list(actions)  # as if no action had ever run, all atoms matter
    task = Task(walks.setting, grounding, actions, (), everything, walks.setting.offered)
    pairs = Pairs(task)
    assert pairs.finished
    universe = walks.setting.universe
    for each in task.tries:
        places = dict(zip(each.places, universe.positions(each.step), strict=True))
        for bits in states:
            values = [
                pairs.literals(Condition(1 << i) if bits >> n & 1 else Condition(0, 1 << i))
                for i, n in places.items()
            ]
            assert pairs.possible(sum(values))
    found = exhaust(task, {})
    assert found.complete
    assert found.states <= len(states)


@pytest.mark.parametrize("seed", range(25))
def test_no_projection_excludes_a_reachable_state(seed: int) -> None:
    truth = hidden_model(seed, constants=1)
    rng = random.Random(seed)
    objects = objects_of(truth, 2)
    walks = Walks(rng, truth, objects, _initial(rng, truth.vocabulary, 1 + seed % 2, objects))
    states, universe = reach(truth, walks.setting.offered), walks.setting.universe
    actions = slot_actions(truth, truth.vocabulary)
    task = Task(
        walks.setting, Grounding(truth.vocabulary, False), actions, (), list(actions), walks.setting.offered
    )
    moves = list(task.moves)
    projections = follow(task, MOST_WORK)
    assert projections is not None
    running = {m.step for m in moves} - {m.step for m in task.moves}
    execution = Execution(truth, universe)
    for bits in states:
        assert all(execution.apply(bits, step) is None for step in running)
        for each in task.tries:
            places = dict(zip(each.places, universe.positions(each.step), strict=True))
            values = [
                projections.literals(Condition(1 << i) if bits >> n & 1 else Condition(0, 1 << i))
                for i, n in places.items()
            ]
            held = projections.together(sum(values))
            assert held & sum(values) == sum(values)


@pytest.mark.parametrize("seed", range(25))
def test_both_proofs_on_larger_models(seed: int) -> None:
    """What pairs of facts prove, visiting all states proves too; and nothing else is refuted by asking."""
    truth = hidden_model(seed, nullary=1)
    rng = random.Random(seed)
    objects = objects_of(truth, 2)
    walks = Walks(rng, truth, objects, _initial(rng, truth.vocabulary, 1, objects))
    entries = walks.entries(15, 6)
    entries = ask_all(walks, entries, truth)
    found = reachable_verdict(walks.setting, entries, truth)
    assert found.proved
    assert found.method == "exhaustion"
    by_pairs = reachable_verdict(walks.setting, entries, truth, PAIRS_ONLY)
    assert by_pairs.proved or set(by_pairs.unproved) <= set(found.matters)
    assert not by_pairs.shown
    fewer = reachable_verdict(walks.setting, entries[: len(entries) // 2], truth, PAIRS_ONLY)
    if fewer.proved:
        assert reachable_verdict(walks.setting, entries[: len(entries) // 2], truth).proved


def ask_all(walks: Walks, entries: list[Entry], claimed: Model) -> list[Entry]:
    """Asks whatever would tell, until nothing does."""
    while shown := reachable_verdict(walks.setting, entries, claimed).shown:
        before = len(entries)
        for question in dict.fromkeys(shown.values()):
            entries = [*entries, Entry(len(entries) + 1, question, walks.agent.ask(question))]
        assert len(entries) > before
    return entries


def blocksworld(blocks: int) -> tuple[Walks, Model]:
    truth = read_domain(domain_text("blocksworld"))
    names = [f"b{i}" for i in range(blocks)]
    state = frozenset(
        [Atom("handempty"), *(Atom(p, (name,)) for p in ("clear", "ontable") for name in names)]
    )
    objects = [Object(name, "object") for name in names]
    return Walks(random.Random(0), truth, objects, [state]), truth


def test_blocksworld() -> None:
    walks, truth = blocksworld(3)
    entries = ask_all(walks, walks.entries(20, 12), truth)
    found = reachable_verdict(walks.setting, entries, truth)
    assert (found.method, found.states) == ("exhaustion", 22)
    sentence, meant = found.sentences()
    assert sentence.endswith(
        "literals cannot be told apart on reachable states: proved by exhausting 22 states."
    )
    assert meant == "Reachable means by steps that name no thing twice; others were not tried."


def test_what_cannot_be_checked_is_said() -> None:
    walks, truth = blocksworld(3)
    entries = walks.entries(20, 12)
    setting = walks.setting
    anywhere = replace(setting, profile=replace(setting.profile, start=Start.ANY))
    merging = replace(setting, equality=True)
    nowhere = replace(setting, offered=())
    for odd, answers, said in (
        (anywhere, entries, "accepts any state"),
        (merging, entries, "--equality"),
        (nowhere, [], "no initial state"),
    ):
        found = reachable_verdict(odd, answers, truth)
        assert not found.proved
        assert found.unproved == found.matters
        assert said in found.reason
    tight = reachable_verdict(setting, ask_all(walks, entries, truth), truth, Limits(states=5, work=10))
    assert not tight.proved
    assert "more than 5 reachable states" in tight.reason
    assert "takes too long" in tight.reason
    visited = replace(setting, profile=replace(setting.profile, start=Start.VISITED))
    assert reachable_verdict(visited, ask_all(walks, entries, truth), truth).proved


def test_an_action_that_never_runs() -> None:
    """Refused wherever the agent can get: proved once every such situation was tried."""
    vocabulary = Vocabulary.of(predicates={"p": [], "q": []}, actions={"a": [], "b": []})
    truth = Model(
        vocabulary,
        (
            ActionModel.strips(vocabulary.action["a"], frozenset(), frozenset({Literal(Atom("p"))})),
            ActionModel.strips(
                vocabulary.action["b"], frozenset({Literal(Atom("q"))}), frozenset({Literal(Atom("p"))})
            ),
        ),
    )
    walks = Walks(random.Random(0), truth, (), [frozenset()])
    claimed = Model(vocabulary, truth.actions[:1])
    start = walks.setting.offered[0]
    a, b = Step("a"), Step("b")
    plans = [(a, a), (a, b), (b,)]
    entries = [
        Entry(n, PlanQuery(start, plan), walks.agent.ask(PlanQuery(start, plan)))
        for n, plan in enumerate(plans, start=1)
    ]
    found = reachable_verdict(walks.setting, entries[:2], claimed)
    assert found.shown["b"].plan == (b,)
    for limits in (Limits(), PAIRS_ONLY):
        assert reachable_verdict(walks.setting, entries, claimed, limits).proved
    assert "b never runs on reachable states: proved by exhausting 2 states." in (
        reachable_verdict(walks.setting, entries, claimed).sentences()
    )


def _initial(
    rng: random.Random, vocabulary: Vocabulary, count: int, objects: Sequence[Object] = OBJECTS
) -> list[frozenset[Atom]]:
    atoms = ground_atoms(Universe(vocabulary, objects))
    return [frozenset(a for a in atoms if rng.random() < 0.5) for _ in range(count)]


def _literals(model: Model) -> int:
    return sum(len(a.needed) + len(a.plain_effects) for a in model.actions)


def _answered(model: Model, question: PlanQuery) -> Entry:
    execution = Execution(model, question.state.universe)
    return Entry(1, question, PlanResponse(*execution.run(question.state, question.plan)))
