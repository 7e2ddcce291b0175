"""The agent interrogation algorithm: terminates, is never wrong, and says what it could not decide."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.agents.model import ModelAgent
from assay.bench.problems import DOMAINS, load
from assay.core.confinement import distinct_arguments
from assay.core.model import ActionModel, Model
from assay.core.query import Invalid, PlanQuery, PlanResponse, Response, Start
from assay.core.setting import Setting
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.knowledge.dossier import Part, Status
from assay.knowledge.knowledge import Knowledge
from assay.planning.stage import valuation
from assay.scoring.equivalence import differences
from assay.scoring.normal_form import normalised, satisfiable
from assay.strategies.aia import aia
from assay.strategies.aia.lattice import decided_share
from hidden_models import interrogate, objects_of, random_model

PUBLISHED = {
    "gripper": 17,
    "blocksworld": 48,
    "miconic": 39,
    "parking": 63,
    "logistics": 68,
    "satellite": 41,
    "termes": 134,
    "rovers": 370,
    "barman": 357,
    "freecell": 535,
}
"""Questions of AIA-21, Table 1."""

seeds = st.integers(0, 10**6)
often = settings(max_examples=60, deadline=None, derandomize=True)
sometimes = settings(max_examples=25, deadline=None, derandomize=True)


def truthful(knowledge: Knowledge, model: Model) -> None:
    """Every mode that the hidden model has is still possible, and what is settled is right."""
    truth = normalised(model).action
    for claim in knowledge.claims():
        action = truth[claim.action]
        if not satisfiable(action):
            continue
        literals = action.needed if claim.part is Part.PRECONDITION else action.plain_effects
        mode = next(
            (s for s, p in (("+", True), ("-", False)) if Literal(claim.atom, p) in literals), "absent"
        )
        assert mode in claim.modes
        if claim.status is Status.SETTLED:
            assert claim.modes == (mode,)
    if knowledge.complete:
        assert differences(knowledge.model(), model) == []


@often
@given(seeds, st.integers(0, 2), st.sampled_from([0.0, 0.3, 0.5]), st.booleans())
def test_theorem_3_and_lemma_8_terminates_with_models_equivalent_to_the_truth(
    seed, constants, negative, new_objects
):
    model = random_model(seed, constants=constants, negative=negative)
    agent = ModelAgent(model, objects_of(model, 3))
    knowledge, asked = interrogate(agent, "aia", seed=seed, new_objects=new_objects)
    truthful(knowledge, model)
    for name, dossier in knowledge.dossiers.items():
        assert dossier.settled or not dossier.ran, f"{name} ran, so nothing of it may stay open"
    tests = len(asked) - knowledge.searches
    assert tests <= sum(3 * len(d.atoms) + 5 for d in knowledge.dossiers.values())


@often
@given(seeds)
def test_theorem_2_no_answer_ever_removes_the_true_mode(seed):
    """Checked after every single answer."""
    model = random_model(seed, constants=1)
    agent = ModelAgent(model, objects_of(model, 2))
    knowledge = Knowledge(Setting.of(agent, strategy="aia", seed=seed))
    questions = aia(knowledge)
    query, shares = next(questions, None), [decided_share(knowledge)]
    while query is not None:
        response = agent.ask(query)
        knowledge.learn(query, response)
        truthful(knowledge, model)
        shares.append(decided_share(knowledge))
        try:
            query = questions.send(response)
        except StopIteration:
            query = None
    assert shares == sorted(shares)
    assert (shares[-1] == 1) == all(d.ran for d in knowledge.dossiers.values())


@often
@given(seeds)
def test_no_question_twice_and_no_outcome_known_beforehand(seed):
    model = random_model(seed)
    knowledge, asked = interrogate(ModelAgent(model, objects_of(model, 3)), "aia", seed=seed)
    assert len({(query.state.bits, query.plan) for query, _ in asked}) == len(asked)
    seen: set[tuple[str, int]] = set()
    for query, response in asked:
        for step in query.plan:
            assert distinct_arguments(knowledge.universe, step)
        if response.steps < len(query.plan):
            step = query.plan[response.steps]
            refused = step.action, valuation(knowledge.universe, step, response.state.bits)
            assert refused not in seen
            seen.add(refused)


@sometimes
@given(seeds)
def test_the_same_seed_asks_the_same_questions_however_atoms_are_numbered(seed):
    model = random_model(seed, constants=1)
    agent = ModelAgent(model, objects_of(model, 2), (frozenset(),), seed)
    _, first = interrogate(agent, "aia", seed=seed)
    setting = Setting.of(agent, strategy="aia", seed=seed)
    for query, _ in reversed(first):
        for thing in query.new_objects:
            setting.universe.add(thing)
        setting.universe.state(reversed(list(query.state)))
    knowledge = Knowledge(setting)
    questions, answer = aia(knowledge), None
    for expected, response in first:
        query = questions.send(answer)
        assert (query.state.texts(), query.plan) == (expected.state.texts(), expected.plan)
        answer = PlanResponse(response.steps, knowledge.universe.state(response.state))
        knowledge.learn(query, answer)


@pytest.mark.parametrize("name", DOMAINS)
def test_the_benchmark_domains_are_learned_exactly(name):
    """With constants and repeated variables there are more slots than in the paper, still fewer questions."""
    model, problem = load(name, 1, 0)
    knowledge, asked = interrogate(ModelAgent(model, problem.objects, (problem.initial,)), "aia")
    assert knowledge.complete
    assert differences(knowledge.model(), model) == []
    assert len(asked) <= 1.2 * PUBLISHED[name]


@pytest.mark.parametrize("name", ["gripper", "blocksworld", "termes"])
@pytest.mark.parametrize("seed", range(3))
def test_with_a_fixed_set_of_objects_and_nothing_offered(name, seed):
    model, problem = load(name, 2, seed)
    knowledge, asked = interrogate(ModelAgent(model, problem.objects), "aia", seed=seed, new_objects=False)
    assert knowledge.complete
    assert differences(knowledge.model(), model) == []
    assert all(not query.new_objects for query, _ in asked)


class Seen(ModelAgent):
    """Starts only where it has been, or where it offered to."""

    start = Start.VISITED
    new_objects = False

    def states(self, count: int, universe: Universe) -> Iterator[State]:
        self.known = set()
        for state in super().states(count, universe):
            self.known.add(frozenset(state))
            yield state

    def ask(self, query: PlanQuery, /) -> PlanResponse:
        assert frozenset(query.state) in self.known
        response = super().ask(query)
        self.known.add(frozenset(response.state))
        return response


@pytest.mark.parametrize("name", ["gripper", "blocksworld", "logistics"])
def test_where_states_cannot_be_edited_plans_from_s_decide_what_they_can(name):
    model, problem = load(name, 2, 1)
    agent = Seen(model, problem.objects, (problem.initial,))
    knowledge, asked = interrogate(agent, "aia")
    truthful(knowledge, model)
    assert all(d.ran for d in knowledge.dossiers.values())
    assert not knowledge.complete
    assert decided_share(knowledge) > 0.4
    assert any(len(query.plan) > 1 for query, _ in asked)


class Squeamish(ModelAgent):
    """Calls every second state impossible."""

    def ask(self, query: PlanQuery, /) -> Response:  # type: ignore[override]
        if random.Random(str(query.state)).random() < 0.5:
            return Invalid("no such place")
        return super().ask(query)


@sometimes
@given(seeds)
def test_rejected_states_are_no_evidence(seed):
    model = random_model(seed)
    knowledge, _ = interrogate(Squeamish(model, objects_of(model, 3)), "aia", seed=seed)
    truthful(knowledge, model)


@sometimes
@given(seeds, st.integers(1, 2))
def test_plans_are_no_longer_than_allowed(seed, most):
    model = random_model(seed)
    agent = ModelAgent(model, objects_of(model, 2), (frozenset(),))
    knowledge, asked = interrogate(agent, "aia", seed=seed, max_plan=most)
    assert max(len(query.plan) for query, _ in asked) <= most
    truthful(knowledge, model)


def test_an_action_that_nothing_lets_run_is_reported_and_does_not_hold_up_the_others():
    names = Vocabulary.of(
        predicates={"p": ["object"], "q": ["object"]}, actions={"a": ["object"], "b": ["object"]}
    )
    p, q = (Atom(name, ("?x1",)) for name in "pq")
    never = frozenset({Literal(p), Literal(p, False)})
    model = Model(
        names,
        (
            ActionModel.strips(names.action["a"], never, frozenset({Literal(q)})),
            ActionModel.strips(names.action["b"], frozenset({Literal(q)}), frozenset({Literal(p)})),
        ),
    )
    knowledge, asked = interrogate(ModelAgent(model), "aia")
    assert knowledge.dossiers["b"].settled
    assert not knowledge.dossiers["a"].ran
    assert len(asked) < 30


def test_an_action_without_atoms_is_asked_once():
    names = Vocabulary.of(predicates={"p": ["object"]}, actions={"wait": []})
    model = Model(names, (ActionModel.strips(names.action["wait"], frozenset(), frozenset()),))
    knowledge, asked = interrogate(ModelAgent(model), "aia")
    assert [query.plan for query, _ in asked] == [(Step("wait"),)]
    assert knowledge.complete


def test_a_need_that_only_shows_after_another_action():
    """p is false wherever nothing happened yet; that a needs it shows on a plan through b."""
    names = Vocabulary.of(predicates={"p": [], "q": []}, actions={"a": [], "b": []})
    p, q = Atom("p"), Atom("q")
    model = Model(
        names,
        (
            ActionModel.strips(names.action["a"], frozenset({Literal(p)}), frozenset({Literal(q)})),
            ActionModel.strips(names.action["b"], frozenset(), frozenset({Literal(p)})),
        ),
    )
    agent = Seen(model, (), (frozenset(),))
    knowledge, _ = interrogate(agent, "aia")
    truthful(knowledge, model)
    assert knowledge.dossiers["a"].precondition.need_true == 1


def test_an_unknown_planner_is_refused_before_the_first_question():
    agent = ModelAgent(Model(Vocabulary.of(predicates={"p": []}, actions={"a": []}), ()), (Object("o"),))
    with pytest.raises(InputError, match="unknown planner"):
        aia(Knowledge(Setting.of(agent, strategy="aia", planner="optimal")))


def test_the_external_planner_leads_to_the_same_model():
    pytest.importorskip("fast_downward.translate", reason="the extra 'fast-downward' is not installed")
    model, problem = load("gripper", 1, 0)
    agent = ModelAgent(model, problem.objects, (problem.initial,))
    knowledge, asked = interrogate(agent, "aia", planner="fast-downward")
    assert knowledge.complete
    assert differences(knowledge.model(), model) == []
    assert len(asked) <= 1.2 * PUBLISHED["gripper"]
