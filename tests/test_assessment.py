"""The loop: the same questions every time, going on where a run ended, logs, and what counts as evidence."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from assay import Invalid, Outcome, SimulatorAgent, assess, differences, predicate, resume
from assay.agents.model import ModelAgent
from assay.bench.confined import ConfinedAgent
from assay.bench.problems import load
from assay.core.query import PlanQuery, PlanResponse, Start
from assay.core.symbols import Atom, Step
from assay.core.universe import Universe
from assay.errors import InputError, JournalError
from assay.learn.finding import Status
from assay.pddl.reader import read_domain
from assay.proof.recount.folder import verify_folder
from assay.store.journal import read

MODEL, PROBLEM = load("gripper", 1, 0)
RESULT_FILES = ("journal.jsonl", "model.pddl", "certificate.json", "description.md")


class Counted(ModelAgent):
    asked = 0

    def ask(self, query, /):
        self.asked += 1
        return super().ask(query)


def gripper(kind=Counted):
    return kind(MODEL, PROBLEM.objects, (PROBLEM.initial,))


def starting(start):
    return gripper() if start is Start.ANY else ConfinedAgent(MODEL, PROBLEM, start)


def same_files(one: Path, other: Path) -> None:
    for name in RESULT_FILES:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def cut(folder: Path, lines: int, torn: int = 0) -> None:
    """Leaves so many lines of the journal, and the beginning of the next one."""
    journal = folder / "journal.jsonl"
    whole = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(whole[:lines]) + (whole[lines][:torn] if torn else b""))


# --- the same seed, and going on


def test_the_same_seed_gives_the_same_journal(tmp_path):
    for name in ("one", "two"):
        assess(gripper(), seed=5, audit=5, out=tmp_path / name)
    same_files(tmp_path / "one", tmp_path / "two")


@pytest.mark.parametrize("audit", [0, 12])
def test_wherever_a_run_was_cut_off_it_goes_on_to_the_same_end(tmp_path, audit):
    """Among the questions, the audit's situations and the repeated questions alike."""
    whole = assess(gripper(), audit=audit, strength=1, out=tmp_path / "whole").questions
    assess(gripper(), audit=audit, strength=1, out=tmp_path / "part")
    for asked in [*range(0, whole, 3), whole - 1]:
        cut(tmp_path / "part", asked + 1, torn=40)
        agent = gripper()
        assert resume(tmp_path / "part", agent).questions == whole
        assert agent.asked == whole - asked
        same_files(tmp_path / "part", tmp_path / "whole")


def test_a_finished_run_asks_nothing_more(tmp_path):
    assess(gripper(), audit=5, out=tmp_path / "out")
    agent = gripper()
    assert resume(tmp_path / "out", agent).complete
    assert agent.asked == 0


def test_a_run_goes_on_to_a_higher_strength_and_asks_nothing_again(tmp_path):
    weak = assess(gripper(), strength=0, audit=5, out=tmp_path / "out")
    assert (weak.strength, weak.complete) == (0, True)
    agent = gripper()
    strong = resume(tmp_path / "out", agent, strength=2)
    assert (strong.strength, strong.complete) == (2, True)
    assert agent.asked == strong.questions - weak.questions
    assert [e.number for e in read(tmp_path / "out" / "journal.jsonl").entries] == list(
        range(1, strong.questions + 1)
    )
    found = verify_folder(tmp_path / "out", strength=2)
    assert found.holds, found.problems
    assert resume(tmp_path / "out", gripper()).questions == strong.questions


def test_what_is_cited_shows_what_it_is_cited_for_also_after_going_on(tmp_path):
    assess(gripper(), strength=0, out=tmp_path / "out")
    result = resume(tmp_path / "out", gripper(), strength=1)
    entries = {e.number: e for e in result.entries}
    for finding in result.findings:
        for term in finding.terms:
            for number in term.runs:
                entry = entries[number]
                assert finding.action in [s.action for s in entry.query.plan[: entry.response.steps]]
            for literal in term.literals:
                for number in literal.refusals:
                    entry = entries[number]
                    assert entry.query.plan[entry.response.steps].action == finding.action


def test_a_budget_is_kept_and_can_be_raised(tmp_path):
    part = assess(gripper(), budget=4, out=tmp_path / "part")
    assert (part.outcome, part.questions) == (Outcome.BUDGET, 4)
    resume(tmp_path / "part", gripper(), budget=500)
    assess(gripper(), budget=500, out=tmp_path / "whole")
    same_files(tmp_path / "part", tmp_path / "whole")


