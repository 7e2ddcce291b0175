"""What no situation within reach can tell: the same from the folder as from the run, and said in words."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.old_assessment import assess, resume
from assay.bench.confined import ConfinedAgent
from assay.bench.problems import load
from assay.cli import app
from assay.cli.inquiry import load as load_subject
from assay.core.model import ActionModel, Model
from assay.core.query import Start
from assay.core.symbols import Atom, Literal
from assay.knowledge.dossier import Claim, Part, Status
from assay.knowledge.knowledge import Knowledge
from assay.pddl.reader import read_domain, read_problem
from assay.proof.folder import verify_folder
from assay.report.findings import read_findings
from assay.report.html import report_html
from assay.report.reach import SHOWN, Alternatives, Reach
from assay.report.reading import read_folder
from assay.report.statement import statement
from assay.report.words import Speaker
from assay.old_result import Outcome, Result
from assay.serve.follow import Follower
from assay.serve.live import live, standing
from assay.serve.scene import World

DOMAIN = """
(define (domain rooms) (:types room)
 (:predicates (at ?r - room) (wings) (lit))
 (:action light :parameters () :effect (lit))
 (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (lit))
  :effect (and (at ?b) (not (at ?a))))
 (:action fly :parameters (?a - room) :precondition (and (wings) (at ?a)) :effect (not (lit))))
"""
PROBLEM = "(define (problem p) (:domain rooms) (:objects a b - room) (:init (at a)))"


def rooms() -> ConfinedAgent:
    model = read_domain(DOMAIN)
    return ConfinedAgent(model, read_problem(PROBLEM, model.vocabulary))


def miconic() -> ConfinedAgent:
    return ConfinedAgent(*load("miconic", 1, 0), Start.RESET)


@pytest.fixture(scope="module", params=[rooms, miconic], ids=["rooms", "miconic"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    folder = tmp_path_factory.mktemp("reach") / "out"
    result = assess(request.param(), out=folder)
    assert result.complete
    assert Reach.of(result.knowledge).alternatives
    assert verify_folder(folder).proved, verify_folder(folder).sentences()
    return result, folder


def said(knowledge: Knowledge) -> list[Claim]:
    """The claims, whichever of the questions that settle them are cited."""
    return [replace(claim, evidence=()) for claim in knowledge.claims()]


def test_a_folder_says_what_the_run_said(run: tuple[Result, Path]) -> None:
    result, folder = run
    knowledge = read_folder(folder).fold.knowledge
    assert knowledge.model() == result.model
    assert said(knowledge) == said(result.knowledge)
    assert Reach.of(knowledge) == Reach.of(result.knowledge)
    assert knowledge.complete
    found, summary = read_findings(folder), result.summary()
    assert (found.slots.open, found.slots.indistinguishable) == (0, summary["slots"]["indistinguishable"])


def test_the_page_says_what_the_run_said(run: tuple[Result, Path]) -> None:
    result, folder = run
    follower = Follower(folder / "journal.jsonl")
    assert follower.refresh()
    assert not follower.refresh()
    assert said(follower.knowledge) == said(result.knowledge)
    row = standing(follower, folder)
    assert row["finished"]
    assert row["settled"] == row["slots"]
    for action in live(follower, folder)["actions"]:
        assert action["settled"] == action["slots"]
    assert World.of(follower.knowledge).model == result.model


def test_models_asked_for_causes_are_the_ones_written(run: tuple[Result, Path]) -> None:
    result, folder = run
    assert load_subject(folder).model.actions == result.model.actions


def test_two_runs_of_the_same_agent_do_not_differ(tmp_path: Path) -> None:
    for seed in (0, 1):
        assess(rooms(), seed=seed, out=tmp_path / str(seed))
    assert CliRunner().invoke(app, ["diff", str(tmp_path / "0"), str(tmp_path / "1")]).exit_code == 0


def test_a_certificate_of_another_journal_is_not_believed(tmp_path: Path) -> None:
    for seed in (0, 1):
        assess(rooms(), seed=seed, out=tmp_path / str(seed))
    assert read_folder(tmp_path / "0").record.hash != read_folder(tmp_path / "1").record.hash
    shutil.copy(tmp_path / "1" / "certificate.json", tmp_path / "0")
    assert not read_folder(tmp_path / "0").fold.knowledge.complete
    (tmp_path / "0" / "certificate.json").write_text("{}")
    assert not read_folder(tmp_path / "0").fold.knowledge.complete


def test_what_was_recalled_is_forgotten_when_the_run_goes_on(tmp_path: Path) -> None:
    """A run that claims too much, and then goes on: the page follows."""
    part, whole = tmp_path / "part", tmp_path / "whole"
    assert assess(rooms(), out=part, budget=5).outcome is Outcome.BUDGET
    certificate = json.loads((part / "certificate.json").read_text())
    for claim in certificate["claims"]:
        claim["status"] = "indistinguishable"
    (part / "certificate.json").write_text(json.dumps(certificate))
    follower = Follower(part / "journal.jsonl")
    follower.refresh()
    rash = follower.knowledge.slots_settled()[0]
    resume(part, rooms(), budget=6)
    follower.refresh()
    assert follower.knowledge.slots_settled()[0] < rash
    resume(part, rooms())
    follower.refresh()
    assess(rooms(), out=whole)
    other = Follower(whole / "journal.jsonl")
    other.refresh()
    assert follower.knowledge.claims() == other.knowledge.claims()
    assert follower.fold.settled == other.fold.settled


def test_the_words(tmp_path: Path) -> None:
    result = assess(rooms(), out=tmp_path / "out")
    text = result.describe()
    assert (
        'Instead of "`at` holds for A", the condition may be "`at` does not hold for B". No situation '
        "within reach tells which. Whenever this works within reach, it also holds that `wings` is not true. "
        "Whether "
        "it needs that, or makes it so again, cannot be told."
    ) in text
    assert "Within reach is what the agent gets into by steps that name no thing twice" in text
    by = "by steps that name no thing twice"
    refused = "it is refused in all of them (proved by exhaustion of"
    assert f"can never fly (room A) in any situation within reach {by}: {refused}" in text
    assert f"every point that a question can settle {by} is settled" in text
    reached = f"situation that the agent can get into {by}"
    assert f"On 6 points, no {reached} shows what is true (proved by exhaustion of" in text
    assert "Besides, 1 point makes no visible difference" in text
    assert "never seen to" not in text
    # a condition that might be another one rests on no question
    assert "`at` holds for A (question" not in text
    assert "`lit` is true (question" in text
    page = report_html(read_findings(tmp_path / "out"))
    assert f"6 make no difference in any {reached} (proved by exhaustion of" in page
    assert "6 are about actions that never work in any situation within reach" in page
    assert "can never fly (room A) in any situation within reach" in page
    assert "must be so, or what always goes with it" in page


def test_one_claim_in_words() -> None:
    result = assess(rooms())
    claims = {(c.action, c.part, c.atom.text): c for c in result.evidence}
    speaker = Speaker(result.model.vocabulary, result.model)
    wings = claims["go", Part.PRECONDITION, "wings"]
    assert wings.status is Status.INDISTINGUISHABLE
    assert statement(speaker, wings) == (
        "no situation within reach tells, for go, whether it needs that `wings` is not true"
    )
    chosen = claims["go", Part.PRECONDITION, "at ?a"]
    assert statement(speaker, chosen) == (
        "go needs that `at` holds for room A, or what goes with it in every situation within reach"
    )


def test_many_alternatives_are_counted() -> None:
    speaker = Speaker(assess(rooms()).model.vocabulary)
    atoms = [
        Atom(name, args) for name, args in (("at", ("?a",)), ("at", ("?b",)), ("lit", ()), ("wings", ()))
    ]
    literals = tuple(map(Literal, atoms))
    many = Alternatives(((literals[0], (literals[1:] * 2,)),), literals)
    first, *_ = many.sentences(speaker, speaker.names("go"))
    assert first.endswith(f"or one of {6 - SHOWN} more. No situation within reach tells which.")
    two = Alternatives(((literals[0], (literals[3:], literals[1:3])),))
    (told,) = two.sentences(speaker, speaker.names("go"))
    assert 'conditions may be these: "`wings` is true"; "`at` holds for room B" or "`lit` is true".' in told
    several = Alternatives(((literals[0], tuple((x,) for x in literals[1:]) * 2),))
    (told,) = several.sentences(speaker, speaker.names("go"))
    assert f'"`wings` is true"; and {6 - SHOWN} more. No situation' in told
    (told,) = Alternatives(besides=literals).sentences(speaker, speaker.names("go"))
    assert "4 more things hold (" in told
    assert "; and 1 more). Whether it needs any of that cannot be told." in told


DOORBELLS = """
(define (domain doorbells) (:types thing)
 (:predicates (bell ?x - thing) (round ?x - thing) (brass ?x - thing) (heard))
 (:action ring :parameters (?x - thing) :precondition (bell ?x) :effect (heard)))
