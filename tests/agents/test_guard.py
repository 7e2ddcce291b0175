"""The guard: whatever the agent does, an answer that makes sense or an AgentError naming the question."""

from __future__ import annotations

import itertools
import sys
import threading
import time

import pytest

from assay.agents.guard import Guard
from assay.core.query import Invalid, PlanQuery, PlanResponse, Profile, Start
from assay.core.symbols import Atom, Object
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import AgentError, AgentTimeout, InputError


class Odd:
    """An agent whose parts are given by the test."""

    def __init__(self, lamps, ask=None, **parts):
        self.vocabulary, self.objects = lamps.vocabulary, lamps.objects
        self.ask = ask or lamps.ask
        for name, part in parts.items():
            setattr(self, name, part)


class Unshowable:
    def __repr__(self):
        raise RuntimeError


def other_universe(query, *atoms: Atom, objects=()):
    universe = query.state.universe
    other = Universe(universe.vocabulary, (*universe.objects, *objects))
    other.index(Atom("on", ("hall",)))
    return other.state(atoms)


def test_passes_through(lamps, universe, question):
    guard = Guard(lamps)
    assert Profile.of(guard) == Profile.of(lamps)
    assert guard.states(7, universe) == tuple(lamps.states(7, universe))
    query = question("", "connect, light desk")
    assert guard.ask(query) == lamps.ask(query)


@pytest.mark.parametrize("timeout", [None, 10])
def test_counts(lamps, question, timeout):
    guard = Guard(lamps, timeout)
    guard.ask(question("", "connect, light desk"))
    assert (guard.questions, guard.steps) == (1, 2)
    guard.ask(question("", "connect, connect, connect"))
    assert (guard.questions, guard.steps) == (2, 4)
    guard.ask(question("", ""))
    assert (guard.questions, guard.steps) == (3, 4)
    assert 0 < guard.seconds < 5
    refused = Guard(Odd(lamps, lambda query: Invalid()), timeout)
    refused.ask(question("", "connect"))
    assert (refused.questions, refused.steps) == (1, 0)


@pytest.mark.parametrize("timeout", [None, 10])
@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda q: {}["x"], "the agent raised KeyError: 'x'"),
        (lambda q: sys.exit("bye"), "the agent raised SystemExit: bye"),
        (lambda q: Atom.parse(""), "the agent raised InputError: atom ''"),
        (lambda q: None, "neither a PlanResponse nor Invalid, but NoneType None"),
        (lambda q: (1, q.state), "but tuple (1, State("),
        (lambda q: Unshowable(), "but Unshowable that cannot be shown"),
        (lambda q: Invalid(5), "the reason of Invalid is 5"),
        (lambda q: PlanResponse(True, q.state), "the number of steps is bool True, not an int"),
        (lambda q: PlanResponse(1.0, q.state), "the number of steps is float 1.0, not an int"),
        (lambda q: PlanResponse(None, q.state), "NoneType None, not an int"),
        (lambda q: PlanResponse(-1, q.state), "-1 steps ran, of a plan of 1"),
        (lambda q: PlanResponse(2, q.state), "2 steps ran, of a plan of 1"),
        (lambda q: PlanResponse(0, {"power"}), "not a State, but set {'power'}"),
        (lambda q: PlanResponse(0, State(q.state.universe, -1)), "stand for no atoms"),
        (lambda q: PlanResponse(0, State(q.state.universe, 1 << 99)), "stand for no atoms"),
        (lambda q: PlanResponse(0, State(q.state.universe, None)), "stand for no atoms"),
        (lambda q: PlanResponse(0, State(None, 5)), "stand for no atoms"),
        (
            lambda q: PlanResponse(
                0, other_universe(q, Atom("on", ("moon",)), objects=[Object("moon", "lamp")])
            ),
            "(on moon): unknown object 'moon'",
        ),
        (
            lambda q: PlanResponse(
                0, Universe(Vocabulary.of(predicates={"fire": []}, actions={})).state([Atom("fire")])
            ),
            "unknown predicate 'fire' in (fire)",
        ),
    ],
)
def test_misbehaviour_is_named(lamps, question, ask, words, timeout):
    answers = itertools.chain([lamps.ask] * 2, itertools.repeat(ask))
    guard = Guard(Odd(lamps, lambda query: next(answers)(query)), timeout)
    guard.ask(question())
    guard.ask(question())
    with pytest.raises(AgentError) as caught:
        guard.ask(question("", "connect"))
    assert str(caught.value).startswith("question 3: ")
    assert words in str(caught.value)
    assert guard.questions == 3
    with pytest.raises(AgentError, match="question 4: "):
        guard.ask(question("", "connect"))


