"""The checker shipped to users: silent about agents that keep the rules, plain about those that do not."""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.agents.guard import Guard
from assay.agents.http import HttpAgent, serve
from assay.agents.model import ModelAgent
from assay.core.model import ActionModel, Model
from assay.core.query import Invalid, PlanQuery, PlanResponse, Start
from assay.core.symbols import Atom, Literal, Object, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import AgentError, InputError
from assay.testing import RULES, Complaint, ScriptedAgent, assert_agent, check_agent, describe

VOCABULARY = Vocabulary.of(
    types={"lamp": "object"},
    predicates={"power": [], "on": ["lamp"]},
    actions={"connect": [], "disconnect": [], "light": ["lamp"], "douse": ["lamp"]},
)
POWER = Atom("power")
LAMPS = (Object("desk", "lamp"), Object("hall", "lamp"))


class Lamps:
    """A sound agent, in parts that the unsound ones below replace."""

    vocabulary = VOCABULARY
    objects = LAMPS
    new_objects = True

    def states(self, count, universe):
        return [universe.state([]), universe.state([POWER, Atom("on", ("hall",))])]

    def after(self, state: State, step: Step) -> State | None:
        lamp = Atom("on", step.args)
        match step.action:
            case "connect":
                return None if POWER in state else state.change([POWER])
            case "disconnect":
                return state.change((), [POWER]) if POWER in state else None
            case "light":
                return state.change([lamp]) if POWER in state and lamp not in state else None
            case _:
                return state.change((), [lamp]) if lamp in state else None

    def ask(self, query):
        state = query.state
        for number, step in enumerate(query.plan):
            after = self.after(state, step)
            if after is None:
                return PlanResponse(number, state)
            state = after
        return PlanResponse(len(query.plan), state)


class Fixed(Lamps):
    new_objects = False


class Resettable(Fixed):
    start = Start.RESET


class Restorable(Fixed):
    start = "visited"


class Dice(Lamps):
    def __init__(self):
        self.rng = random.Random(1)

    def after(self, state, step):
        return None if self.rng.random() < 0.3 else super().after(state, step)


class Tiring(Lamps):
    """Worse with every question, too slowly to be seen in two in a row."""

    def __init__(self):
        self.asked = 0

    def ask(self, query):
        self.asked += 1
        return super().ask(query) if self.asked < 60 else PlanResponse(0, query.state)


class Remembering(Lamps):
    """Goes on from where the last question ended."""

    state = None

    def ask(self, query):
        answer = super().ask(PlanQuery(self.state or query.state, query.plan))
        self.state = answer.state
        return answer


class Cautious(Lamps):
    """Stops one step early."""

    def ask(self, query):
        return super().ask(PlanQuery(query.state, query.plan[:-1] if len(query.plan) > 1 else query.plan))


class Skipping(Lamps):
    """Leaves a refused step out and counts those that ran."""

    def ask(self, query):
        state, steps = query.state, 0
        for step in query.plan:
            if (after := self.after(state, step)) is not None:
                state, steps = after, steps + 1
        return PlanResponse(steps, state)


class Clumsy(Lamps):
    """A refused step turns the power off."""

    def ask(self, query):
        answer = super().ask(query)
        if answer.steps < len(query.plan):
            return PlanResponse(answer.steps, answer.state.change((), [POWER]))
        return answer


class Restless(Lamps):
    """Does something even when nothing is asked."""

    def ask(self, query):
        answer = super().ask(query)
        return answer if query.plan else PlanResponse(0, answer.state.change((), [POWER]))


class Changes(Lamps):
    """Reports what changed in place of what holds."""

    def ask(self, query):
        answer = super().ask(query)
        state = State(answer.state.universe, answer.state.bits & ~query.state.bits)
        return PlanResponse(answer.steps, state)


class Battery(Lamps):
    """Runs two steps of any plan and no more: something its states do not show."""

    def ask(self, query):
        return super().ask(PlanQuery(query.state, query.plan[:2]))


class Warmed(Lamps):
    """Lighting leaves a lamp off at first; the lamp goes on a step later."""

    def ask(self, query):
        answer = super().ask(query)
        if query.plan and answer.steps == len(query.plan) and query.plan[-1].action == "light":
            return PlanResponse(answer.steps, answer.state.change((), [Atom("on", query.plan[-1].args)]))
        return answer


class Dazzled(Lamps):
    """Reports that nothing holds wherever the lamp in the hall is on without power."""

    def ask(self, query):
        answer = super().ask(query)
        dazzled = Atom("on", ("hall",)) in answer.state and POWER not in answer.state
        return PlanResponse(answer.steps, answer.state.universe.state([])) if dazzled else answer


class Hopeful(Lamps):
    """Counts the refused step as run."""

    def ask(self, query):
        answer = super().ask(query)
        return PlanResponse(min(answer.steps + 1, len(query.plan)), answer.state)


