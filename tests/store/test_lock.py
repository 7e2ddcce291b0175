"""One writer at a time: every command that appends to a journal keeps others out, and lets them in again."""

from __future__ import annotations

import shutil
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli import app
from assay.errors import InputError, JournalError
from assay.store.chain import Chain, read_lines

DELIVERY = files("assay.bench") / "domains" / "delivery.pddl"
RUNS = {
    "journal.jsonl": ["run", f"pddl:{DELIVERY}", "--budget", "3"],
    "with chance/journal.jsonl": ["run", "sdma:driving", "--samples", "9"],
    "reaches.jsonl": ["run", "game:zelda:3x4:search", "--budget", "5"],
}


def call(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    return result.exit_code, " ".join(result.output.split())


def test_a_second_writer_gets_nothing_and_harms_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with closing(Chain.create(path)) as chain:
        chain.append({"n": 1})
        before = path.read_bytes()
        with pytest.raises(InputError, match=r"still writing to .*: wait .* 'assay resume .*' goes on"):
            Chain.resume(path)
        with pytest.raises(InputError, match="already holds a run"):
            Chain.create(path)
        assert path.read_bytes() == before
        assert read_lines(path).data == ({"n": 1},), "readers are not kept out"
    resumed, lines = Chain.resume(path)
    resumed.close()
    assert lines.data == ({"n": 1},)


def test_a_journal_that_cannot_be_gone_on_with_is_let_go_of(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_text("{}\n")
    for _ in range(2):
        with pytest.raises(JournalError, match="not a journal line"):
            Chain.resume(path)
    with pytest.raises(JournalError, match="cannot go on with journal"):
        Chain.resume(tmp_path / "elsewhere.jsonl")


@pytest.mark.parametrize("name", RUNS)
def test_every_kind_of_run_is_kept_out(name: str, tmp_path: Path) -> None:
    journal = tmp_path / name
    command, *options = RUNS[name]
    code, said = call(command, *options, "--out", journal.parent, "--quiet")
    assert code == 3, said
    shutil.copytree(journal.parent, tmp_path / "before")
    holder, _ = Chain.resume(journal)
    with closing(holder):
        code, said = call("resume", journal.parent, "--quiet")
        assert code == 2, said
        assert f"another assay is still writing to {journal.parent}" in said
    for path in (tmp_path / "before").iterdir():
        if path.is_file():
            assert (journal.parent / path.name).read_bytes() == path.read_bytes()
    code, said = call("resume", journal.parent, "--quiet")
    assert code == 3, said