def test_states_of_another_universe_are_taken_over(lamps, question, universe):
    guard = Guard(Odd(lamps, lambda query: PlanResponse(0, other_universe(query, Atom("power")))))
    answer = guard.ask(question("", "connect"))
    assert answer.state.universe is universe
    assert answer.state == question("power").state


def test_objects_of_another_question(lamps, question, universe):
    for name in ("porch", "cellar"):
        universe.add(Object(name, "lamp"))
    mentioned = universe.state([Atom("on", ("porch",))])
    guard = Guard(Odd(lamps, lambda query: PlanResponse(0, mentioned)))
    guard.ask(question("", "light porch"))
    guard.ask(question("on porch"))
    with pytest.raises(AgentError, match=r"\(on porch\): object 'porch' is not in the question"):
        guard.ask(question("on cellar", "light cellar"))


def test_hanging(lamps, question):
    release = threading.Event()

    def ask(query):
        if query.plan:
            release.wait(20)
        return PlanResponse(0, query.state)

    guard = Guard(Odd(lamps, ask), 0.2)
    guard.ask(question())
    began = time.monotonic()
    with pytest.raises(AgentTimeout, match=r"question 2: the agent gave no answer within 0\.2 s"):
        guard.ask(question("", "connect"))
    assert time.monotonic() - began < 2
    release.set()
    with pytest.raises(
        AgentError, match="question 3 was not asked: the agent never came back from question 2"
    ):
        guard.ask(question())
    assert guard.questions == 2


@pytest.mark.parametrize(
    ("states", "words"),
    [
        (lambda n, u: 1 / 0, "states it knows: the agent raised ZeroDivisionError"),
        (lambda n, u: 5, "TypeError"),
        (lambda n: [], "TypeError"),
        (
            lambda n, u: [u.state([]), ["power"]],
            "state 2 that the agent offers: the state is not a State, but list",
        ),
        (lambda n, u: [u.state([Atom("fire")])], "unknown predicate 'fire'"),
        (lambda n, u: [State(u, 1 << 70)], "state 1 that the agent offers: the state's bits"),
    ],
)
def test_offered_states_that_cannot_be_used(lamps, universe, states, words):
    with pytest.raises(AgentError) as caught:
        Guard(Odd(lamps, states=states), 5).states(10, universe)
    assert words in str(caught.value)


def test_a_guard_around_a_guard_says_once_what_was_asked(lamps, universe, question):
    guard = Guard(Guard(Odd(lamps, lambda query: 1 / 0, states=lambda n, u: 1 / 0)))
    with pytest.raises(AgentError) as states:
        guard.states(3, universe)
    with pytest.raises(AgentError) as asked:
        guard.ask(question("", "connect"))
    raised = "the agent raised ZeroDivisionError: division by zero"
    assert str(states.value) == f"asked for the states it knows: {raised}"
    assert str(asked.value) == f"question 1: {raised}"


def test_offered_states(lamps, universe):
    assert Guard(Odd(lamps)).states(5, universe) == ()
    endless = Odd(lamps, states=lambda n, u: (u.state([]) for _ in itertools.count()))
    assert Guard(endless).states(3, universe) == (universe.state([]),) * 3
    other = Universe(lamps.vocabulary, lamps.objects)
    (taken,) = Guard(Odd(lamps, states=lambda n, u: [other.state([Atom("power")])])).states(3, universe)
    assert taken.universe is universe