class Narrow(Lamps):
    """Says that it takes new objects, and does not."""

    def after(self, state, step):
        if step.args and step.args[0] not in ("desk", "hall"):
            raise KeyError(step.args[0])
        return super().after(state, step)


class Strict(Lamps):
    """Calls every question with new objects invalid."""

    def ask(self, query):
        return Invalid("who is that?") if query.new_objects else super().ask(query)


class Doubtful(Lamps):
    """Calls a state invalid that it offers."""

    def ask(self, query):
        return Invalid() if query.state == self.states(2, query.state.universe)[1] else super().ask(query)


class Forger(Lamps):
    def ask(self, query):
        answer = super().ask(query)
        object.__setattr__(query.state, "bits", 0)
        return answer


class Shortener(Lamps):
    def ask(self, query):
        answer = super().ask(query)
        object.__setattr__(query, "plan", query.plan[1:])
        return answer


class Host(Lamps):
    def ask(self, query):
        query.state.universe.add(Object("moon", "lamp"))
        return super().ask(query)


class Liar(Lamps):
    def ask(self, query):
        return PlanResponse(len(query.plan) + 1, query.state)


class Hanging(Lamps):
    def ask(self, query):
        if query.plan:
            time.sleep(2)
        return super().ask(query)


class Wordless(Lamps):
    vocabulary = Vocabulary.of(types=["lamp"], predicates={}, actions={})

    def states(self, count, universe):
        return []


class Homeless(Resettable):
    states = None


class Empty(Fixed):
    objects = ()
    vocabulary = Vocabulary.of(types=["lamp"], predicates={"on": ["lamp"]}, actions={"light": ["lamp"]})
    states = None


class BadOffer(Lamps):
    def states(self, count, universe):
        return [universe.state([Atom("fire")])]


class BadObjects(Lamps):
    objects = (Object("cat", "animal"),)


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
        actions.append(ActionModel.deterministic(header, draw(signed), frozenset(effects.values())))
    objects = (Object("a1", "a"), Object("b1", "b"), Object("b2", "b"))[: draw(st.integers(0, 3))]
    initial = (frozenset({Atom("p")}),) if draw(st.booleans()) else ()
    return ModelAgent(Model(vocabulary, tuple(actions)), objects, initial)


@given(models(), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_no_model_is_complained_about(agent, seed):
    assert check_agent(agent, seed=seed, questions=20, timeout=None) == []


def query(state: str, plan: str) -> PlanQuery:
    universe = Universe(VOCABULARY, LAMPS)
    return PlanQuery(
        universe.state(map(Atom.parse, state.split(", "))), tuple(map(Step.parse, plan.split(", ")))
    )


def test_describe():
    asked = query("power, on desk", "douse desk, connect")
    assert describe(asked) == "from (on desk) (power) run (douse desk) (connect)"
    answer = PlanResponse(1, query("power", "connect").state)
    assert describe(asked, answer).endswith("(connect): 1 of 2 steps, then (power)")
    assert describe(asked, Invalid("fuse")).endswith("(connect): invalid (fuse)")
    asked.state.universe.add(Object("porch", "lamp"))
    with_guest = PlanQuery(asked.state, (Step("light", ("porch",)),))
    assert "with new lamp porch run (light porch)" in describe(with_guest)


def test_script_in_order():
    asked = query("power", "light desk, connect")
    script = [(1, ["power", "on desk"]), Invalid("fuse"), ValueError("boom"), "nonsense"]
    agent = ScriptedAgent(VOCABULARY, script, objects=LAMPS)
    assert agent.ask(asked) == PlanResponse(1, query("power, on desk", "connect").state)
    assert agent.ask(asked) == Invalid("fuse")
    with pytest.raises(ValueError, match="boom"):
        agent.ask(asked)
    assert agent.ask(asked) == "nonsense"
    with pytest.raises(InputError, match="only 4 answer"):
        agent.ask(asked)
    assert agent.asked == [asked] * 5


def test_script_by_question():
    known, unknown = query("power", "light desk"), query("power", "light hall")
    agent = ScriptedAgent(VOCABULARY, {known: (1, ["power", "on desk"])}, objects=LAMPS)
    assert agent.ask(query("power", "light desk")).steps == 1
    with pytest.raises(AgentError, match=r"no answer to: from \(power\) run \(light hall\)"):
        Guard(agent).ask(unknown)


def test_script_declares():
    agent = ScriptedAgent(
        VOCABULARY, itertools.repeat(Invalid()), objects=LAMPS, start="reset", states=[["power"], ["on desk"]]
    )
    universe = Universe(VOCABULARY, LAMPS)
    assert agent.states(1, universe) == [universe.state([POWER])]
    complaints = check_agent(agent)
    assert {c.rule for c in complaints} == {"own states"}
