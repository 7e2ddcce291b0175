"""Folders of agents that press keys: what is in order is said to be, and what is not is found."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from players import Odd, gives_up, never_looking_up, superstitious
from typer.testing import CliRunner

from assay.agents.keys import KeyAgent
from assay.cli import app
from assay.core.model import ActionModel
from assay.core.reach import Answer, Cannot, Reached
from assay.core.symbols import ActionHeader, Atom, Literal, Parameter
from assay.core.vocabulary import Vocabulary
from assay.discovery.folder import write_study
from assay.discovery.study import study
from assay.errors import InputError, JournalError
from assay.games.opening import open_game
from assay.perception.predicates import predicate
from assay.proof.capabilities import verify_capabilities
from assay.proof.scope import Scope, Some
from assay.store.chain import Chain, read_lines


def write(agent: Any, out: Path, **options: Any) -> Path:
    write_study(study(agent, name="player", out=out, **options), agent, out)
    return out


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("policy") / "folder"
    return write(open_game("zelda:4x4:policy-hand", 3), out, seed=3)


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "copy"))


def edit(folder: Path, name: str, change: Callable[[Any], None]) -> None:
    data = json.loads((folder / name).read_text())
    change(data)
    (folder / name).write_text(json.dumps(data))


def replace(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))


def rechained(folder: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """A forged journal, its hashes in order."""
    path = folder / "reaches.jsonl"
    lines = [dict(line) for line in read_lines(path).data]
    change(lines)
    path.unlink()
    chain = Chain.create(path)
    for line in lines:
        chain.append(line)
    chain.close()


def capability(data: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(c for c in data["capabilities"] if c["name"] == name)
    return found


def test_a_folder_in_order(folder: Path) -> None:
    verdict = verify_capabilities(folder)
    assert verdict.proved
    assert (verdict.problems, verdict.open) == ((), ())
    assert verdict.changes > 20
    assert verdict.refusals > 0
    result = CliRunner().invoke(app, ["verify", str(folder)])
    assert result.exit_code == 0
    assert "The journal is whole" in result.output
    assert "is an instance of a capability, of which there are 6" in result.output
    result = CliRunner().invoke(app, ["verify", str(folder), "--json"])
    assert json.loads(result.output)["proved"]
    result = CliRunner().invoke(app, ["verify", str(folder), "--replay", "game:zelda:4x4:policy-hand"])
    assert result.exit_code == 2
    assert "--replay" in result.output


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["zelda:3x4:search", "zelda:3x4:policy-hand", "escape:3x3:policy-hand"])
def test_every_observed_change_is_a_grounding_of_a_capability(kind: str, seed: int, tmp_path: Path) -> None:
    out = write(open_game(kind, seed), tmp_path / "x", seed=seed)
    assert verify_capabilities(out).problems == ()


def test_an_edited_journal(folder: Path) -> None:
    replace(folder, "reaches.jsonl", '"keys":["A"', '"keys":["D"')
    with pytest.raises(JournalError, match="the hash does not match"):
        verify_capabilities(folder)


def test_a_forged_way_that_does_not_lead_to_the_target(folder: Path) -> None:
    def forge(lines: list[dict[str, Any]]) -> None:
        entry = next(e for e in lines if len(e.get("changes", ())) > 1)
        entry["changes"] = entry["changes"][:-1]

    rechained(folder, forge)
    with pytest.raises(JournalError, match="do not lead to the target"):
        verify_capabilities(folder)


def test_a_forged_change_of_what_did_not_hold(folder: Path) -> None:
    def forge(lines: list[dict[str, Any]]) -> None:
        entry = next(e for e in lines if "cannot" in e)
        entry["removed"] = [*entry["removed"], "at player1 cell_9_9"]

    rechained(folder, forge)
    with pytest.raises(JournalError, match="at player1 cell_9_9"):
        verify_capabilities(folder)


def test_a_condition_that_an_observed_change_does_not_meet(folder: Path) -> None:
    edit(folder, "capabilities.json", lambda d: capability(d, "move")["precondition"].append("(has_key)"))
    (problem,) = [p for p in verify_capabilities(folder).problems if "model.pddl" in p]
    assert problem.startswith("move has another condition")
    replace(
        folder,
        "model.pddl",
        "(clear ?there)\n      (not (at ?key",
        "(clear ?there)\n (has_key) (not (at ?key",
    )
    problems = verify_capabilities(folder).problems
    assert any("is no instance of any capability" in p and "(at player1" in p for p in problems)
    assert not any("model.pddl" in p for p in problems)


def test_a_condition_that_promises_what_the_agent_refused(folder: Path) -> None:
    edit(
        folder,
        "capabilities.json",
        lambda d: capability(d, "kill_monster")["precondition"].remove("(has_key)"),
    )
    text = (folder / "model.pddl").read_text()
    at = text.index("(:action kill_monster")
    (folder / "model.pddl").write_text(text[:at] + text[at:].replace("(has_key)", "", 1))
    problems = verify_capabilities(folder).problems
    assert problems
    assert all("kill_monster promises" in p and "and the agent cannot" in p for p in problems)
    result = CliRunner().invoke(app, ["verify", str(folder)])
    assert result.exit_code == 3
    assert "Not in order." in result.output


def test_a_capability_that_was_left_out(folder: Path) -> None:
    edit(folder, "capabilities.json", lambda d: d["capabilities"].remove(capability(d, "escape")))
    problems = " ".join(verify_capabilities(folder).problems)
    assert "(escaped) is no instance of any capability" in problems
    assert "model.pddl and capabilities.json disagree" in problems
    assert "summary.json says capabilities" in problems


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("summary.json", lambda d: d.update(agent_questions=1), "summary.json says agent_questions 1"),
        ("summary.json", lambda d: d.update(observed_changes=1), "summary.json says observed_changes 1"),
        ("summary.json", lambda d: d.update(budget_spent=True), "calls the description complete"),
        (
            "capabilities.json",
            lambda d: capability(d, "move")["examples"][0].update(keys=["E"]),
            "the keys E",
        ),
        (
            "capabilities.json",
            lambda d: capability(d, "move")["examples"][0].update(entry=999),
            "question 999",
        ),
        (
            "capabilities.json",
            lambda d: capability(d, "kill_monster")["refusals"][0].update(entry=1),
            "question 1 is not the refusal",
        ),
        (
            "capabilities.json",
            lambda d: d["quantified"]["some_monster_alive"].update(meaning="(exists () (escaped))"),
            "(some_monster_alive) is not explained",
        ),
    ],
)
def test_files_that_do_not_agree(folder: Path, name: str, change: Callable[[Any], None], said: str) -> None:
    edit(folder, name, change)
    assert any(said in problem for problem in verify_capabilities(folder).problems)


def test_what_is_no_result_is_said(folder: Path) -> None:
    edit(folder, "summary.json", lambda d: d.pop("gave_up"))
    with pytest.raises(InputError, match="not what a run writes"):
        verify_capabilities(folder)
    (folder / "summary.json").unlink()
    with pytest.raises(InputError, match="no finished study"):
        verify_capabilities(folder)


def test_a_player_whose_low_level_state_decides_is_not_held_against_the_words(tmp_path: Path) -> None:
    verdict = verify_capabilities(write(Odd("zelda:3x4:search", 3, never_looking_up), tmp_path / "x", seed=3))
    assert verdict.problems == ()
    assert verdict.excused > 0
    assert any("the low-level state decides" in s for s in verdict.sentences())


def test_a_player_that_no_conjunction_fits_is_named(tmp_path: Path) -> None:
    verdict = verify_capabilities(write(Odd("zelda:3x4:search", 3, superstitious), tmp_path / "x", seed=3))
    assert verdict.problems == ()
    assert not verdict.proved
    assert verdict.admitted > 0
    assert any(s.startswith("move") and "no conjunction" in s for s in verdict.open)


def test_a_player_that_gives_up_and_one_that_is_cut_off_are_not_proved(tmp_path: Path) -> None:
    tired = verify_capabilities(write(Odd("zelda:3x4:search", 3, gives_up), tmp_path / "x", seed=3))
    cut = verify_capabilities(write(open_game("zelda:3x4:search", 3), tmp_path / "y", seed=3, budget=8))
    for verdict in (tired, cut):
        assert verdict.problems == ()
        assert verdict.open
        assert not verdict.proved


def test_a_task_of_one_change_that_is_refused_while_watching_counts(tmp_path: Path) -> None:
    """Lamps that go on for good, all alike in words; the agent has something against the first."""

    def press(state: frozenset[str], key: str) -> frozenset[str]:
        return state | {key}

    def reach(low: frozenset[str], target: frozenset[str]) -> Answer:
        new = sorted(target - low)
        if "l0" in new or not low <= target:
            return Cannot("not that one")
        return Reached(tuple(new), tuple(low | set(new[:n]) for n in range(len(new) + 1)))

    lamps = [f"l{n}" for n in range(12)]

    @predicate
    def on(state: frozenset[str], lamp: lamp) -> bool:  # type: ignore[name-defined]  # noqa: F821
        return lamp in state

    agent = KeyAgent(
        starts=[frozenset(lamps) - {lamp} for lamp in lamps],
        keys=lamps,
        press=press,
        predicates=[on],
        objects=dict.fromkeys(lamps, "lamp"),
        reach=reach,
    )
    verdict = verify_capabilities(write(agent, tmp_path / "x", seed=1))
    assert verdict.refusals > 0
    assert verdict.problems == ()
    assert verdict.admitted > 0


# --- whether a capability brings a change about


VOCABULARY = Vocabulary.of(
    types={"cell": "object", "box": "object"},
    predicates={
        "at": {"b": "box", "c": "cell"},
        "clear": {"c": "cell"},
        "near": {"c": "cell", "d": "cell"},
        "hot": {},
    },
    actions={},
)
OBJECTS = {"b1": "box", "c1": "cell", "c2": "cell", "c3": "cell"}
PUSH = ActionModel.strips(
    ActionHeader("push", (Parameter("?b", ("box",)), Parameter("?c", ("cell",)), Parameter("?d", ("cell",)))),
    frozenset(
        {
            Literal(Atom("at", ("?b", "?c"))),
            Literal(Atom("near", ("?c", "?d"))),
            Literal(Atom("some_hot"), False),
        }
    ),
    frozenset(
        {
            Literal(Atom("at", ("?b", "?d"))),
            Literal(Atom("at", ("?b", "?c")), False),
            Literal(Atom("clear", ("?c",))),
            Literal(Atom("clear", ("?d",)), False),
        }
    ),
)


def facts(*texts: str) -> frozenset[Atom]:
    return frozenset(map(Atom.parse, texts))


@pytest.mark.parametrize(
    ("before", "after", "so"),
    [
        (("at b1 c1", "near c1 c2", "clear c2"), ("at b1 c2", "near c1 c2", "clear c1"), True),
        (("at b1 c1", "clear c2"), ("at b1 c2", "clear c1"), False),  # not near
        (("at b1 c1", "near c1 c2", "clear c2", "hot"), ("at b1 c2", "near c1 c2", "clear c1", "hot"), False),
        (("at b1 c1", "near c1 c2", "clear c2"), ("near c1 c2", "clear c1"), False),  # half of it
        (("at b1 c1", "near c1 c2", "clear c2"), ("at b1 c2", "near c1 c2"), False),  # derived, of what moved
        (("at b1 c1", "near c1 c2", "clear c2"), ("at b1 c2", "near c1 c2", "clear c1", "clear c3"), True),
        (("at b1 c1", "near c1 c2"), ("at b1 c1", "near c1 c2"), False),
    ],
)
def test_bringing_a_change_about(before: tuple[str, ...], after: tuple[str, ...], so: bool) -> None:
    scope = Scope(VOCABULARY, OBJECTS, frozenset({"clear"}), {"some_hot": Some("hot", ())})
    assert scope.brings_about(PUSH, facts(*before), facts(*after)) is so