def test_offering_states_can_hang_too(lamps, universe, question, monkeypatch):
    monkeypatch.setattr("assay.agents.guard.HELLO_SECONDS", 0.1)
    guard = Guard(Odd(lamps, states=lambda n, u: time.sleep(1)), 0.1)
    with pytest.raises(AgentTimeout, match="states it knows: the agent gave no answer"):
        guard.states(3, universe)
    with pytest.raises(
        AgentError, match="not asked: the agent never came back from being asked for the states"
    ):
        guard.ask(question())


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"vocabulary": {"predicates": {}}}, "no `vocabulary` that is a Vocabulary"),
        ({"ask": 5}, "no method `ask`"),
        ({"objects": ["desk"]}, "'desk', which is not an Object"),
        ({"objects": 7}, "cannot be used"),
        ({"objects": [Object("x", "lorry")]}, "unknown type 'lorry'"),
        ({"objects": [Object("x", "lamp"), Object("x", "object")]}, "of type 'lamp' and of type 'object'"),
        ({"objects": [Object("not", "lamp")]}, "object name 'not' is a word of PDDL"),
        ({"start": "sometimes"}, "'sometimes' is not a valid Start"),
    ],
)
def test_declarations_that_cannot_be_used(lamps, parts, words):
    with pytest.raises(AgentError) as caught:
        Guard(Odd(lamps, **parts))
    assert words in str(caught.value)


def test_no_agent_at_all():
    with pytest.raises(AgentError, match="vocabulary"):
        Guard(object())


@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_time_limits_that_are_none(lamps, timeout):
    with pytest.raises(InputError, match="time limit"):
        Guard(lamps, timeout)


def test_guard_in_a_guard_names_the_question_once(lamps, question):
    guard = Guard(Guard(Odd(lamps, lambda query: 1 / 0), 5), 5)
    with pytest.raises(AgentError, match=r"^question 1: the agent raised ZeroDivisionError"):
        guard.ask(question())


def test_declared_start_is_kept(lamps):
    assert Guard(Odd(lamps, start="reset")).start is Start.RESET
    assert Guard(Odd(lamps)).new_objects is False


def test_closes_the_agent_and_ends_its_thread(lamps, question):
    closed = []
    others = set(threading.enumerate())
    with Guard(Odd(lamps, close=lambda: closed.append(1)), 5) as guard:
        guard.ask(question())
        (thread,) = set(threading.enumerate()) - others
    assert closed == [1]
    thread.join(5)
    assert not thread.is_alive()


def test_query_reaches_the_agent_as_it_is(lamps, question):
    seen: list[PlanQuery] = []
    guard = Guard(Odd(lamps, lambda query: seen.append(query) or Invalid()))
    query = question("power", "disconnect")
    guard.ask(query)
    assert seen[0] is query


@pytest.mark.parametrize("timeout", [None, 10])
def test_pictures_pass_through(lamps, universe, timeout):
    state = universe.state([])
    assert Guard(lamps, timeout).picture(state) is None
    guard = Guard(Odd(lamps, picture=lambda seen: b"PNG" if seen is state else None), timeout)
    assert guard.picture(state) == b"PNG"
    assert guard.picture(universe.state([Atom("power", ())])) is None
    assert guard.questions == 0


def test_pictures_that_go_wrong(lamps, universe, question):
    state = universe.state([])
    with pytest.raises(AgentError, match="asked for a picture: the agent raised ZeroDivisionError"):
        Guard(Odd(lamps, picture=lambda seen: 1 / 0)).picture(state)
    with pytest.raises(AgentError, match="the picture is str 'PNG', neither bytes nor None"):
        Guard(Odd(lamps, picture=lambda seen: "PNG")).picture(state)
    ready = threading.Event()
    guard = Guard(Odd(lamps, picture=lambda seen: ready.wait(30)), 0.05)
    with pytest.raises(AgentTimeout, match="asked for a picture: the agent gave no answer"):
        guard.picture(state)
    with pytest.raises(AgentError, match="no picture was asked for: the agent never came back"):
        guard.picture(state)
    with pytest.raises(AgentError, match="question 1 was not asked"):
        guard.ask(question())
    ready.set()


def test_repeats_are_those_of_the_agent(lamps):
    assert (Guard(lamps).repeats, Guard(lamps).counts_repeats) == (0, False)
    agent = Odd(lamps, repeats=3)
    guard = Guard(Guard(agent))
    assert (guard.repeats, guard.counts_repeats) == (3, True)
    agent.repeats = 5
    assert guard.repeats == 5
    assert not Guard(Guard(lamps)).counts_repeats
