"""The naive baseline: every valuation of every action, and the right model at the end."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.agents.model import ModelAgent
from assay.core.model import ActionModel, Model
from assay.core.query import Start
from assay.core.setting import Setting
from assay.core.symbols import Literal, Object
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.learn.finding import Status
from assaylab.strategies.naive import Naive
from hidden_models import objects_of, random_model
from strategy_asking import interrogate, open_actions, wrong


def sizes(model: Model) -> list[int]:
    return [len(model.vocabulary.lifted_atoms(a.name)) for a in model.vocabulary.actions]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.booleans())
def test_every_state_of_every_action_gives_the_model(seed, new_objects):
    model = random_model(seed, nullary=1)
    assume(max(sizes(model)) <= 7)
    agent = ModelAgent(model, objects_of(model, 2))
    strategy, asked = interrogate(Naive, agent, new_objects=new_objects)
    assert len(asked) == sum(2**n for n in sizes(model))
    assert len({(tuple(query.state.texts()), query.plan) for query, _ in asked}) == len(asked)
    assert all(len(query.plan) == 1 for query, _ in asked)
    assert open_actions(strategy) == []
    assert wrong(strategy, model) == []


def vocabulary(atoms: int) -> Vocabulary:
    return Vocabulary.of(predicates={f"p{n}": [] for n in range(atoms)}, actions={"a": ["object"], "b": []})


def test_too_many_questions_are_refused_with_their_number():
    agent = ModelAgent(Model(vocabulary(17), ()))
    with pytest.raises(
        InputError, match=r"2\^17 = 131,072 questions for action 'a' alone \(262,144 in all\)"
    ):
        Naive(Setting.of(agent, strategy="naive"), False)


def test_states_must_be_settable():
    agent = ModelAgent(Model(vocabulary(1), ()))
    with pytest.raises(InputError, match="this run allows start 'visited'"):
        Naive(Setting.of(agent, strategy="naive", start=Start.VISITED), False)


def test_an_action_without_enough_objects_stays_open():
    names = Vocabulary.of(predicates={"p": ["object"]}, actions={"a": ["object", "object"], "b": ["object"]})
    nothing: frozenset[Literal] = frozenset()
    model = Model(names, tuple(ActionModel.strips(h, nothing, nothing) for h in names.actions))
    strategy, asked = interrogate(Naive, ModelAgent(model, (Object("o"),)), new_objects=False)
    assert {step.action for query, _ in asked for step in query.plan} == {"b"}
    assert [f.status for f in strategy.findings()] == [Status.OPEN, Status.LEARNED]
