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
from assay.learn.finding import Status
from assay.testing.hidden import HiddenAgent, hidden_model
from assaylab.strategies.aia import AIA
from hidden_models import objects_of, random_model
from strategy_asking import interrogate, open_actions, wrong

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


@often
@given(seeds, st.integers(0, 2), st.sampled_from([0.0, 0.3, 0.5]), st.booleans())
def test_theorem_3_and_lemma_8_terminates_with_models_equivalent_to_the_truth(
    seed, constants, negative, new_objects
):
    model = random_model(seed, constants=constants, negative=negative)
    agent = ModelAgent(model, objects_of(model, 3))
    strategy, _ = interrogate(AIA, agent, seed=seed, new_objects=new_objects)
    assert wrong(strategy, model) == []
    for finding in strategy.findings():
        assert finding.status is Status.LEARNED or not finding.runs, "it ran, so nothing of it may stay open"


@often
@given(seeds)
def test_theorem_2_no_answer_ever_removes_the_true_mode(seed):
    """Checked after every single answer."""
    model = random_model(seed, constants=1)
    agent = ModelAgent(model, objects_of(model, 2))
    strategy = AIA(Setting.of(agent, strategy="aia", seed=seed), False)
    questions, response, decided = strategy.questions(0), None, []
    while True:
        try:
            query = questions.send(response)
        except StopIteration:
            break
        response = agent.ask(query)
        assert wrong(strategy, model) == []
        decided.append(len(open_actions(strategy)))
    assert decided == sorted(decided, reverse=True)


@often
@given(seeds)
def test_no_question_twice_and_different_objects_only(seed):
    model = random_model(seed)
    _, asked = interrogate(AIA, ModelAgent(model, objects_of(model, 3)), seed=seed)
    assert len({(tuple(query.state.texts()), query.plan) for query, _ in asked}) == len(asked)
    for query, _ in asked:
        assert all(distinct_arguments(query.state.universe, step) for step in query.plan)
        assert query.state.universe.objects == query.objects


@pytest.mark.parametrize("name", DOMAINS)
def test_the_benchmark_domains_are_learned_exactly(name):
    """With constants and repeated variables there are more slots than in the paper, still fewer questions."""
    model, problem = load(name, 1, 0)
    strategy, asked = interrogate(AIA, ModelAgent(model, problem.objects, (problem.initial,)))
    assert open_actions(strategy) == []
    assert wrong(strategy, model) == []
    assert len(asked) <= 1.3 * PUBLISHED[name]


@pytest.mark.parametrize("name", ["gripper", "blocksworld", "termes"])
@pytest.mark.parametrize("seed", range(3))
def test_with_a_fixed_set_of_objects_and_nothing_offered(name, seed):
    model, problem = load(name, 2, seed)
    strategy, asked = interrogate(AIA, ModelAgent(model, problem.objects), seed=seed, new_objects=False)
    assert open_actions(strategy) == []
    assert wrong(strategy, model) == []
    assert all(not query.new_objects for query, _ in asked)


@pytest.mark.parametrize("seed", range(12))
def test_offered_states_in_which_an_action_never_runs_do_not_use_up_the_tries(seed):
    """Nothing offered shows a run, and there is more offered than could be tried."""
    rng = random.Random(seed)
    names = Vocabulary.of(predicates={f"p{n}": ["object"] for n in range(12)}, actions={"a": ["object"]})
    literals = [Literal(Atom(f"p{n}", ("?x1",)), rng.random() < 0.6) for n in rng.sample(range(12), 6)]
    model = Model(names, (ActionModel.strips(names.action["a"], literals, ()),))
    things = tuple(Object(f"o{n}") for n in range(8))
    refused = []
    while len(refused) < 60:
        holds = {(n, o.name): rng.random() < 0.5 for n in range(12) for o in things}
        for o in things:  # the first literal is violated everywhere
            holds[int(literals[0].atom.predicate[1:]), o.name] = not literals[0].positive
        refused.append(frozenset(Atom(f"p{n}", (o,)) for (n, o), true in holds.items() if true))
    strategy, _ = interrogate(AIA, HiddenAgent(model, things, refused), seed=seed)
    assert open_actions(strategy) == []
    assert wrong(strategy, model) == []


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
    strategy, asked = interrogate(AIA, Seen(model, problem.objects, (problem.initial,)))
    assert wrong(strategy, model) == []
    assert all(f.runs for f in strategy.findings())
    open_ones = [f for f in strategy.findings() if f.status is Status.OPEN]
    assert open_ones
    assert all(f.model is not None and f.notes for f in open_ones)
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
    strategy, _ = interrogate(AIA, Squeamish(model, objects_of(model, 3)), seed=seed)
    assert wrong(strategy, model) == []


