"""Agents that tell the states between the steps of a plan: what is believed of it, and how it travels."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from assay.agents import wire
from assay.agents.guard import Guard
from assay.agents.http import HttpAgent, serve
from assay.agents.model import ModelAgent
from assay.core.query import Invalid, PlanQuery, PlanResponse, Profile
from assay.core.setting import Setting
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe
from assay.errors import AgentError
from assay.pddl.reader import read_domain
from assay.store.journal import Entry, Journal, read
from assay.store.traces import read_traces
from assay.testing import check_agent

DOMAIN = """(define (domain lamps) (:types lamp)
  (:predicates (power) (on ?l - lamp) (dim ?l - lamp))
  (:action switch :parameters () :effect (power))
  (:action light :parameters (?l - lamp) :precondition (and (power) (not (on ?l)))
    :effect (and (on ?l) (forall (?z - lamp) (when (not (= ?z ?l)) (dim ?z))))))"""
STEPS = tuple(map(Step.parse, ("switch", "light desk", "light desk")))


@pytest.fixture
def agent() -> ModelAgent:
    return ModelAgent(read_domain(DOMAIN), (Object("desk", "lamp"),), (frozenset(),))


def asked(agent: ModelAgent, *bystanders: str) -> PlanQuery:
    universe = Universe(agent.vocabulary, agent.objects)
    for name in bystanders:
        universe.add(Object(name, "lamp"))
    return PlanQuery(universe.state([]), STEPS, frozenset(bystanders))


def test_a_model_tells_them(agent: ModelAgent) -> None:
    answer = Guard(agent).ask(asked(agent))
    assert answer.steps == 2
    assert [s.texts() for s in answer.states] == [["power"], ["on desk", "power"]]
    assert answer.state == answer.states[-1]


class Telling:
    """An agent that answers every question with the same states between."""

    def __init__(self, inner: ModelAgent, edit, declares: bool = True) -> None:
        self.vocabulary, self.objects = inner.vocabulary, inner.objects
        self.tells_states = declares
        self._inner, self._edit = inner, edit

    def ask(self, query: PlanQuery) -> PlanResponse:
        answer = self._inner.ask(query)
        return replace(answer, states=self._edit(answer.states))


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda s: s[:1], "tells 1 state after 2 steps"),
        (lambda s: (*s, s[-1]), "tells 3 states after 2 steps"),
        (lambda s: (s[1], s[0]), "the last of the states that the agent tells is not the state it ends in"),
        (lambda s: (None, s[1]), "after step 1: the state is not a State, but NoneType None"),
        (lambda s: (State(s[0].universe, 1 << 99), s[1]), "after step 1: the state's bits stand for"),
        (lambda s: (s[0].change([Atom("on", ("ghost",))]), s[1]), "'ghost' is not in the question"),
    ],
)
def test_states_that_make_no_sense_are_refused(agent: ModelAgent, edit, message: str) -> None:
    query = asked(agent)
    query.state.universe.add(Object("ghost", "lamp"))
    with pytest.raises(AgentError, match=message):
        Guard(Telling(agent, edit)).ask(query)


def test_they_count_only_if_the_agent_declares_that_it_tells_them(agent: ModelAgent) -> None:
    answer = Guard(Telling(agent, lambda s: s[:1], declares=False)).ask(asked(agent))
    assert (answer.steps, answer.states) == (2, None)


def test_an_agent_may_leave_them_out(agent: ModelAgent) -> None:
    answer = Guard(Telling(agent, lambda s: None)).ask(asked(agent))
    assert (answer.steps, answer.states) == (2, None)


def test_they_come_into_the_universe_of_the_question(agent: ModelAgent) -> None:
    def elsewhere(states):
        other = Universe(agent.vocabulary, agent.objects)
        return tuple(other.state(list(s)) for s in states)

    query = asked(agent)
    answer = Guard(Telling(agent, elsewhere)).ask(query)
    assert all(s.universe is query.state.universe for s in answer.states)


def test_bystanders_are_there_for_quantifiers_and_may_be_spoken_of(agent: ModelAgent) -> None:
    answer = Guard(agent).ask(asked(agent, "porch"))
    assert answer.state.texts() == ["dim porch", "on desk", "power"]
    assert Guard(agent).ask(asked(agent)).state.texts() == ["on desk", "power"]


# ---- on the wire


def test_question_and_answer_return(agent: ModelAgent) -> None:
    query = asked(agent, "porch", "hall")
    sent = wire.encode_query(query)
    assert json.loads(sent)["objects"] == {"hall": "lamp", "porch": "lamp"}
    assert wire.decode_query(sent, Profile.of(agent)) == query
    answer = agent.ask(query)
    data = wire.encode_response(answer, query)
    assert json.loads(data)["changes"] == [
        {"added": ["power"], "removed": []},
        {"added": ["dim hall", "dim porch", "on desk"], "removed": []},
    ]
    assert wire.read_answer(wire.decode_answer(data), query) == answer


def test_the_hello_says_so(agent: ModelAgent) -> None:
    hello = wire.encode_hello(Profile.of(agent))
    assert json.loads(hello)["tells_states"] is True
    assert wire.decode_hello(hello).profile.tells_states


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"invalid": "", "changes": []}', "neither"),
        (b'{"steps": 1, "state": [], "changes": [{"added": []}]}', 'holds an object without "removed"'),
        (
            b'{"steps": 1, "state": [], "changes": [{"added": [], "removed": [], "by": 1}]}',
            '"changes" holds an object with a member "by"',
        ),
        (b'{"steps": 1, "state": [], "changes": [{"added": ["on moon"], "removed": []}]}', "unknown object"),
    ],
)
def test_answers_that_cannot_be_used(agent: ModelAgent, data: bytes, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        wire.read_answer(wire.decode_answer(data), asked(agent))


def test_over_http(agent: ModelAgent) -> None:
    with serve(agent) as server, HttpAgent(server.url, timeout=10) as remote, Guard(remote) as guard:
        for bystanders in ((), ("porch",)):
            query = asked(agent, *bystanders)
            assert guard.ask(query) == agent.ask(query)


# ---- in the journal


def test_the_journal_has_what_every_step_changed(agent: ModelAgent, tmp_path) -> None:
    path = tmp_path / "journal.jsonl"
    journal = Journal.create(path, Setting.of(agent))
    questions = [asked(agent, "porch", "hall"), asked(agent), asked(agent, "porch")]
    for number, query in enumerate(questions, start=1):
        journal.append(Entry(number, query, agent.ask(query)))
    silent = replace(agent.ask(questions[1]), states=None)
    journal.append(Entry(4, questions[1], silent))
    journal.append(Entry(5, questions[0], Invalid("no")))
    journal.close()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines[1]["objects"] == {"hall": "lamp", "porch": "lamp"}
    assert [len(line.get("changes", ())) for line in lines[1:]] == [2, 2, 2, 0, 0]
    assert ("added" in lines[1], "added" in lines[4]) == (False, True)
    for apart in (False, True):
        entries = read(path, apart).entries
        assert [e.query.bystanders for e in entries[:3]] == [q.bystanders for q in questions]
        assert [e.query.objects for e in entries[:3]] == [q.objects for q in questions]
        assert [e.response for e in entries[:3]] == [agent.ask(q) for q in questions]
        assert entries[3].response == silent
    own = [e.query.state.universe for e in read(path, apart=True).entries]
    assert [len(u.objects) for u in own] == [3, 1, 2, 1, 3]


def test_a_journal_whose_changes_do_not_fit_is_refused(agent: ModelAgent, tmp_path) -> None:
    query = asked(agent)
    lines = [{"state": [], "plan": ["switch"], "steps": 1, "changes": []}]
    (tmp_path / "log").write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(Exception, match="1 step and 0 changes"):
        read_traces(tmp_path / "log", query.state.universe)


def test_logs_may_tell_them_too(agent: ModelAgent, tmp_path) -> None:
    changes = [{"added": ["power"], "removed": []}, {"added": ["on desk"], "removed": []}]
    line = {"state": [], "plan": ["switch", "light desk"], "steps": 2, "changes": changes}
    (tmp_path / "log").write_text(json.dumps(line))
    (entry,) = read_traces(tmp_path / "log", asked(agent).state.universe)
    assert entry["changes"] == changes


# ---- as `check` sees it


def test_check_leaves_a_quantifier_its_objects() -> None:
    """A plan's consequences hang on objects that only later steps mention: its parts have them, too."""
    domain = DOMAIN.replace(
        ":action switch :parameters () :effect (power)",
        ":action switch :parameters () :effect (and (power) (forall (?l - lamp) (dim ?l)))",
    )
    for seed in range(5):
        assert check_agent(ModelAgent(read_domain(domain)), seed=seed) == []


def test_check_finds_nothing_wrong_with_a_model(agent: ModelAgent) -> None:
    assert check_agent(agent) == []


def test_check_notices_states_that_shorter_plans_do_not_confirm(agent: ModelAgent) -> None:
    def first_as_last(states):
        return tuple(states[-1] for _ in states)

    complaints = check_agent(Telling(agent, first_as_last))
    assert {c.rule for c in complaints} == {"states between"}
    assert "after step 1 is not the one it reports if the plan ends there" in str(complaints[0])


def test_check_notices_that_they_are_not_told(agent: ModelAgent) -> None:
    complaints = check_agent(Telling(agent, lambda s: None))
    assert "declares that it tells the states between steps, and does not" in str(complaints[0])
