"""Questions that leave the plan to the agent, from the wire to the certificate."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assay import assess, resume
from assay.agents import wire
from assay.agents.guard import Guard
from assay.agents.http import HttpAgent, serve
from assay.agents.model import ModelAgent
from assay.agents.process import ProcessAgent
from assay.core.query import Invalid, PlanResponse, Profile, Start, WalkQuery, WalkResponse
from assay.core.symbols import Atom, Step
from assay.core.universe import Universe
from assay.errors import AgentError, InputError, JournalError
from assay.pddl.reader import read_domain, read_problem
from assay.proof.recount.folder import verify_folder
from assay.proof.replay import replay
from assay.store.chain import Chain
from assay.store.journal import read
from assay.testing import check_agent

STROLLER = Path(__file__).parents[1] / "examples" / "protocol" / "strolling_lamps.py"
YARD = """(define (domain yard) (:requirements :strips :typing :negative-preconditions)
 (:types dog bone)
 (:predicates (has ?d - dog ?b - bone) (lies ?b - bone) (asleep ?d - dog) (wet ?d - dog) (gnawed ?b - bone))
 (:action take :parameters (?d - dog ?b - bone)
  :precondition (and (lies ?b) (not (asleep ?d)) (not (wet ?d)) (not (gnawed ?b)))
  :effect (and (has ?d ?b) (not (lies ?b))))
 (:action drop :parameters (?d - dog ?b - bone) :precondition (has ?d ?b)
  :effect (and (lies ?b) (not (has ?d ?b)))))"""
DOGS = """(define (problem dogs) (:domain yard) (:objects rex tim - dog old new - bone)
 (:init (lies old) (lies new) (asleep tim)) (:goal (has rex old)))"""


def yard() -> ModelAgent:
    model = read_domain(YARD)
    problem = read_problem(DOGS, model.vocabulary)
    return ModelAgent(model, problem.objects, (problem.initial,))


@pytest.fixture
def universe() -> Universe:
    agent = yard()
    return Universe(agent.vocabulary, agent.objects)


@pytest.fixture
def start(universe):
    return next(iter(yard().states(1, universe)))


def test_messages_return(universe, start):
    profile, query = Profile.of(yard()), WalkQuery(start, 7)
    assert wire.decode_hello(wire.encode_hello(profile)).profile == profile
    assert wire.decode_query(wire.encode_query(query), profile) == query
    answer = yard().walk(query)
    assert 0 < len(answer.plan) == len(answer.states) <= 7
    assert wire.read_walk(wire.decode_answer(wire.encode_response(answer, query)), query) == answer
    no = Invalid("asleep")
    assert wire.read_walk(wire.decode_answer(wire.encode_response(no, query)), query) == no


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b'{"plan": ["drop rex old"]}', 'nor "plan" and "states"'),
        (b'{"plan": [], "states": [], "steps": 0, "state": []}', "more than one"),
        (b'{"steps": 0, "state": []}', "asked for a walk"),
        (b'{"plan": ["drop rex old"], "states": [["has"]]}', "takes 2 argument(s)"),
        (b'{"error": "on strike"}', "on strike"),
    ],
)
def test_answers_that_cannot_be_used(start, data, word):
    with pytest.raises(AgentError) as caught:
        wire.read_walk(wire.decode_answer(data), WalkQuery(start, 7))
    assert word in str(caught.value)


@pytest.mark.parametrize(
    "data", [b'{"state": [], "walk": 3}', b'{"state": []}', b'{"state": [], "plan": [], "walk": 3}']
)
def test_questions_that_cannot_be_used(data):
    agent = yard()
    agent.walks = False
    with pytest.raises(InputError, match="walk"):
        wire.decode_query(data, Profile.of(agent))


@pytest.mark.parametrize(
    ("plan", "count", "word"),
    [
        (["drop rex old"] * 9, 9, "at most 7"),
        (["drop rex old"], 2, "1 step and 2 states"),
        (["fly rex"], 1, "step 1 of the walk: unknown action 'fly'"),
    ],
)
def test_a_guard_lets_no_other_walk_pass(start, plan, count, word):
    agent = yard()
    agent.walk = lambda query: WalkResponse(tuple(map(Step.parse, plan)), (query.state,) * count)  # type: ignore[method-assign]
    with pytest.raises(AgentError, match=word):
        Guard(agent).walk(WalkQuery(start, 7))


def test_a_served_agent_walks_as_it_does_itself():
    with serve(yard()) as server, HttpAgent(server.url) as agent:
        far, near = assess(agent), assess(yard())
    assert any(entry.walk for entry in near.entries)
    assert [e.asked for e in far.entries] == [e.asked for e in near.entries]
    assert far.to_pddl() == near.to_pddl()


def test_a_program_that_walks_is_understood_and_keeps_the_rules():
    with ProcessAgent([sys.executable, str(STROLLER)], timeout=10) as agent:
        assert check_agent(agent) == []
        result = assess(agent)
    assert result.complete
    assert any(entry.walk for entry in result.entries)


def test_the_check_names_a_walk_that_is_never_asked_for():
    idle, bound = yard(), yard()
    idle.states = lambda count, universe: ()  # type: ignore[method-assign]
    bound.start = Start.VISITED
    for agent in (idle, bound):
        (complaint,) = check_agent(agent)
        assert "it says that it walks, but is never asked to" in str(complaint)


def test_the_page_shows_the_program():
    page = (STROLLER.parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    assert STROLLER.name in page


class Fibber(ModelAgent):
    """Walks as another would."""

    def walk(self, query: WalkQuery, /) -> WalkResponse:
        answer = super().walk(query)
        wet = tuple(state.change([Atom("wet", ("rex",))]) for state in answer.states)
        return WalkResponse(answer.plan, wet)


def test_the_check_names_a_walk_that_is_not_true():
    agent = yard()
    agent.__class__ = Fibber
    (complaint,) = check_agent(agent)
    assert complaint.rule == "walk"
    assert "left to itself" in complaint.sentence


class Braggart(ModelAgent):
    """Says of its walk that it began with a step that it would refuse: tim is asleep."""

    def walk(self, query: WalkQuery, /) -> WalkResponse:
        taken = query.state.change([Atom("has", ("tim", "old"))], [Atom("lies", ("old",))])
        answer = super().walk(WalkQuery(taken, query.steps - 1))
        return WalkResponse((Step("take", ("tim", "old")), *answer.plan), (taken, *answer.states))


class Bashful(ModelAgent):
    """Does nothing any more after a while; its walk was true."""

    asked = 0

    def ask(self, query, /):
        self.asked += 1
        return PlanResponse(0, query.state) if self.asked > 6 else super().ask(query)


@pytest.fixture
def folder(tmp_path):
    assert assess(yard(), out=tmp_path / "r").complete
    return tmp_path / "r"


def test_a_folder_with_a_walk_is_proved_counted_and_told(folder):
    assert verify_folder(folder).holds
    entries = read(folder / "journal.jsonl").entries
    (walk,) = [entry for entry in entries if entry.walk]
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["questions"] == len(entries)
    assert summary["steps"] >= len(walk.query.plan)
    assert replay(yard(), entries) == ()


def rewritten(folder: Path, edit) -> None:
    """The journal with its walk edited, and every hash made to fit."""
    path = folder / "journal.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.unlink()
    chain = Chain.create(path)
    for line in lines:
        del line["hash"]
        if "walk" in line and "plan" in line:
            edit(line)
        chain.append(line)
    chain.close()


def forget_a_change(line) -> None:
    next(c for c in line["changes"] if c["removed"])["removed"] = []


def lose_a_change(line) -> None:
    line["changes"].pop()


def shorten_the_walk(line) -> None:
    line["walk"] = 1


def test_an_edited_walk_is_caught(folder):
    rewritten(folder, forget_a_change)
    verdict = verify_folder(folder)
    assert not verdict.holds
    assert any("hashes differ" in problem for problem in verdict.problems)


@pytest.mark.parametrize("edit", [lose_a_change, shorten_the_walk])
def test_a_walk_that_is_none_is_refused(folder, edit):
    rewritten(folder, edit)
    with pytest.raises(JournalError):
        read(folder / "journal.jsonl")


def test_a_run_goes_on_after_its_walk_without_asking_for_it_again(folder):
    path = folder / "journal.jsonl"
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines[1:], start=1) if b'"walk":' in line)
    path.write_bytes(b"".join(lines[: number + 1]))
    agent = yard()
    agent.walk = lambda query: pytest.fail("it was asked again")  # type: ignore[method-assign]
    assert resume(folder, agent).complete
    assert path.read_bytes() == whole


def test_the_journal_of_such_a_run_can_be_given_as_a_log(folder):
    agent = yard()
    agent.walks = False
    result = assess(agent, traces=folder / "journal.jsonl")
    assert result.complete
    assert result.complete


def test_from_the_command_line(tmp_path):
    (tmp_path / "yard.pddl").write_text(YARD)
    (tmp_path / "dogs.pddl").write_text(DOGS)
    command = [sys.executable, "-m", "assay"]
    run = [*command, "run", "pddl:yard.pddl,dogs.pddl", "--out", "r", "--quiet", "--json"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout)["complete"]
    again = [*command, "verify", "r", "--replay", "pddl:yard.pddl,dogs.pddl"]
    subprocess.run(again, cwd=tmp_path, capture_output=True, timeout=60, check=True)