@sometimes
@given(seeds, st.integers(1, 2))
def test_plans_are_no_longer_than_allowed(seed, most):
    model = random_model(seed)
    agent = ModelAgent(model, objects_of(model, 2), (frozenset(),))
    strategy, asked = interrogate(AIA, agent, seed=seed, max_plan=most)
    assert max(len(query.plan) for query, _ in asked) <= most
    assert wrong(strategy, model) == []


@pytest.mark.parametrize("kind", ["toggle", "swap", "changes others"])
@pytest.mark.parametrize("tells", [False, True])
def test_what_shows_that_it_is_no_conjunction_is_open_and_says_so(kind, tells):
    """The other actions are learned to the end."""
    hidden = hidden_model(kind, 1)
    strategy, _ = interrogate(AIA, hidden.agent(tells=tells, offers=True))
    troubled = {f.action for f in strategy.findings() if f.trouble}
    assert troubled
    assert troubled <= hidden.odd
    assert set(open_actions(strategy)) <= hidden.odd


def test_the_same_situation_answered_twice_differently_is_a_contradiction():
    names = Vocabulary.of(predicates={"p": []}, actions={"a": [], "b": []})
    model = Model(names, tuple(ActionModel.strips(names.action[a], (), ()) for a in "ab"))
    strategy, asked = interrogate(AIA, ModelAgent(model))
    query, response = next((q, r) for q, r in asked if q.plan == (Step("a"),))
    entry = 1 + [q for q, _ in asked].index(query)
    strategy.take(query, PlanResponse(1 - response.steps, query.state), None)
    a, b = strategy.findings()
    assert (a.status, a.conflict) == (Status.CONTRADICTED, (entry, len(asked) + 1))
    assert b.status is Status.LEARNED


def test_a_finding_names_the_entries_that_show_it():
    model, problem = load("gripper", 1, 0)
    strategy, asked = interrogate(AIA, ModelAgent(model, problem.objects, (problem.initial,)))
    for finding in strategy.findings():
        (term,) = finding.terms
        assert {(x.literal.atom, x.positive) for x in term.literals} == set(finding.model.needed)
        for entry in (e for x in term.literals for e in x.refusals):
            query, response = asked[entry - 1]
            assert query.plan[response.steps].action == finding.action
        for entry in term.runs:
            query, response = asked[entry - 1]
            assert finding.action in [step.action for step in query.plan[: response.steps]]


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
    strategy, asked = interrogate(AIA, ModelAgent(model))
    a, b = strategy.findings()
    assert (a.status, a.model) == (Status.NEVER_RAN, None)
    assert b.status is Status.LEARNED
    assert len(asked) < 30


def test_an_action_without_atoms_is_asked_once():
    names = Vocabulary.of(predicates={"p": ["object"]}, actions={"wait": []})
    model = Model(names, (ActionModel.strips(names.action["wait"], frozenset(), frozenset()),))
    strategy, asked = interrogate(AIA, ModelAgent(model))
    assert [query.plan for query, _ in asked] == [(Step("wait"),)]
    assert open_actions(strategy) == []


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
    strategy, _ = interrogate(AIA, agent)
    assert wrong(strategy, model) == []
    assert [f.action for f in strategy.findings() if Literal(p) in f.model.needed] == ["a"]


def test_an_unknown_planner_is_refused_before_the_first_question():
    agent = ModelAgent(Model(Vocabulary.of(predicates={"p": []}, actions={"a": []}), ()), (Object("o"),))
    with pytest.raises(InputError, match="unknown planner"):
        AIA(Setting.of(agent, strategy="aia", planner="optimal"), False)


def test_the_external_planner_leads_to_the_same_model():
    pytest.importorskip("fast_downward.translate", reason="the extra 'fast-downward' is not installed")
    model, problem = load("gripper", 1, 0)
    agent = ModelAgent(model, problem.objects, (problem.initial,))
    strategy, asked = interrogate(AIA, agent, planner="fast-downward")
    assert open_actions(strategy) == []
    assert wrong(strategy, model) == []
    assert len(asked) <= 1.2 * PUBLISHED["gripper"]
