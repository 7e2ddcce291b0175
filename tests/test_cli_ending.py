"""How a command ends when nobody listens any more, when it is told to, and what it prints whole."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.pddl.reader import read_domain

ASSAY = [sys.executable, "-m", "assay"]
DOMAINS = Path(__file__).parents[1] / "src" / "assay" / "bench" / "domains"
TPP = f"pddl:{DOMAINS / 'tpp.pddl'}"

LAMPS = f"""
import time
from assay.agents.model import ModelAgent
from assay.pddl.reader import read_domain

class Slow(ModelAgent):
    def ask(self, query, /):
        time.sleep(0.2)
        return super().ask(query)

def agent():
    return Slow(read_domain(open({str(DOMAINS / "freecell.pddl")!r}).read(), "freecell"))
"""


def test_printed_pddl_is_whole_however_narrow_the_terminal(tmp_path):
    done = subprocess.run(
        [*ASSAY, "run", TPP, "--out", str(tmp_path / "tpp"), "--quiet"],
        env=os.environ | {"COLUMNS": "60"},
        capture_output=True,
        text=True,
        check=True,
    )
    begin = done.stdout.index("(define")
    printed = done.stdout[begin : done.stdout.index("\n)\n", begin) + 3]
    assert read_domain(printed, "printed") == read_domain(
        (tmp_path / "tpp" / "model.pddl").read_text(), "file"
    )


@pytest.mark.parametrize("arguments", [["run", TPP, "--quiet", "--out"], ["run", "--help"]])
def test_a_reader_that_goes_away_changes_no_exit_code(tmp_path, arguments):
    where = [str(tmp_path / "tpp")] if arguments[-1] == "--out" else []
    process = subprocess.Popen([*ASSAY, *arguments, *where], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(timeout=60) == 0, process.stderr.read()
    process.stderr.close()


def test_a_run_that_is_told_to_end_keeps_what_it_learned(tmp_path):
    (tmp_path / "slow.py").write_text(LAMPS)
    folder = tmp_path / "out"
    process = subprocess.Popen(
        [*ASSAY, "run", "python:slow:agent", "--quiet", "--out", str(folder)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 30
    journal = folder / "journal.jsonl"
    while time.monotonic() < deadline and (not journal.exists() or journal.read_bytes().count(b"\n") < 4):
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 3, errors
    assert not json.loads((folder / "summary.json").read_text())["complete"]
    assert read_domain((folder / "model.pddl").read_text(), "model").vocabulary.name == "freecell"


@pytest.mark.parametrize("command", ["resume", "verify"])
def test_a_journal_without_a_whole_first_line_holds_nothing(tmp_path, command):
    folder = tmp_path / "tpp"
    subprocess.run([*ASSAY, "run", TPP, "--out", str(folder), "--quiet"], check=True, capture_output=True)
    journal = folder / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:300])
    done = subprocess.run([*ASSAY, command, str(folder)], capture_output=True, text=True)
    assert done.returncode == 2
    assert f"remove {folder} and run again" in done.stderr
