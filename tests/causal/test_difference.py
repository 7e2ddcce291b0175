"""What changed between two results: where behaviour differs, with the answers of both, and the exit code."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from assay.agents.model import ModelAgent
from assay.causal.difference import Difference, Result, compare
from assay.cli.compare import add_commands
from assay.language.english import English
from assay.pddl.reader import read_domain
from assay.session import assess

BLOCKS = (files("assay.bench") / "domains" / "blocksworld.pddl").read_text(encoding="utf-8")
PICK_UP = "(clear ?x) (ontable ?x) (handempty))"
"""What picking up needs."""

app = typer.Typer()
add_commands(app)


def version(old: str, new: str) -> str:
    assert old in BLOCKS
    return BLOCKS.replace(old, new)


def difference(text: str, other: str = BLOCKS, **options: bool) -> Difference:
    one, two = (Result(name, read_domain(t)) for name, t in (("a", other), ("b", text)))
    return compare(one, two, **options)


def told(found: Difference) -> list[tuple[str, int, list[str], list[str] | None]]:
    return [
        (
            action.action,
            spot.side,
            [str(x) for x in spot.where],
            None if spot.after is None else [str(x) for x in spot.after],
        )
        for action in found.actions
        for spot in action.spots
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            PICK_UP,
            "(clear ?x) (handempty))",
            [("pick-up", 1, ["(not (ontable ?x))"], None)],
        ),
        (
            PICK_UP,
            "(clear ?x) (or (ontable ?x) (holding ?x)) (handempty))",
            [("pick-up", 1, ["(not (ontable ?x))"], None)],
        ),
    ],
)
def test_a_changed_precondition_is_told_by_where_only_one_runs(
    old: str, new: str, expected: list[object]
) -> None:
    assert told(difference(version(old, new))) == expected


def test_a_changed_effect_is_told_by_where_each_leads() -> None:
    old, new = "(not (clear ?y))", "(when (ontable ?y) (not (clear ?y)))"
    found = difference(version(f"(not (holding ?x)) {old}", f"(not (holding ?x)) {new}"))
    assert {(action, side) for action, side, _, _ in told(found)} == {("stack", 0), ("stack", 1)}
    first, second = told(found)
    assert "(not (ontable ?y))" in first[2]
    assert (first[3], second[3]) == (["(not (clear ?y))"], ["(clear ?y)"])


def test_the_same_behaviour_written_differently_does_not_differ() -> None:
    text = version(PICK_UP, "(not (or (not (clear ?x)) (not (ontable ?x)))) (handempty))")
    found = difference(text)
    assert not found.differs
    assert (
        found.lines(
            English(read_domain(text).vocabulary, mark=""), English(read_domain(text).vocabulary, mark="")
        )[-1]
        == "Nothing differs."
    )


def test_vocabularies() -> None:
    text = version("(holding ?x))\n\n", "(holding ?x) (heavy ?x))\n\n").replace(
        "(:action stack", "(:action pile"
    )
    assert difference(text).vocabulary == (
        "The action pile is only in the second.",
        "The action stack is only in the first.",
        "The predicate heavy is only in the second.",
    )


def test_one_thing_for_two_parameters_is_tried_if_asked() -> None:
    text = version("(holding ?x) (clear ?y))", "(holding ?x) (clear ?y) (not (= ?x ?y)))")
    assert not difference(text).differs
    found = difference(text, equality=True)
    (action,) = found.actions
    words = English(read_domain(BLOCKS).vocabulary, mark="")
    assert (
        action.spots[0].told(words).startswith("only the first can do it where Y and X are the same object")
    )
    assert "(= ?y ?x)" in action.spots[0].to_dict()["where"]


def test_unsettled_actions_are_not_certain() -> None:
    changed = read_domain(version(PICK_UP, "(clear ?x) (handempty))"))
    words = English(changed.vocabulary, mark="")
    why = {"pick-up": "its answers contradict each other", "stack": "it was never seen to run"}
    found = compare(Result("a", read_domain(BLOCKS)), Result("b", changed, unsettled=why))
    assert found.lines(words, words)[-1] == "  not certain: of the second, its answers contradict each other"


def test_command_line(tmp_path: Path) -> None:
    for name, text in (
        ("old", BLOCKS),
        ("new", version(PICK_UP, "(clear ?x) (handempty))")),
    ):
        assess(ModelAgent(read_domain(text)), out=tmp_path / name)

    def run(*words: object) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, ["diff", *map(str, words)])
        return result.exit_code, result.stdout, result.stderr

    code, out, _ = run(tmp_path / "old", tmp_path / "new")
    assert code == 1
    assert "- only the second can do it where" in out
    assert "  what the second cannot explain, in the first:\n  - question" in out
    assert "could not run" in out
    assert run(tmp_path / "old", tmp_path / "old")[0] == 0
    code, out, _ = run("--json", tmp_path / "old", tmp_path / "new")
    (action,) = json.loads(out)["actions"]
    assert action["differences"][0]["side"] == "second"
    assert action["unexplained"]["second"][0]["happened"] == "ran"
    (tmp_path / "none").mkdir()
    code, _, err = run(tmp_path / "old", tmp_path / "none")
    assert code == 2
    assert err.startswith("assay: there is no model in")
