"""The numbers of a report are those of the run, and its sentences those of the description."""

from __future__ import annotations

import re
import shutil
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from assay.errors import InputError, JournalError
from assay.report.findings import Findings, read_findings
from assay.report.paragraph import Mention

ENDINGS = {
    "blocksworld": "complete",
    "delivery": "complete",
    "budget": "budget",
    "contradiction": "contradiction",
    "failed": "failed",
    "nothing": "budget",
}


@pytest.fixture(params=list(ENDINGS), scope="module")
def case(request: pytest.FixtureRequest, folders: dict[str, Path]) -> tuple[str, Path, Findings]:
    name = request.param
    return name, folders[name], read_findings(folders[name])


def test_numbers_agree_with_the_summary(case: tuple[str, Path, Findings]) -> None:
    name, folder, found = case
    summary = msgspec.json.decode((folder / "summary.json").read_bytes())
    assert found.outcome == summary["outcome"] == ENDINGS[name]
    for field in ("questions", "search", "steps", "rejected", "complete", "error", "seconds"):
        assert getattr(found, field) == summary[field], field
    assert found.bound == summary["lower_bound"]
    assert msgspec.to_builtins(found.slots) == summary["slots"]
    assert len(found.never_ran) == len(summary["never_ran"])
    assert found.origin.seed == summary["seed"]
    assert found.headline


def test_the_curve_rises_to_what_is_settled(case: tuple[str, Path, Findings]) -> None:
    _, _, found = case
    assert len(found.curve) == found.questions + 1
    assert found.curve[0] == 0
    assert list(found.curve) == sorted(found.curve)
    assert found.curve[-1] == found.slots.settled + found.slots.indistinguishable
    if found.complete:
        assert found.curve[-1] == found.slots.total
    gains = [len(row.settled) + row.cleared for row in found.journal]
    assert gains == [b - a for a, b in pairwise(found.curve)]


def test_sentences_are_those_of_the_description(case: tuple[str, Path, Findings]) -> None:
    _, folder, found = case
    description = (folder / "description.md").read_text()
    for action in found.actions:
        text = "".join(p.text if isinstance(p, Mention) else p for p in action.text)
        assert text in description
        points = {point.key: point for point in action.points}
        mentioned = [points[p.key] for p in action.text if isinstance(p, Mention)]
        assert all(p.status == "settled" and p.mode != "absent" for p in mentioned)
        assert all(p.witnesses for p in mentioned)


def test_every_literal_of_the_model_is_mentioned(case: tuple[str, Path, Findings]) -> None:
    _, _, found = case
    for action in found.actions:
        said = {piece.key for piece in action.text if isinstance(piece, Mention)}
        literals = {p.key for p in action.points if p.mode != "absent" and p.status == "settled"}
        assert said == literals


def test_points_are_the_certificate_s_claims(folders: dict[str, Path]) -> None:
    found = read_findings(folders["blocksworld"])
    certificate = msgspec.json.decode((folders["blocksworld"] / "certificate.json").read_bytes())
    claims = {(c["action"], c["part"], c["atom"]): c for c in certificate["claims"]}
    points = {(a.name, p.part, p.atom): p for a in found.actions for p in a.points}
    assert points.keys() == claims.keys()
    for key, point in points.items():
        assert (point.mode, point.status) == (claims[key]["mode"], claims[key]["status"])
        assert list(point.evidence) == claims[key]["evidence"]
        assert {w.question for w in point.witnesses} <= set(point.evidence)


def test_a_condition_is_shown_by_its_refusal(folders: dict[str, Path]) -> None:
    found = read_findings(folders["blocksworld"])
    for action in found.actions:
        for point in action.points:
            if point.part == "precondition" and point.mode == "+":
                assert point.witnesses[0].decisive
                assert re.match(r"The agent refused to .* where .* not ", point.witnesses[0].shows)


def test_a_run_that_was_killed_is_told_as_unfinished(folders: dict[str, Path], tmp_path: Path) -> None:
    for name in ("journal.jsonl", "run.json", "timings.jsonl"):
        shutil.copy(folders["blocksworld"] / name, tmp_path)
    lines = (tmp_path / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "journal.jsonl").write_bytes(b"".join(lines[:5]) + lines[5][:40])
    found = read_findings(tmp_path)
    assert (found.outcome, found.questions, found.complete) == ("unfinished", 4, False)
    assert found.origin.certified is None
    shutil.copy(folders["blocksworld"] / "summary.json", tmp_path)
    assert read_findings(tmp_path).outcome == "unfinished"  # that summary is about ten questions


def test_a_contradiction_names_the_answers(folders: dict[str, Path]) -> None:
    found = read_findings(folders["contradiction"])
    assert found.conflict is not None
    assert len(found.conflict.numbers) >= 2
    assert str(found.conflict.numbers[0]) in found.conflict.text


def test_how_to_reproduce(folders: dict[str, Path]) -> None:
    origin = read_findings(folders["blocksworld"]).origin
    assert origin.command == "assay run pddl:blocksworld.pddl --strategy chain --seed 0"
    assert origin.certified
    assert origin.journal_hash in origin.citation
    assert "equality=True" in read_findings(folders["delivery"]).origin.command
    assert "budget=6" in read_findings(folders["budget"]).origin.command


def test_everything_is_plain_data(case: tuple[str, Path, Findings]) -> None:
    _, _, found = case
    assert msgspec.json.decode(msgspec.json.encode(found))["questions"] == found.questions


def test_what_is_no_result_folder(tmp_path: Path, folders: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="not a result folder"):
        read_findings(tmp_path)
    shutil.copytree(folders["nothing"], tmp_path / "broken")
    (tmp_path / "broken" / "summary.json").write_text("{")
    with pytest.raises(JournalError, match=r"summary\.json"):
        read_findings(tmp_path / "broken")
