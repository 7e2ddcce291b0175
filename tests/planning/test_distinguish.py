"""The reduction to planning: the lemmas and theorems of DCDN section 5.1 on random small models."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planning_cases import MODES, OBJECTS, VOCABULARY, Case, all_plans, random_case

from assay.core.symbols import Atom, Step
from assay.core.universe import Universe
from assay.planning.abstract import AbstractAction, Refinement, empty_model, refinements
from assay.planning.distinguish import Compiler, Separation, separates
from assay.planning.grounding import Grounding, Situation
from assay.planning.search import Plan, Unsolvable, solve

PAIRS = list(combinations(MODES, 2))
LENGTH = 3

cases = st.builds(
    random_case,
    st.integers(0, 10**6),
    decided=st.sampled_from([(0.3, 0.3), (0.7, 0.7), (1.0, 0.5), (1.0, 0.8)]),
)
pairs = st.sampled_from(PAIRS)
often = settings(max_examples=200, deadline=None, derandomize=True)


def plan_for(case: Case, pair: tuple[str, str]) -> tuple[Step, ...] | None:
    result = solve(case.task(pair), max_nodes=10**5, max_length=LENGTH)
    assert isinstance(result, Plan | Unsolvable)
    return result.steps if isinstance(result, Plan) else None


@often
@given(st.integers(0, 10**6), pairs)
def test_lemma_1_from_the_empty_model_only_preconditions_have_a_query(seed, pair):
    case = random_case(seed)
    case.abstract = empty_model(VOCABULARY)
    plan = plan_for(case, pair)
    if case.effect:
        assert plan is None
    else:
        # a state where the two modes judge the atom differently is all that is needed
        values = {binding_value(case, step) for step in steps_of(case.action)}
        differ = any((view(pair[0], v) != view(pair[1], v)) for v in values)
        assert (plan is not None) == differ
        assert plan is None or len(plan) == 1


def steps_of(action: str) -> list[Step]:
    arity = VOCABULARY.action[action].arity
    return [Step(action, (o.name,)) for o in OBJECTS] if arity else [Step(action)]


def binding_value(case: Case, step: Step) -> bool:
    binding = VOCABULARY.action[step.action].bind(step.args)
    return case.slot_atom.substitute(binding) in case.state


def view(mode: str, value: bool) -> bool:
    return mode == "0" or value == (mode == "+")


@often
@given(cases, pairs)
def test_lemma_2_projections_of_the_doubled_task_agree_with_each_model(case, pair):
    """For every plan up to its first difference, not only for solutions."""
    task, models = case.task(pair), [case.model(mode) for mode in pair]
    atoms = case.universe.atoms

    def follow(node, depth):
        state, unknown = frozenset(atoms(node.i)), frozenset(atoms(node.u))
        for (step,) in all_plans(1):
            after = task.successor(node, step)
            runs = [model.runs(state, unknown, step) for model in models]
            if not any(runs):
                assert after is None
            elif not all(runs):
                assert after.psi
            else:
                (left, u), (right, _) = (model.apply(state, unknown, step) for model in models)
                assert (frozenset(atoms(after.i)), frozenset(atoms(after.j))) == (left, right)
                assert not after.psi
                if left == right:
                    assert frozenset(atoms(after.u)) == u
                    if depth > 1:
                        follow(after, depth - 1)

    follow(task.initial, LENGTH)


@often
@given(cases, pairs)
def test_lemma_3_the_last_action_is_the_refined_one(case, pair):
    plan = plan_for(case, pair)
    assert plan is None or plan[-1].action == case.action


@often
@given(cases, pairs)
def test_lemma_4_until_the_last_step_both_copies_agree_and_follow_the_agent(case, pair):
    plan = plan_for(case, pair)
    if plan is None or case.agent(plan)[0] < len(plan):
        return
    task, node = case.task(pair), None
    node = task.initial
    for number, step in enumerate(plan[:-1], start=1):
        node = task.successor(node, step)
        assert node.i == node.j
        assert not node.psi
        _, truth = case.agent(plan[:number])
        for atom in predicate_atoms(case):
            place = 1 << case.universe.index(atom)
            if not node.u & place:
                assert bool(node.i & place) == (atom in truth)


def predicate_atoms(case: Case) -> list[Atom]:
    name = case.slot_atom.predicate
    return [atom for step in all_plans(1) for atom in positions(case, step[0]) if atom.predicate == name]


def positions(case: Case, step: Step) -> list[Atom]:
    return [case.universe.atom(p) for p in case.universe.positions(step)]


@often
@given(cases, pairs)
def test_theorem_1_solvable_iff_a_distinguishing_query_exists(case, pair):
    first, second = map(case.model, pair)
    exists = any(first.answer(plan) != second.answer(plan) for plan in all_plans(LENGTH))
    plan = plan_for(case, pair)
    assert (plan is not None) == exists
    if plan is not None:
        assert first.answer(plan) != second.answer(plan)
        assert separates(case.task(pair), plan)


@often
@given(cases, pairs)
def test_theorem_2_a_pruned_model_is_never_an_abstraction_of_the_truth(case, pair):
    """For every separating plan, not only the one found first."""
    task = case.task(pair)
    for plan in all_plans(LENGTH):
        if not separates(task, plan):
            continue
        steps, final = case.agent(plan)
        if steps < len(plan):
            continue
        binding = VOCABULARY.action[case.action].bind(plan[-1].args)
        ground = case.slot_atom.substitute(binding)
        for mode in pair:
            length, state = case.model(mode).answer(plan)
            inconsistent = length < len(plan) or (case.effect and (ground in state) != (ground in final))
            if inconsistent:
                assert mode != case.true_mode


def test_an_unknown_effect_two_steps_back_separates_nothing():
    """b may add p, c is known to leave p alone: after b, c nobody knows p, and a's need of p stays open."""
    universe = Universe(VOCABULARY, OBJECTS)
    number = {name: VOCABULARY.lifted_atoms(name).index(Atom("p", ("?x1",))) for name in "ab"}
    model = {
        "a": AbstractAction(blank=1 << number["a"]),
        "b": AbstractAction(unknown=1 << number["b"]),
        "c": AbstractAction(),
    }
    place = Situation(universe.state([]), OBJECTS)
    grounding = Grounding(VOCABULARY, 100)
    steps = {name: grounding.steps(place, name) for name in model}
    task = Separation(
        Compiler(universe), model, Refinement("a", number["a"], False, ("+", "0")), place, steps
    )
    assert separates(task, [Step("a", ("o1",))])
    assert not separates(task, [Step("b", ("o1",)), Step("c"), Step("a", ("o1",))])
    assert separates(task, [Step("b", ("o2",)), Step("c"), Step("a", ("o1",))])
    settled = model | {"b": AbstractAction(delete=1 << number["b"])}
    task = Separation(Compiler(universe), settled, task.refinement, place, steps)
    assert separates(task, [Step("b", ("o1",)), Step("c"), Step("a", ("o1",))])


def test_a_plan_that_is_no_solution_is_not_taken_for_one():
    case = random_case(3, effect=False)
    task = case.task(("+", "-"))
    plan = plan_for(case, ("+", "-"))
    assert plan is not None
    assert separates(task, plan)
    assert not separates(task, ())
    assert not separates(task, (*plan, plan[-1]))


def test_an_end_that_is_not_admitted_is_not_planned():
    case = random_case(3, effect=False)
    task = case.task(("+", "-"))
    shut = Separation(
        Compiler(case.universe),
        task.model,
        task.refinement,
        task.situation,
        task.steps,
        lambda step, bits: False,
    )
    assert isinstance(solve(task, max_nodes=1000, max_length=2), Plan)
    assert solve(shut, max_nodes=1000, max_length=2) == Unsolvable()


@pytest.mark.parametrize(("modes", "count"), [("+-0", 3), ("+0", 1), ("0", 0)])
def test_pairs_of_modes(modes, count):
    assert len(refinements("a", 0, True, modes)) == count
