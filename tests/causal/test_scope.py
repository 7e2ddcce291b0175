"""What a learned model says of steps that name one thing twice or a constant: no guess passes for proved."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from assay.agents.model import ModelAgent
from assay.cli.causal import add_commands
from assay.pddl.reader import read_domain, read_problem
from assay.session import assess

app = typer.Typer()
add_commands(app)

DOMAIN = """
(define (domain gifts) (:constants santa)
 (:predicates (has ?x) (glad ?x))
 (:action give :parameters (?x ?y) :precondition (has ?x) :effect (glad ?y)))
"""
PROBLEM = "(define (problem one) (:domain gifts) (:objects ann bob) (:init (has ann)) (:goal (glad bob)))"


def folder(where: Path) -> Path:
    model = read_domain(DOMAIN, "gifts")
    problem = read_problem(PROBLEM, model.vocabulary, "one")
    assess(ModelAgent(model, problem.objects, (problem.initial,)), out=where / "gifts")
    return where / "gifts"


def run(*args: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(a) for a in args])
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.parametrize(("who", "step"), [("santa", "give(ann, santa)"), ("ann", "give(ann, ann)")])
def test_what_only_other_steps_lead_to_is_not_called_impossible(tmp_path, who, step):
    text = run("ask", folder(tmp_path), f"can (glad {who}) hold from this state", code=3)
    assert text.startswith("Not known")
    assert "name one thing twice or a constant" in text
    assert f"1. {step}" in text
    text = run("why-not", tmp_path / "gifts", "--plan", "(give ann bob)", "--fact", f"(glad {who})")
    assert "no plan does it" not in text
    assert "not known: only steps that name one thing twice or a constant would lead there" in text


def test_what_no_step_at_all_leads_to_is_impossible(tmp_path):
    text = run("ask", folder(tmp_path), "can (has bob) hold from this state")
    assert text.startswith("No: it can never be")
    text = run("why-not", tmp_path / "gifts", "--plan", "(give ann bob)", "--fact", "(has bob)")
    assert "no plan does it" in text


def test_what_such_a_step_does_is_said_to_be_supposed(tmp_path):
    text = run("why", folder(tmp_path), "--plan", "(give ann santa)", "--fact", "(glad santa)")
    assert "what (give ann santa) does is supposed" in text
    text = run("why", tmp_path / "gifts", "--plan", "(give ann bob)", "--fact", "(glad bob)")
    assert "supposed" not in text
