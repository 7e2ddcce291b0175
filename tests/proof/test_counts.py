"""A summary or a description that was edited by hand is caught; what a run writes of itself is in order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assay import assess
from assay.agents.model import ModelAgent
from assay.bench.confined import ConfinedAgent
from assay.bench.problems import load
from assay.cli import app
from assay.core.query import PlanQuery, PlanResponse, Response
from assay.core.symbols import Atom
from assay.pddl.reader import read_domain, read_problem
from assay.proof import verify_folder
from assay.old_result import Outcome
from hidden_models import objects_of, random_model

DOOR = """(define (domain door) (:requirements :strips :negative-preconditions)
 (:predicates (open) (locked) (lit) (dusty))
 (:action unlock :precondition (locked) :effect (not (locked)))
 (:action push :precondition (and (not (open)) (not (locked)) (dusty)) :effect (open))
 (:action light :precondition (and) :effect (lit))
 (:action vanish :precondition (and (open) (locked)) :effect (not (open))))"""
AT_FIRST = """(define (problem home) (:domain door) (:init (locked) (dusty)) (:goal (open)))"""


@pytest.fixture(scope="module", params=["any", "acting", "partial", "equality"])
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp(request.param) / "result"
    door = read_domain(DOOR)
    if request.param == "acting":
        assess(ConfinedAgent(door, read_problem(AT_FIRST, door.vocabulary)), out=path)
    elif request.param == "equality":
        model = random_model(8, constants=1, distinct=0.3)
        assess(ModelAgent(model, objects_of(model, 3)), out=path, equality=True)
    else:
        assess(ModelAgent(door), out=path, budget=4 if request.param == "partial" else None)
    return path


def verify(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(CliRunner().invoke(app, ["verify", str(folder), "--json"]).stdout)
    return found


def test_what_a_run_writes_is_in_order(finished: Path) -> None:
    assert not verify_folder(finished).problems
    found = verify(finished)
    complete = json.loads((finished / "summary.json").read_text())["complete"]
    assert found["proved"] == complete
    assert not any(name in said for name in ("summary.json", "description.md") for said in found["findings"])


def test_every_edited_number_is_caught(finished: Path) -> None:
    file = finished / "summary.json"
    text = file.read_text()
    summary = json.loads(text)
    wrong: dict[str, Any] = {
        "outcome": "open" if summary["complete"] else "complete",
        "complete": not summary["complete"],
        "questions": summary["questions"] + 1,
        "traces": 1,
        "search": summary["search"] + 1,
        "test": summary["test"] + 1,
        "steps": summary["steps"] - 1,
        "slots": summary["slots"] | {"settled": summary["slots"]["total"]},
        "lower_bound": True,
        "never_ran": [*summary["never_ran"], "fly"],
        "idle": 5,
        "lacking": ["fly"],
        "rejected": 3,
        "strategy": "naive",
        "seed": 7,
        "start": "else",
        "new_objects": not summary["new_objects"],
        "equality": not summary["equality"],
    }
    try:
        for name, value in wrong.items():
            file.write_text(json.dumps(summary | {name: value}))
            assert any(p.startswith("summary.json says") for p in verify_folder(finished).problems), name
        for text_, said in (("{", "cannot be used"), ("[]", "not what a run writes")):
            file.write_text(text_)
            assert said in str(verify(finished)["findings"])
    finally:
        file.write_text(text)


def test_an_edited_description_is_caught(finished: Path) -> None:
    file = finished / "description.md"
    text = file.read_text()
    try:
        file.write_text(text.replace("The agent can", "The agent cannot", 1))
        found = verify(finished)
    finally:
        file.write_text(text)
    assert "description.md is not what the journal gives." in found["findings"]
    assert not found["proved"]


def test_edited_alternatives_are_caught(tmp_path: Path) -> None:
    door = read_domain(DOOR)
    assess(ConfinedAgent(door, read_problem(AT_FIRST, door.vocabulary)), out=tmp_path / "r")
    file = tmp_path / "r" / "summary.json"
    summary = json.loads(file.read_text())
    assert summary["alternatives"]
    assert summary["idle"] == ["vanish"]
    for name in ("alternatives", "idle"):
        file.write_text(json.dumps(summary | {name: type(summary[name])()}))
        assert any(said.startswith("summary.json") for said in verify(tmp_path / "r")["findings"]), name


def test_alternatives_that_the_answers_rule_out_are_named(tmp_path: Path) -> None:
    """Whoever checks tries them, and does not ask where they come from."""
    door = read_domain(DOOR)
    assess(ConfinedAgent(door, read_problem(AT_FIRST, door.vocabulary)), out=tmp_path / "r")
    file = tmp_path / "r" / "summary.json"
    summary = json.loads(file.read_text())

    def problems(listed: object) -> str:
        file.write_text(json.dumps(summary | {"alternatives": listed}))
        return " ".join(verify_folder(tmp_path / "r").problems)

    assert not problems(summary["alternatives"])
    for name, found, literal in (
        ("light", {"besides": ["(lit)"]}, "(lit)"),
        ("unlock", {"besides": ["(dusty)", "(open)"]}, "(open)"),
        ("push", {"instead": {"(not (locked))": [["(dusty)"]]}}, "(not (locked))"),
        ("push", {"instead": {"(not (locked))": [["(locked)"]]}}, "(locked)"),
        ("push", {"effects": ["(locked)"]}, "(locked)"),
        ("push", {"effects": ["(not (dusty))"]}, "(not (dusty))"),
        ("push", {"others": ["(lit)"]}, "(lit)"),
    ):
        assert f"an alternative that the answers rule out: {name}: {literal}." in problems({name: found})
    for odd in ([], {"fly": {}}, {"vanish": {}}, {"push": []}, {"push": {"besides": ["(moon)"]}}):
        assert "does not list alternatives as a run does" in problems(odd)
    file.write_text(json.dumps(summary | {"out_of_reach": 1}))
    said = "summary.json says out_of_reach 1; the journal gives 8."
    assert said in verify(tmp_path / "r")["findings"]


def test_a_confined_run_that_was_cut_short_is_in_order(tmp_path: Path) -> None:
    result = assess(ConfinedAgent(*load("gripper", 1, 0)), budget=3, out=tmp_path / "r")
    assert result.summary()["confined"] == "that name no thing twice"
    assert not verify_folder(tmp_path / "r").problems


LAMP = """(define (domain lamp) (:requirements :strips :typing) (:types lamp)
 (:predicates (power) (on ?l - lamp))
 (:action light :parameters (?l - lamp) :precondition (power) :effect (on ?l))
 (:action cut :precondition (power) :effect (not (power))))"""


class Liar(ModelAgent):
    """Says once that there still is power."""

    asked = 0

    def ask(self, query: PlanQuery, /) -> Response:
        self.asked += 1
        answer = super().ask(query)
        assert isinstance(answer, PlanResponse)
        return PlanResponse(answer.steps, answer.state.change(add=[Atom("power")] if self.asked == 3 else ()))


def test_after_a_contradiction_the_contradiction_is_all_there_is_to_say(tmp_path: Path) -> None:
    result = assess(Liar(read_domain(LAMP)), out=tmp_path / "r")
    assert result.outcome is Outcome.CONTRADICTION
    assert result.knowledge.complete  # it was, before the answer that fits no model
    assert verify(tmp_path / "r")["findings"] == ["No model of the class gives all these answers."]
