"""An action that is refused whatever holds is a result like any other; run, verify and summary agree."""

from __future__ import annotations

import json
import random
from itertools import takewhile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.agents.model import ModelAgent
from assay.old_assessment import assess
from assay.cli import app
from assay.confirmation import REFUSALS
from assay.core.query import Invalid, PlanQuery, PlanResponse, Response, Start
from assay.core.symbols import Object
from assay.pddl.reader import read_domain
from assay.proof.folder import verify_folder
from assay.report.findings import read_findings
from assay.old_result import Outcome

DOMAIN = """
(define (domain house) (:types lamp)
 (:predicates (power) (on ?l - lamp))
 (:action light :parameters (?l - lamp) :precondition (power) :effect (on ?l))
 (:action fly :parameters (?l - lamp) :precondition (and (power) (not (power))) :effect (not (on ?l))))
"""
LAMPS = """
(define (domain lamps) (:types lamp)
 (:predicates (power) (on ?l - lamp))
 (:action connect :parameters () :precondition (not (power)) :effect (power))
 (:action disconnect :parameters () :precondition (power) :effect (not (power)))
 (:action light :parameters (?l - lamp) :precondition (and (power) (not (on ?l))) :effect (on ?l))
 (:action douse :parameters (?l - lamp) :precondition (on ?l) :effect (not (on ?l))))
"""
SAID = (
    "The agent can never fly (lamp L): it was refused in every situation that the vocabulary can tell apart."
)


@pytest.fixture
def domain(tmp_path: Path) -> str:
    (tmp_path / "house.pddl").write_text(DOMAIN)
    return f"pddl:{tmp_path / 'house.pddl'}"


def call(*args: str | Path) -> tuple[int, str]:
    found = CliRunner().invoke(app, [str(a) for a in args])
    return found.exit_code, found.stdout


@pytest.mark.parametrize("more", [(), ("--equality",), ("--strategy", "naive")])
def test_all_say_the_same(tmp_path: Path, domain: str, more: tuple[str, ...]) -> None:
    out = tmp_path / "out"
    code, text = call("run", domain, "--out", out, *more)
    assert code == 0
    assert "The model is complete." in text
    assert SAID in (out / "description.md").read_text()
    assert "; Left out, refused in every state: fly" in (out / "model.pddl").read_text()
    summary = json.loads((out / "summary.json").read_text())
    assert (summary["outcome"], summary["idle"], summary["never_ran"]) == ("complete", ["fly"], ["fly"])
    assert summary["slots"]["open"] == 0
    code, text = call("verify", out)
    assert code == 0
    assert "fly never runs: refused in every state." in text
    assert not verify_folder(out).trusted
    assert call("resume", out)[0] == 0
    found = read_findings(out)
    assert (found.complete, found.never_ran, found.slots.open) == (True, (SAID,), 0)


def test_one_refusal_short_of_all_is_open(tmp_path: Path, domain: str) -> None:
    out = tmp_path / "out"
    whole = assess(ModelAgent(read_domain(DOMAIN)))
    needed = whole.questions - whole.asked_again - 2  # the last of them confirms
    code, text = call("run", domain, "--out", out, "--budget", needed)
    assert code == 3
    assert "never seen to fly" in (out / "description.md").read_text()
    assert "idle" not in json.loads((out / "summary.json").read_text())
    code, text = call("verify", out)
    assert code == 3
    assert "Nothing is known of fly: it never ran." in text


def test_a_state_called_impossible_is_no_refusal(tmp_path: Path) -> None:
    class Picky(ModelAgent):
        def ask(self, query: PlanQuery, /) -> Response:
            dark = not query.state and query.plan[0].action == "fly"
            return Invalid("dark") if dark else super().ask(query)

    result = assess(Picky(read_domain(DOMAIN)), out=tmp_path / "out")
    assert result.summary()["rejected"]
    assert not result.complete
    assert not verify_folder(tmp_path / "out").proved


def test_no_plan_is_expected_of_it(tmp_path: Path, domain: str) -> None:
    """What only it could do is proved out of reach; an action that merely never ran would leave a doubt."""
    out = tmp_path / "out"
    call("run", domain, "--out", out)
    state = ("--state", "(power) (on lamp-1)")
    _, text = call("ask", out, "can (not (on lamp-1)) hold from this state", *state)
    assert "it can never be" in text
    assert "fly" not in text


SONG = """
(define (domain song) (:types lamp song) (:predicates (on ?l - lamp))
 (:action light :parameters (?l - lamp) :effect (on ?l))
 (:action sing :parameters (?s - song) :effect ()))
"""


class Mute(ModelAgent):
    def ask(self, query: PlanQuery, /) -> Response:
        silent = list(takewhile(lambda step: step.action != "sing", query.plan))
        return super().ask(PlanQuery(query.state, tuple(silent)))


def test_an_action_about_which_nothing_can_be_said_has_no_reason_to_refuse(tmp_path: Path) -> None:
    for number, start in enumerate(Start):
        agent = Mute(read_domain(SONG), (Object("desk", "lamp"), Object("aria", "song")), (frozenset(),))
        result = assess(agent, start=start, out=tmp_path / str(number))
        assert result.outcome is Outcome.CONTRADICTION
        assert "sing" in result.explain_contradiction()
        verdict = verify_folder(tmp_path / str(number))
        assert not verdict.problems
        assert verdict.verdict is not None
        assert verdict.verdict.contradiction


def test_if_it_was_not_even_tried_it_is_idle(tmp_path: Path) -> None:
    agent = Mute(read_domain(SONG), (Object("desk", "lamp"),), (frozenset(),))
    result = assess(agent, start="reset", out=tmp_path / "out")
    assert result.complete
    assert result.summary()["idle"] == result.summary()["lacking"] == ["sing"]
    assert call("verify", tmp_path / "out")[0] == 0


class Moody(ModelAgent):
    """Refuses at random, any step."""

    rng = random.Random()

    def ask(self, query: PlanQuery, /) -> PlanResponse:
        ran = list(takewhile(lambda _: self.rng.random() > 0.3, query.plan))
        return super().ask(PlanQuery(query.state, tuple(ran)))


def test_refusals_by_chance_do_not_make_an_action_impossible() -> None:
    """Asked once, 23 of 100 such runs ended in a complete model of less than the agent does."""
    claimed = 0
    for seed in range(100):
        agent = Moody(read_domain(LAMPS), (Object("desk", "lamp"), Object("hall", "lamp")))
        agent.rng, agent.new_objects, agent.walks = random.Random(seed), False, False
        result = assess(agent, seed=seed)
        claimed += result.complete and bool(result.never_ran)
        if result.outcome is Outcome.CONTRADICTION:
            assert "question" in result.explain_contradiction()
    assert claimed <= 1


def test_only_what_shows_that_an_action_never_runs_is_asked_again(tmp_path: Path) -> None:
    result = assess(ModelAgent(read_domain(DOMAIN)), out=tmp_path / "out")
    plain = result.entries[: result.questions - result.asked_again]
    refused = [
        e.query for e in plain if [step.action for step in e.query.plan[e.response.steps :]][:1] == ["fly"]
    ]
    again = [e.query for e in result.entries[len(plain) :]]
    assert again == refused * REFUSALS
    assert len(again) == result.asked_again > 0
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["asked_again"] == len(again)
    assert verify_folder(tmp_path / "out").proved
    assert assess(ModelAgent(read_domain(LAMPS))).asked_again == 0
