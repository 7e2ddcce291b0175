"""`assay verify` on the command line: what is wrong, in which file, and how to go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import DELIVERY


def test_a_partial_run_claims_nothing_that_is_not_so(call):
    call("run", DELIVERY, "--out", "r", "--budget", "3", "--quiet", code=3)
    assert "no strength" in call("verify", "r").stdout
    assert "Strength 1 is asked for" in " ".join(
        call("verify", "r", "--strength", "1", code=3).stdout.split()
    )


def test_verify_says_which_file_is_wrong(call, tmp_path):
    call("run", DELIVERY, "--out", "r", "--quiet")
    name = "description.md"
    content = (tmp_path / "r" / name).read_bytes()
    (tmp_path / "r" / name).unlink()
    assert f"{name} is missing" in call("verify", "r", code=3).stdout
    call("resume", "r", "--quiet")
    assert (tmp_path / "r" / name).read_bytes() == content
    call("verify", "r")
    model = tmp_path / "r" / "model.pddl"
    model.write_text(model.read_text().replace("(at ?t ?l)", "", 1))
    assert "model.pddl" in call("verify", "r", code=3).stdout


def test_more_than_is_shown_must_not_be_claimed(call, tmp_path):
    call("run", DELIVERY, "--out", "r", "--strength", "1", "--quiet")
    certificate = tmp_path / "r" / "certificate.json"
    certificate.write_text(certificate.read_text().replace('"strength": 1', '"strength": 3'))
    told = " ".join(call("verify", "r", code=3).stdout.split())
    assert "strength 3 is claimed; the answers show" in told


def test_a_certificate_that_is_not_there_is_missed_and_the_answers_are_counted(call, tmp_path):
    call("run", DELIVERY, "--out", "r", "--quiet")
    (tmp_path / "r" / "certificate.json").unlink()
    told = " ".join(call("verify", "r", code=3).stdout.split())
    assert "There is no certificate.json: nothing is claimed." in told
    assert "The answers show strength 2" in told


@pytest.mark.parametrize(
    ("agent", "names"),
    [
        (["sdma:driving", "--precision", "0.15"], ["summary.json", "description.md"]),
        (["game:zelda:3x4:search"], ["description.md"]),
    ],
)
def test_verify_misses_files_of_other_kinds_of_runs(call, tmp_path, agent, names):
    call("run", *agent, "--out", "r", "--quiet")
    call("verify", "r")
    for name in names:
        (tmp_path / "r" / name).unlink()
    told = " ".join(call("verify", "r", code=3).stdout.split())
    for name in names:
        assert f"{name} is missing: 'assay resume r' writes it again." in told


def test_verify_replays_against_the_agent(call):
    call("run", DELIVERY, "--out", "r", "--quiet")
    assert "the same answers" in call("verify", "r", "--replay", DELIVERY).stdout.replace("\n", " ")


def test_an_edited_journal_is_no_evidence(call, tmp_path):
    call("run", DELIVERY, "--out", "r", "--quiet")
    journal = tmp_path / "r" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"steps":', b'"steps": ', 1))
    assert "the journal was edited" in call("verify", "r", code=2).stderr


def test_verify_of_a_journal_that_went_on_says_so(call):
    call("run", DELIVERY, "--out", "r", "--budget", "2", "--quiet", code=3)
    earlier = {name: (Path("r") / name).read_bytes() for name in ("model.pddl", "certificate.json")}
    call("resume", "r", "--budget", "4", "--quiet", code=3)
    for name, content in earlier.items():
        (Path("r") / name).write_bytes(content)
    told = " ".join(call("verify", "r", code=3).stdout.split())
    assert "a journal of 2 questions; this one has 4" in told


def test_verify_of_a_journal_without_its_end_says_what_is_missing(call):
    call("run", DELIVERY, "--out", "r", "--quiet")
    journal = Path("r/journal.jsonl")
    whole = journal.read_bytes()
    journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:-8]))
    told = " ".join(call("verify", "r", code=3).stdout.split())
    assert "the rest is missing" in told
    call("resume", "r", "--quiet")
    assert journal.read_bytes() == whole
    call("verify", "r")
