"""The checker shipped to users: silent about agents that keep the rules, plain about those that do not."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.agents.http import HttpAgent, serve
from assay.agents.model import ModelAgent
from assay.core.model import ActionModel, Model
from assay.core.query import Start
from assay.core.symbols import Atom, Literal, Object
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.testing import RULES, Complaint, assert_agent, check_agent
from lamp_agents import (
    LAMPS,
    POWER,
    VOCABULARY,
    BadObjects,
    BadOffer,
    Battery,
    Cautious,
    Changes,
    Clumsy,
    Dazzled,
    Dice,
    Doubtful,
    Empty,
    Fixed,
    Forger,
    Hanging,
    Homeless,
    Hopeful,
    Host,
    Lamps,
    Liar,
    Narrow,
    Remembering,
    Resettable,
    Restless,
    Restorable,
    Shortener,
    Skipping,
    Strict,
    Tiring,
    Warmed,
    Wordless,
)


@pytest.mark.parametrize("kind", [Lamps, Fixed, Resettable, Restorable])
@pytest.mark.parametrize("seed", range(3))
def test_sound_agents(kind, seed):
    assert check_agent(kind(), seed=seed) == []
    assert_agent(kind(), seed=seed)


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        (Dice, "repeatable"),
        (Tiring, "repeatable"),
        (Remembering, "repeatable"),
        (Cautious, "longest prefix"),
        (Skipping, "prefix"),
        (Clumsy, "refusal"),
        (Restless, "empty plan"),
        (Changes, "empty plan"),
        (Battery, "longest prefix"),
        (Warmed, "whole state"),
        (Dazzled, "empty plan"),
        (Hopeful, "longest prefix"),
        (Narrow, "new objects"),
        (Strict, "new objects"),
        (Doubtful, "own states"),
        (Forger, "hands off"),
        (Shortener, "hands off"),
        (Host, "hands off"),
        (Liar, "answer"),
        (Wordless, "declaration"),
        (Empty, "declaration"),
        (BadObjects, "declaration"),
        (Homeless, "offer"),
        (BadOffer, "offer"),
    ],
)
def test_unsound_agents(kind, rule):
    for seed in range(3):
        complaints = check_agent(kind(), seed=seed)
        assert rule in {c.rule for c in complaints}, complaints
        assert {c.rule for c in complaints} <= RULES.keys()
    with pytest.raises(AssertionError) as caught:
        assert_agent(kind())
    assert rule in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "rule"), [(Clumsy, "refusal"), (Skipping, "prefix"), (Restless, "empty plan"), (Liar, "answer")]
)
def test_unsound_agents_that_can_only_be_reset(kind, rule):
    agent = kind()
    agent.start, agent.new_objects = Start.RESET, False
    assert rule in {c.rule for c in check_agent(agent)}


def test_only_states_of_its_own_when_it_says_so():
    seen = []

    class Watched(Resettable):
        def ask(self, query):
            seen.append(query.state)
            return super().ask(query)

    agent = Watched()
    check_agent(agent)
    universe = Universe(VOCABULARY, LAMPS)
    assert set(seen) <= set(agent.states(2, universe))


def counted(kind, **options) -> Counter[State]:
    """From which states how many questions start."""
    starts = Counter()

    class Counted(kind):
        def ask(self, query):
            starts[query.state] += 1
            return super().ask(query)

    assert check_agent(Counted(), **options) == []
    return starts


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", [Lamps, Fixed])
def test_every_state_is_started_from_where_there_are_few(kind, seed):
    universe = Universe(VOCABULARY, LAMPS)
    atoms = [POWER, Atom("on", ("desk",)), Atom("on", ("hall",))]
    starts = counted(kind, seed=seed)
    held = {tuple(state.texts()) for state in starts}
    assert {
        tuple(universe.state(a).texts()) for n in range(4) for a in itertools.combinations(atoms, n)
    } <= held
    assert starts.total() < 600


def test_no_state_is_started_from_again_and_again():
    class Street(Fixed):
        objects = tuple(Object(f"lamp{n}", "lamp") for n in range(9))

        def states(self, count, universe):
            return []

    for seed in range(5):
        starts = counted(Street, seed=seed)
        assert len(starts) > 15
        assert max(starts.values()) < starts.total() / 3


def test_words():
    (complaint,) = [c for c in check_agent(Clumsy()) if c.rule == "refusal"][:1]
    assert "the refused step (" in complaint.sentence
    assert all(q.startswith("from (") for q in complaint.questions)
    assert str(complaint).startswith("refusal: the refused step")
    with pytest.raises(FrozenInstanceError):
        complaint.rule = "answer"


def test_hanging_agent_is_complained_about_and_let_go():
    began = time.monotonic()
    complaints = check_agent(Hanging(), timeout=0.2)
    assert time.monotonic() - began < 2
    assert [c.rule for c in complaints] in (["answer"], ["new objects"])
    assert "no answer within 0.2 s" in complaints[0].sentence
    assert complaints[0].questions[0].startswith("from ")


def test_few_complaints_about_one_thing():
    complaints = check_agent(Skipping(), questions=200)
    assert max(sum(c.rule == rule for c in complaints) for rule in RULES) <= 3


def test_same_seed_same_complaints():
    assert check_agent(Clumsy(), seed=4) == check_agent(Clumsy(), seed=4)


def test_what_is_no_agent():
    assert check_agent(object()) == [
        Complaint("declaration", "the agent has no `vocabulary` that is a Vocabulary")
    ]


def test_agents_at_the_other_end_of_the_wire():
    with serve(Lamps()) as server, HttpAgent(server.url) as agent:
        assert check_agent(agent) == []
    with serve(Clumsy()) as server, HttpAgent(server.url) as agent:
        assert "refusal" in {c.rule for c in check_agent(agent)}


@st.composite
def models(draw) -> ModelAgent:
    vocabulary = Vocabulary.of(
        types={"a": "object", "b": "a"},
        constants={"home": "a"} if draw(st.booleans()) else {},
        predicates={"p": [], "q": ["a"], "r": ["object", "b"]},
        actions={"f": ["a"], "g": ["b", "a"], "h": []},
    )
    actions = []
    for header in vocabulary.actions:
        atoms = vocabulary.lifted_atoms(header.name)
        signed = st.frozensets(st.builds(Literal, st.sampled_from(atoms), st.booleans()), max_size=3)
        effects = {literal.atom: literal for literal in draw(signed)}
        actions.append(ActionModel.strips(header, draw(signed), frozenset(effects.values())))
    objects = (Object("a1", "a"), Object("b1", "b"), Object("b2", "b"))[: draw(st.integers(0, 3))]
    initial = (frozenset({Atom("p")}),) if draw(st.booleans()) else ()
    return ModelAgent(Model(vocabulary, tuple(actions)), objects, initial)


@given(models(), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_no_model_is_complained_about(agent, seed):
    assert check_agent(agent, seed=seed, questions=20, timeout=None) == []