def test_a_journal_of_another_run_is_not_gone_on_with(tmp_path):
    assess(gripper(), out=tmp_path / "out")
    model, problem = load("blocksworld", 1, 0)
    with pytest.raises(InputError, match="vocabulary"):
        resume(tmp_path / "out", ModelAgent(model, problem.objects, (problem.initial,)))


@pytest.mark.parametrize("strength", [-1, 4])
def test_there_are_four_strengths(strength):
    with pytest.raises(InputError, match="0 to 3"):
        assess(gripper(), strength=strength)


# --- what is right


@pytest.mark.parametrize("own", [False, True], ids=["new objects", "own objects"])
@pytest.mark.parametrize("tells", [False, True], ids=["last state", "all states"])
def test_the_model_is_right_however_the_agent_answers(tmp_path, own, tells):
    class Telling(ModelAgent):
        tells_states = tells

    agent = gripper(Telling)
    result = assess(agent, new_objects=False if own else None, out=tmp_path / "out")
    assert not differences(result.model, MODEL)
    assert verify_folder(tmp_path / "out").holds
    assert json.loads((tmp_path / "out/certificate.json").read_text())["states_between"] is tells


def test_actions_that_cannot_run_are_named():
    never = (
        "(define (domain d) (:predicates (p) (q)) (:action a :parameters () :precondition (and (p) (not (p)))"
    )
    text = never + " :effect (q)) (:action b :parameters () :precondition (p) :effect (q)))"
    result = assess(ModelAgent(read_domain(text)))
    assert (result.never_ran, result.outcome) == (["a"], Outcome.OPEN)
    assert [a.header.name for a in result.model.actions] == ["b"]


def test_invalid_states_are_never_evidence(tmp_path):
    """Of the two grippers' facts and the robot's places, only some go together."""

    class Strict(Counted):
        def ask(self, query, /):
            robots = [a for a in query.state if a.predicate == "at-robby"]
            return super().ask(query) if len(robots) == 1 else Invalid("a robot is in one place")

    result = assess(gripper(Strict), out=tmp_path / "out")
    invalid = {e.number for e in result.entries if isinstance(e.response, Invalid)}
    assert invalid
    for finding in result.findings:
        for term in finding.terms:
            assert invalid.isdisjoint(term.runs)
            assert all(invalid.isdisjoint(x.refusals) for x in term.literals)
    found = verify_folder(tmp_path / "out")
    assert found.holds, found.problems


# --- answers that do not agree


class Torn(Counted):
    """Of one action it says something else every other time."""

    def ask(self, query, /):
        answer = super().ask(query)
        if self.asked % 2 and any(s.action == "drop" for s in query.plan):
            place = next(n for n, s in enumerate(query.plan) if s.action == "drop")
            return super().ask(
                PlanQuery.bringing(query.state, query.plan[:place], [o.name for o in query.new_objects])
            )
        return answer


def test_a_contradiction_concerns_one_action_and_the_others_are_learned(tmp_path):
    result = assess(gripper(Torn), out=tmp_path / "out")
    assert result.outcome is Outcome.CONTRADICTION
    assert result.contradicted == ["drop"]
    assert {a.header.name for a in result.model.actions} == {"move", "pick"}
    assert all(result.finding[name].status is Status.LEARNED for name in ("move", "pick"))
    assert result.finding["drop"].conflict


class Changing(Counted):
    """From one question on it refuses everything."""

    begins = 12

    def ask(self, query, /):
        answer = super().ask(query)
        return answer if self.asked < self.begins else PlanResponse(0, query.state)


