"""What changed between two results: exactly that, with the evidence from both, and the exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from odd_agents import domain_text
from typer.testing import CliRunner

from assay.cli.report import add_commands
from assay.report.difference import Difference, diff
from assay.report.difference_text import difference_text

Make = Callable[..., Path]
BLOCKS = domain_text("blocksworld")


def version(old: str, new: str) -> str:
    assert old in BLOCKS
    return BLOCKS.replace(old, new)


@pytest.fixture(scope="module")
def cli() -> Callable[..., tuple[int, str, str]]:
    app = typer.Typer()
    add_commands(app)

    def run(*words: str | Path) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, [str(w) for w in words])
        return result.exit_code, result.stdout, result.stderr

    return run


def only(found: Difference) -> tuple[str, str, str, str, str]:
    (change,) = found.changed
    assert replace(found, changed=()) == Difference(found.first, found.second)
    return change.action, change.part, change.atom, change.first.mode, change.second.mode


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "(clear ?x) (ontable ?x) (handempty))",
            "(clear ?x) (handempty))",
            ("pick-up", "precondition", "ontable ?x", "+", "absent"),
        ),
        (
            "(not (holding ?x)) (not (clear ?y))",
            "(not (holding ?x))",
            ("stack", "effect", "clear ?y", "-", "absent"),
        ),
        (
            "(and (holding ?x) (clear ?y))",
            "(and (holding ?x) (not (clear ?y)))",
            ("stack", "precondition", "clear ?y", "+", "-"),
        ),
    ],
)
def test_one_literal_changed(
    folders: dict[str, Path], make: Make, old: str, new: str, expected: tuple[str, ...]
) -> None:
    found = diff(folders["blocksworld"], make(version(old, new)))
    assert found.differs
    assert only(found) == expected
    assert all(side.witnesses and side.evidence for side in (found.changed[0].first, found.changed[0].second))


def test_the_same_behaviour_written_differently_does_not_differ(folders: dict[str, Path], make: Make) -> None:
    text = version(
        ":precondition (holding ?x)\n    :effect (and",
        ":precondition (holding ?x)\n    :effect (and (not (holding ?x))",
    )
    text = text.replace(
        ":parameters (?x ?y)\n    :precondition (and (holding ?x) (clear ?y))",
        ":parameters (?a ?b)\n    :precondition (and (holding ?a) (clear ?b))",
    )
    text = text.replace(
        "(and (on ?x ?y) (clear ?x) (handempty) (not (holding ?x)) (not (clear ?y)))",
        "(and (on ?a ?b) (clear ?a) (handempty) (not (holding ?a)) (not (clear ?b)))",
    )
    found = diff(folders["blocksworld"], make(text, seed=3))
    assert not found.differs
    assert "Nothing differs." in difference_text(found)


def test_open_is_told_apart_from_changed(folders: dict[str, Path], make: Make) -> None:
    found = diff(folders["blocksworld"], make(BLOCKS, budget=5))
    assert not found.changed
    assert found.undecided
    assert found.differs
    assert all("open" in {c.first.status, c.second.status} for c in found.undecided)
    both = diff(make(BLOCKS, budget=5), make(BLOCKS, budget=5, seed=0))
    assert not both.differs  # the same journal


def test_what_never_ran_is_one_note(folders: dict[str, Path], make: Make) -> None:
    found = diff(folders["blocksworld"], folders["nothing"])
    assert len(found.notes) == 4
    assert not found.changed
    assert not found.undecided


def test_vocabularies(folders: dict[str, Path], make: Make) -> None:
    text = version("(holding ?x))\n\n", "(holding ?x) (heavy ?x))\n\n").replace(
        "(:action stack", "(:action pile"
    )
    text = text.replace("(on ?x ?y)\n", "(on ?x)\n", 1).replace("(on ?x ?y)", "(on ?x)")
    found = diff(folders["blocksworld"], make(text))
    assert found.vocabulary == (
        "The action pile is only in the second.",
        "The action stack is only in the first.",
        "The predicate heavy is only in the second.",
        "The predicate on is declared differently in the two.",
    )
    assert not found.changed


def test_a_contradiction_has_no_model_to_compare(folders: dict[str, Path]) -> None:
    found = diff(folders["blocksworld"], folders["contradiction"])
    assert found.notes == ("The answers in the second contradict each other, so it has no model to compare.",)
    assert not diff(folders["contradiction"], folders["contradiction"]).differs


def test_command_line(folders: dict[str, Path], make: Make, cli, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    first = folders["blocksworld"]
    second = make(version("(clear ?x) (ontable ?x) (handempty))", "(clear ?x) (handempty))"))
    code, out, _ = cli("diff", first, second)
    assert code == 1
    assert "Changed: 1 literal." in out
    assert "pick-up needs that X is on the table" in out
    assert "pick-up does not depend on whether X is on the table" in out
    assert "The agent refused to pick up" in out
    assert cli("diff", first, first)[0] == 0
    code, out, _ = cli("diff", "--json", first, second)
    data = json.loads(out)
    assert (code, data["differs"], data["changed"][0]["atom"]) == (1, True, "ontable ?x")
    code, _, err = cli("diff", first, tmp_path)
    assert code == 2
    assert err.startswith("assay: ")
    code, out, _ = cli("report", first)
    assert (code, out.strip()) == (0, str(first / "report.html"))
    assert json.loads(cli("report", "--json", first)[1]) == {"report": str(first / "report.html")}
    code, out, err = cli("report", "--json", tmp_path)
    assert code == 2
    assert json.loads(out)["kind"] == "InputError"