"""
THINGS = """
(define (problem p) (:domain doorbells) (:objects a b c - thing)
 (:init (bell a) (round a) (brass a) (round b) (brass c)))
"""


def test_what_may_be_needed_instead_gives_the_same_answers() -> None:
    """A bell is round and of brass, but neither is enough: one refusal each."""
    model = read_domain(DOORBELLS)
    problem = read_problem(THINGS, model.vocabulary)
    result = assess(ConfinedAgent(model, problem))
    bell, brass, is_round = (Literal(Atom(name, ("?x",))) for name in ("bell", "brass", "round"))
    found = Reach.of(result.knowledge).alternatives["ring"]
    assert found.instead == ((bell, ((brass,), (is_round,))),)
    assert (
        'Instead of "`bell` holds for X", the conditions may be these: "`brass` holds for X"; "`round` holds '
        'for X". No situation within reach tells which.'
    ) in result.describe()

    def answers_alike(*needed: Literal) -> bool:
        ring = ActionModel.strips(model.action["ring"].header, frozenset(needed), {Literal(Atom("heard"))})
        other = ConfinedAgent(Model(model.vocabulary, (ring,)), problem)
        return all(other.ask(entry.query) == entry.response for entry in result.entries)

    assert answers_alike(bell)
    assert answers_alike(brass, is_round)
    assert not answers_alike(brass)
    assert not answers_alike(is_round)


def test_beyond_reach_the_model_was_never_tested(tmp_path: Path) -> None:
    assess(rooms(), out=tmp_path / "out")

    def ask(*more: str) -> str:
        shown = CliRunner().invoke(app, ["ask", str(tmp_path / "out"), "can (at b) hold", *more])
        assert shown.exit_code == 0, shown.output
        return shown.stderr

    assert "never tested" not in ask()
    assert "never tested" in ask("--state", "(at a) (wings)")


def test_how_it_was_proved_is_said_in_the_report(tmp_path: Path) -> None:
    assess(rooms(), out=tmp_path / "out")
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    (tmp_path / "out" / "summary.json").write_text(json.dumps(summary | {"proof": "exhaustion of 4 states"}))
    page = report_html(read_findings(tmp_path / "out"))
    by = "by steps that name no thing twice"
    assert f"that the agent can get into {by} (proved by exhaustion of 4 states)." in page
