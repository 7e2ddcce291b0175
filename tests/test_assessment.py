"""The loop: logs before the first question, agents led back where they were, what is said of acting."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from assay.old_result import Outcome
from assay.proof.folder import verify_folder
from assay.report.findings import read_findings

from assay import SimulatorAgent, assess, predicate, resume
from assay.agents.model import ModelAgent
from assay.bench.confined import ConfinedAgent
from assay.bench.problems import load
from assay.core.query import Invalid, PlanQuery, Start
from assay.core.symbols import Atom, Step
from assay.core.universe import Universe
from assay.errors import InputError, JournalError
from assay.pddl.reader import read_domain, read_problem
from assay.store.journal import read

MODEL, PROBLEM = load("gripper", 1, 0)


def gripper(start=Start.ANY):
    if start is Start.ANY:
        return ModelAgent(MODEL, PROBLEM.objects, (PROBLEM.initial,))
    return ConfinedAgent(MODEL, PROBLEM, start)


def journal(folder):
    return (folder / "journal.jsonl").read_bytes()


def summary(folder):
    return json.loads((folder / "summary.json").read_text())


def runs(model, problem, *plans):
    """Each plan as a logged run from the initial state; what is refused ends it."""
    universe = Universe(model.vocabulary, problem.objects)
    initial, lines = universe.state(sorted(problem.initial)), []
    agent = ModelAgent(model, problem.objects, (problem.initial,))
    for plan in plans:
        steps = [Step.parse(text) for text in plan]
        states = [agent.ask(PlanQuery(initial, tuple(steps[:n]))).state for n in range(len(steps) + 1)]
        ran = agent.ask(PlanQuery(initial, tuple(steps))).steps
        line = {"states": [s.texts() for s in states[: ran + 1]], "actions": plan[:ran]}
        lines.append(line | ({"refused": plan[ran]} if ran < len(plan) else {}))
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture
def log(tmp_path):
    """A ball is carried over, and dropped where the robot no longer is."""
    plan = ["pick ball1 room1 left", "move room1 room2", "drop ball1 room1 left"]
    path = tmp_path / "log.jsonl"
    path.write_text(runs(MODEL, PROBLEM, plan))
    return path


# --- logs


@pytest.mark.parametrize("start", Start)
def test_logs_come_first_and_are_not_counted(tmp_path, log, start):
    out = tmp_path / "out"
    result = assess(gripper(start), traces=log, out=out)
    assert result.complete
    record = read(out / "journal.jsonl")
    assert [e.logged for e in record.entries] == [True] * 3 + [False] * result.questions
    assert record.setting.traces == 3
    lines = [json.loads(line) for line in journal(out).splitlines()]
    assert [line.get("source") for line in lines] == [None, "log", "log", "log"] + [None] * result.questions
    found = summary(out)
    assert (found["traces"], found["questions"]) == (3, result.questions)
    assert found["search"] + found["test"] == found["questions"]
    assert found["steps"] == sum(len(e.query.plan[: e.response.steps + 1]) for e in record.entries[3:])
    assert verify_folder(out).proved
    told = (out / "description.md").read_text()
    assert "Questions 1 to 3 were not asked: they come from logs of the agent." in told
    shown = read_findings(out)
    assert (shown.questions, shown.search, shown.steps) == (
        found["questions"],
        found["search"],
        found["steps"],
    )
    assert len(shown.curve) == result.questions + 1
    assert shown.complete
    assert "--traces" in shown.origin.command or "traces=" in shown.origin.command


def test_logs_save_questions(log):
    assert assess(gripper(Start.RESET), traces=log).questions < assess(gripper(Start.RESET)).questions


@pytest.mark.parametrize("start", Start)
def test_the_journal_of_an_earlier_run_leaves_nothing_to_ask(tmp_path, start):
    assess(gripper(start), out=tmp_path / "first")
    again = assess(gripper(start), traces=tmp_path / "first" / "journal.jsonl", out=tmp_path / "second")
    assert (again.outcome, again.questions) == (Outcome.COMPLETE, 0)
    assert again.model == assess(gripper(start)).model
    assert verify_folder(tmp_path / "second").proved


@pytest.mark.parametrize("start", Start)
def test_a_run_with_logs_resumes_from_its_journal_alone(tmp_path, log, start):
    assess(gripper(start), traces=log, out=tmp_path / "whole")
    assert assess(gripper(start), traces=log, out=tmp_path / "part", budget=4).outcome is Outcome.BUDGET
    assert summary(tmp_path / "part")["questions"] == 4
    log.unlink()
    resume(tmp_path / "part", gripper(start))
    for name in ("journal.jsonl", "model.pddl", "certificate.json", "description.md"):
        assert (tmp_path / "part" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_run_cut_off_among_its_logs_is_not_resumed(tmp_path, log):
    out = tmp_path / "out"
    assess(gripper(), traces=log, out=out, budget=0)
    (out / "journal.jsonl").write_bytes(b"".join(journal(out).splitlines(keepends=True)[:3]))
    with pytest.raises(JournalError, match="cut off while its 3 traces"):
        resume(out, gripper())


def test_logs_that_contradict_themselves_are_a_finding(tmp_path, log):
    line = json.loads(log.read_text())
    line["states"][1] = line["states"][0]
    with log.open("a") as more:
        more.write(json.dumps({"states": line["states"][:2], "actions": line["actions"][:1]}) + "\n")
    result = assess(gripper(), traces=log, out=tmp_path / "out")
    assert (result.outcome, result.questions) == (Outcome.CONTRADICTION, 0)
    assert result.contradiction().numbers == (1, 4)
    assert "Question 4 (from a log)" in result.explain_contradiction()
    assert summary(tmp_path / "out")["outcome"] == "contradiction"
    assert resume(tmp_path / "out", gripper()).outcome is Outcome.CONTRADICTION


def test_a_log_that_contradicts_the_agent_is_a_finding(tmp_path, log):
    """The log says that the hand is free after picking up."""
    line = json.loads(log.read_text())
    line = {"states": [line["states"][0], [*line["states"][1], "free left"]], "actions": line["actions"][:1]}
    log.write_text(json.dumps(line) + "\n")
    assert assess(gripper(Start.VISITED), traces=log).outcome is Outcome.CONTRADICTION


def test_what_a_log_mentions_must_exist(tmp_path, log):
    log.write_text(log.read_text().replace("ball1", "ball9"))
    with pytest.raises(InputError, match=r"log.jsonl, line 1: .*unknown object 'ball9'"):
        assess(gripper(), traces=log, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


TWO_ROOMS = """
(define (domain rooms) (:types room)
 (:predicates (at ?r - room) (wings) (lit))
 (:action light :parameters () :effect (lit))
 (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (lit))
  :effect (and (at ?b) (not (at ?a))))
 (:action fly :parameters (?a - room) :precondition (and (wings) (at ?a)) :effect (not (lit))))