def test_an_agent_that_begins_to_lie_is_noticed():
    honest = assess(gripper(), recheck=0).questions
    for begins in (honest // 2, honest + 2):
        agent = gripper(Changing)
        agent.begins = begins
        result = assess(agent)
        assert not result.complete, f"from question {begins} on"
    assert result.outcome is Outcome.CONTRADICTION
    assert result.disagreements


def test_the_audit_finds_what_the_strength_does_not_look_for():
    """Two facts that stand in for a needed one: beyond strength 0."""
    text = """(define (domain d) (:types o) (:predicates (p ?x - o) (q ?x - o) (done ?x - o))
     (:action a :parameters (?x - o) :precondition (or (p ?x) (q ?x)) :effect (done ?x)))"""
    hidden = read_domain(text)
    audited = assess(ModelAgent(hidden), strength=0, audit=60)
    assert audited.costs.sampled >= 60
    assert not differences(audited.model, hidden)


# --- logs


def runs(*plans):
    """Each plan as a logged run from the initial state; what is refused ends it."""
    universe = Universe(MODEL.vocabulary, PROBLEM.objects)
    initial, lines = universe.state(sorted(PROBLEM.initial)), []
    for plan in plans:
        steps = [Step.parse(text) for text in plan]
        answers = [gripper().ask(PlanQuery(initial, tuple(steps[:n]))) for n in range(len(steps) + 1)]
        ran = answers[-1].steps
        line = {"states": [a.state.texts() for a in answers[: ran + 1]], "actions": plan[:ran]}
        lines.append(line | ({"refused": plan[ran]} if ran < len(plan) else {}))
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture
def log(tmp_path):
    """A ball is carried over, and dropped where the robot no longer is."""
    path = tmp_path / "log.jsonl"
    path.write_text(runs(["pick ball1 room1 left", "move room1 room2", "drop ball1 room1 left"]))
    return path


@pytest.mark.parametrize("start", Start)
def test_logs_come_first_and_are_not_counted(tmp_path, log, start):
    out = tmp_path / "out"
    result = assess(starting(start), traces=log, out=out)
    record = read(out / "journal.jsonl")
    assert [e.logged for e in record.entries] == [True] * 3 + [False] * result.questions
    assert result.summary()["questions"] == result.questions
    found = verify_folder(out)
    assert found.holds, found.problems
    assert resume(out, starting(start)).questions == result.questions


def test_a_run_with_logs_resumes_from_its_journal_alone(tmp_path, log):
    assess(gripper(), traces=log, out=tmp_path / "whole")
    assert assess(gripper(), traces=log, out=tmp_path / "part", budget=4).outcome is Outcome.BUDGET
    log.unlink()
    resume(tmp_path / "part", gripper(), budget=500)
    same_files(tmp_path / "part", tmp_path / "whole")


def test_a_run_cut_off_among_its_logs_is_not_resumed(tmp_path, log):
    out = tmp_path / "out"
    assess(gripper(), traces=log, out=out, budget=0)
    cut(out, 3)
    with pytest.raises(JournalError, match="cut off while its traces came in"):
        resume(out, gripper())


def test_what_a_log_mentions_must_exist(tmp_path, log):
    log.write_text(log.read_text().replace("ball1", "ball9"))
    with pytest.raises(InputError, match=r"log.jsonl, line 1: .*unknown object 'ball9'"):
        assess(gripper(), traces=log, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_logs_of_another_version_are_found_out(tmp_path, log):
    """The log is of an agent whose hand stays free when it picks something up."""
    line = json.loads(log.read_text())
    states = [line["states"][0], sorted([*line["states"][1], "free left"])]
    log.write_text(json.dumps({"states": states, "actions": line["actions"][:1]}) + "\n")
    result = assess(gripper(), traces=log, out=tmp_path / "out")
    assert result.outcome is not Outcome.COMPLETE
    assert result.finding["pick"].status is not Status.LEARNED
    assert result.finding["move"].status is Status.LEARNED


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
        elif self.lets(light) and action.args[0] == place and action.args in WAYS:
            self.state = (action.args[1], light)
        else:
            return None
        return self.state

    def lets(self, light):
        return light

    def snapshot(self):
        return self.state

    def restore(self, snapshot):
        self.state = snapshot
        return self.state


class Rebuilt(Rooms):
    def lets(self, light):
        return True


class Corridor(SimulatorAgent):
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
    whole = assess(Corridor(Rooms()), out=tmp_path / "whole")
    assert Atom("at", ("b",)) in {a for e in whole.entries for a in e.query.state}, (
        "it never starts elsewhere"
    )
    assess(Corridor(Rooms()), out=tmp_path / "part")
    cut(tmp_path / "part", whole.questions - 1)
    fresh = Corridor(Rooms())
    result = resume(tmp_path / "part", fresh)
    same_files(tmp_path / "part", tmp_path / "whole")
    assert result.questions == whole.questions
    assert fresh.asked == whole.questions  # all that was asked before, and the last two


def test_an_agent_that_changed_in_between_is_not_asked_further(tmp_path):
    questions = assess(Corridor(Rooms()), out=tmp_path / "out").questions
    cut(tmp_path / "out", questions)
    before = (tmp_path / "out/journal.jsonl").read_bytes()
    with pytest.raises(JournalError, match=r"the agent no longer answers question \d+ as recorded"):
        resume(tmp_path / "out", Corridor(Rebuilt()))
    assert (tmp_path / "out/journal.jsonl").read_bytes() == before
