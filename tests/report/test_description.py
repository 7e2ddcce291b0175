"""description.md: the first lines answer what the agent can do, how sure that is, and what is odd."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.session import assess
from assay.testing.hidden import hidden_agent


def text(folder: Path) -> str:
    return (folder / "description.md").read_text()


def short(folder: Path) -> str:
    """What stands before the first action."""
    return text(folder).partition("\n## `")[0]


def test_the_first_lines_answer(folders: dict[str, Path]) -> None:
    lines = short(folders["complete"])
    assert lines.startswith("# What the delivery agent can do\n")
    assert "Complete: all 3 actions at strength 2." in lines
    assert "**Can do:** `drive(T, FROM, TO)`, `load(P, T, L)` and `unload(P, T, L)`." in lines
    assert "the only model at strength 2 that gives these answers" in lines
    assert "Not found would be:" in lines


def test_each_literal_has_its_entries(folders: dict[str, Path]) -> None:
    told = text(folders["complete"])
    assert "**When it runs:** if `at(P, L)` and `at(T, L)` are true." in told
    assert "`in(P, T)` becomes true and `at(P, L)` becomes false. Nothing else changes." in told
    assert re.search(r"needed that `at\(T, L\)` is true: without just that, refused in #\d+", told)
    assert re.search(r"it ran in #\d+", told)


def test_a_spent_budget_is_no_success(folders: dict[str, Path]) -> None:
    assert "Not complete, the budget ran out: " in short(folders["budget"])
    told = text(folders["nothing"])
    assert "**Can do:** nothing, as far as was seen." in told
    assert "nothing is claimed" in told


def test_answers_that_contradict_each_other_stand_side_by_side(folders: dict[str, Path]) -> None:
    lines = short(folders["contradiction"])
    assert "1 contradicts itself" in lines
    assert re.search(r"`stack\(.*\)` contradicts itself \(#\d+, #\d+\)", lines)
    table = [line for line in text(folders["contradiction"]).splitlines() if line.startswith("|")]
    assert re.fullmatch(r"\|  \| #\d+ \| #\d+ \|", table[0])
    answers = table[-1]
    assert "refused" in answers
    assert "it ran" in answers
    assert "**When it runs:**" in text(folders["contradiction"])  # of the other actions


def test_signs_of_a_wrong_adapter_are_told(folders: dict[str, Path]) -> None:
    assert "Every situation was called impossible" in short(folders["nowhere"])
    assert "`no such <b>hall</b>`" in short(folders["nowhere"])
    assert "No answer changed anything" in short(folders["still"])


def test_what_an_agent_wrote_does_nothing(folders: dict[str, Path]) -> None:
    told = text(folders["failed"])
    assert "\x1b" not in told
    for line in told.splitlines():
        outside = "".join(line.split("`")[::2])
        assert "<script>" not in outside
        assert "](http" not in outside


def test_actions_that_never_ran_say_how_often_they_were_tried(make) -> None:
    action = "(:action go :precondition (and (a) (not (a))) :effect (b))"
    never = f"(define (domain d) (:predicates (a) (b)) {action})"
    told = text(make(never))
    assert re.search(r"\*\*Never ran:\*\* `go`, refused all \d+ times it was tried", told)


@pytest.mark.parametrize(
    ("kind", "seed", "said"),
    [
        ("needs other with two facts", 1, "there is a room Z other than X2 or X3 such that"),
        ("changes others when", 2, "for every crate Z other than"),
        ("two ors", 3, "it runs in 4 ways"),
        ("toggle", 1, "becomes false"),
    ],
)
def test_conditions_beyond_conjunctions_are_told(kind: str, seed: int, said: str) -> None:
    assert said in assess(hidden_agent(kind, seed)).describe()


def test_states_between_that_were_told_are_not_doubted() -> None:
    sentence = "states between are as the model foretells"
    assert sentence in assess(hidden_agent("plain", 1), strength=0).describe()
    assert sentence not in assess(hidden_agent("plain", 1, tells=True), strength=0).describe()