"""
START = "(define (problem p) (:domain rooms) (:objects a b - room) (:init (at a)))"
WINGED = "(define (problem p) (:domain rooms) (:objects a b - room) (:init (at a) (wings) (lit)))"


def rooms(text=START):
    model = read_domain(TWO_ROOMS)
    return model, read_problem(text, model.vocabulary)


def test_a_logged_state_is_no_state_to_start_from(tmp_path):
    """The log flies; from where the agent can be put, it never will."""
    log = tmp_path / "log.jsonl"
    log.write_text(runs(*rooms(WINGED), ["fly a"]))
    out = tmp_path / "out"
    result = assess(ConfinedAgent(*rooms(), Start.VISITED), traces=log, out=out)
    own = [e for e in result.entries if not e.logged]
    assert own
    assert not any(isinstance(e.response, Invalid) for e in own)
    assert not any(Atom("wings", ()) in e.query.state for e in own)
    assert result.complete
    found = verify_folder(out)
    assert found.proved, found.sentences()  # with the log's states, flying would tell more


def test_a_long_log_does_not_make_a_long_report(tmp_path, log):
    log.write_text(log.read_text() * 50)
    result = assess(gripper(), traces=log, out=tmp_path / "out")
    assert len(result.entries) == 150 + result.questions
    shown = read_findings(tmp_path / "out").journal
    assert [row.number for row in shown if not row.logged] == [e.number for e in result.entries[150:]]
    cited = {n for claim in result.evidence for n in claim.evidence if n <= 150}
    assert {row.number for row in shown if row.logged} == cited
    assert len(cited) <= 3


# --- led back


@predicate
def at(state, place: "room") -> bool:  # noqa: F821, UP037 - a type of the user's world, as text
    return state[0] == place


@predicate
def lit(state) -> bool:
    return state[1]


@predicate(static=True)
def door(state, one: "room", other: "room") -> bool:  # noqa: F821, UP037
    return abs(ord(one) - ord(other)) == 1


WAYS = {*pairwise("abcd"), *pairwise("dcba")}


class Rooms:
    """A corridor of four rooms and a lamp; one goes to the next room, in the light only."""

    def reset(self, seed):
        self.state = ("a", False)
        return self.state

    def step(self, action):
        place, light = self.state
        if action.action != "go":
            self.state = (place, action.action == "light")
        elif self.lets(place, light) and action.args[0] == place and action.args in WAYS:
            self.state = (action.args[1], light)
        else:
            return None
        return self.state

    def lets(self, place, light):
        return light

    def snapshot(self):
        return self.state

    def restore(self, snapshot):
        self.state = snapshot
        return self.state


class Counted(SimulatorAgent):
    def __init__(self, simulator):
        super().__init__(
            simulator,
            predicates=[at, lit, door],
            actions={"go": {"from": "room", "to": "room"}, "light": {}, "quench": {}},
            objects=dict.fromkeys("abcd", "room"),
        )
        self.asked = 0

    def ask(self, query, /):
        self.asked += 1
        return super().ask(query)


def test_a_fresh_simulator_is_led_back_before_it_is_asked_more(tmp_path):
    whole = assess(Counted(Rooms()), out=tmp_path / "whole")
    assert any(e.query.state.texts() != ["at a"] for e in whole.entries), "it never starts elsewhere"
    cut = whole.questions - 2
    assess(Counted(Rooms()), out=tmp_path / "part", budget=cut)
    fresh, seen = Counted(Rooms()), []
    result = resume(tmp_path / "part", fresh, progress=lambda knowledge, costs, query: seen.append(costs))
    assert journal(tmp_path / "part") == journal(tmp_path / "whole")
    assert result.questions == whole.questions
    assert result.costs.steps == whole.costs.steps
    assert fresh.asked == whole.questions  # all that was asked before, and the last two
    assert [c.questions for c in seen] == [cut] * cut + [cut + 1, cut + 2]


def test_a_finished_run_leads_nobody_back(tmp_path):
    assess(Counted(Rooms()), out=tmp_path / "out")
    fresh = Counted(Rooms())
    resume(tmp_path / "out", fresh)
    assert fresh.asked == 0


def test_an_agent_that_changed_in_between_is_not_asked_further(tmp_path):
    class Rebuilt(Rooms):
        def lets(self, place, light):
            return True

    cut = assess(Counted(Rooms())).questions - 1
    assess(Counted(Rooms()), out=tmp_path / "out", budget=cut)
    before = journal(tmp_path / "out")
    with pytest.raises(JournalError, match=r"the agent no longer answers question \d+ as recorded"):
        resume(tmp_path / "out", Counted(Rebuilt()))
    assert journal(tmp_path / "out") == before


def test_logs_are_not_asked_on_the_way_back(tmp_path):
    assess(Counted(Rooms()), out=tmp_path / "first", budget=5)
    log = tmp_path / "first" / "journal.jsonl"
    whole = assess(Counted(Rooms()), traces=log, out=tmp_path / "whole")
    assess(Counted(Rooms()), traces=log, out=tmp_path / "part", budget=2)
    fresh = Counted(Rooms())
    resume(tmp_path / "part", fresh)
    assert fresh.asked == whole.questions
    assert journal(tmp_path / "part") == journal(tmp_path / "whole")


# --- what the summary adds


class Doubtful(ConfinedAgent):
    """Looks twice at every answer."""

    repeats = 0

    def ask(self, query, /):
        self.repeats += 2
        return super().ask(query)


def test_repeats_are_summed_over_sittings(tmp_path):
    whole = assess(Doubtful(MODEL, PROBLEM), out=tmp_path / "out", budget=3)
    assert whole.summary()["repeats"] == 6
    done = resume(tmp_path / "out", Doubtful(MODEL, PROBLEM))
    assert done.summary()["repeats"] == 2 * done.questions
    assert summary(tmp_path / "out")["repeats"] == 2 * done.questions
    assert "repeats" not in assess(gripper()).summary()


def test_what_no_situation_within_reach_tells(tmp_path):
    out = tmp_path / "out"
    result = assess(ConfinedAgent(*rooms()), out=out)
    assert result.complete
    found = summary(out)
    assert found["idle"] == ["fly"]
    assert found["never_ran"] == ["fly"]
    assert found["alternatives"]["go"] == {
        "instead": {"(at ?a)": [["(not (at ?b))"]]},
        "besides": ["(not (wings))"],
        "effects": ["(not (wings))"],
    }
    text = (out / "model.pddl").read_text()
    assert "; 6 literals cannot be told apart on reachable states: as few as can be are written" in text
    assert found["out_of_reach"] == 6
    assert "; Left out, refused in every state within reach: fly" in text
    claims = json.loads((out / "certificate.json").read_text())["claims"]
    assert {c["status"] for c in claims if c["action"] == "fly"} == {"indistinguishable"}
    assert verify_folder(out).proved, verify_folder(out).sentences()


def test_nothing_of_that_kind_where_questions_start_anywhere():
    result = assess(gripper())
    assert result.summary().keys().isdisjoint({"idle", "alternatives", "out_of_reach", "proof"})
    assert "reachable" not in result.to_pddl()


def test_the_proof_is_named_if_the_strategy_names_it():
    result = assess(ConfinedAgent(*rooms()))
    result.knowledge.proof = "exhaustion of 4 states"
    assert result.summary()["proof"] == "exhaustion of 4 states"
    assert "(proved by exhaustion of 4 states)" in result.describe()
