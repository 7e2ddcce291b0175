"""`assay verify` on the command line: what is wrong, in which file, and how to go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import DELIVERY, DOMAINS


def test_verify_names_what_a_partial_run_does_not_prove(call):
    call("run", DELIVERY, "--out", "r", "--budget", "3", "--quiet", code=3)
    assert "Not proved" in call("verify", "r", code=3).stdout


def test_verify_says_which_file_is_wrong(call, tmp_path):
    call("run", DELIVERY, "--out", "r", "--quiet")
    for name in ("summary.json", "description.md"):
        content = (tmp_path / "r" / name).read_bytes()
        (tmp_path / "r" / name).unlink()
        told = " ".join(call("verify", "r", code=3).stdout.split())
        assert told == (
            "Not in order: the journal proves the model, but other files do not fit it. "
            f"- {name} is missing: 'assay resume r' writes it again. "
            "- This is the only model, up to equivalence, that gives these answers."
        )
        call("resume", "r", "--quiet")
        if name == "description.md":
            assert (tmp_path / "r" / name).read_bytes() == content
        call("verify", "r")
    model = tmp_path / "r" / "model.pddl"
    model.write_text(model.read_text().replace("(at ?t ?l)", "", 1))
    told = " ".join(call("verify", "r", code=3).stdout.split())
    assert told.startswith("Not proved. - model.pddl is not the file that the certificate is about.")
    assert "certificate.json says that load: precondition (at ?t ?l) is +; model.pddl says absent." in told
    assert "The model does not give the answer to question 4." in told
    assert "cited questions" not in told
    assert "called indistinguishable" not in told


@pytest.mark.parametrize("name", ["summary.json", "certificate.json"])
def test_a_file_that_is_not_there_is_not_held_against_others(call, tmp_path, name):
    call("run", DELIVERY, "--start", "reset", "--out", "r", "--quiet")
    (tmp_path / "r" / name).unlink()
    told = " ".join(call("verify", "r", code=3).stdout.split())
    assert name in told
    assert "description.md" not in told
    assert "alternatives" not in told


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


def test_verify_of_a_run_that_was_cut_off_tells_how_to_go_on(call):
    call("run", DELIVERY, "--out", "r", "--budget", "2", "--quiet", code=3)
    earlier = {name: (Path("r") / name).read_bytes() for name in ("model.pddl", "certificate.json")}
    for name in earlier:
        (Path("r") / name).unlink()
    told = " ".join(call("verify", "r", code=3).stdout.split())
    assert "There is no model yet: the run was cut off. 'assay resume r' goes on with it." in told
    call("resume", "r", "--budget", "4", "--quiet", code=3)
    for name, content in earlier.items():
        (Path("r") / name).write_bytes(content)
    told = " ".join(call("verify", "r", code=3).stdout.split())
    assert "a journal of 2 questions; this one has 4. If the run was cut off, 'assay resume r'" in told


def test_verify_of_a_journal_without_its_end_is_short_and_tells_how_to_go_on(call):
    barman = f"pddl:{DOMAINS / 'barman.pddl'}"
    call("run", barman, "--out", "r", "--quiet")
    journal = Path("r/journal.jsonl")
    whole = journal.read_bytes()
    journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:-8]))
    findings = json.loads(call("verify", "r", "--json", code=3).stdout)["findings"]
    verdict, *told = call("verify", "r", code=3).stdout.split("\n- ")
    assert verdict == "Not proved."
    assert " ".join(told[0].split()) == findings[0]
    assert findings[0].endswith("'assay resume r' goes on with it.")
    assert len(told) == 13
    assert told[-1] == f"and {len(findings) - 12} more; with --json all are listed.\n"
    call("resume", "r", "--quiet")
    assert journal.read_bytes() == whole
    call("verify", "r")
