"""Whatever goes wrong outside is one sentence and the right exit code, and nothing learned is lost."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

import pytest

HOLD = "while os.path.exists('hold'): time.sleep(0.01)"
NOTE = "open('asked', 'a').write('.')"


def sentence(process, code):
    assert process.returncode == code, process
    assert "Traceback" not in process.stderr
    assert process.stderr.startswith("assay: ")
    assert len(process.stderr.splitlines()) <= 2
    return process.stderr


@pytest.fixture
def begun(tmp_path, lamps):
    """A run that waits for its fourth answer; a test then does something to it."""
    started = []

    def begin(**options):
        (tmp_path / "hold").write_text("")
        trick = f"if asked == 4:\n        {HOLD}"
        command = [sys.executable, "-m", "assay", "run", lamps(trick), "--out", "r", "--quiet"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        process = subprocess.Popen(command, cwd=tmp_path, **pipes | options)
        started.append(process)
        journal = tmp_path / "r" / "journal.jsonl"
        while not journal.exists() or len(journal.read_bytes().splitlines()) < 4:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        return process

    yield begin
    for process in started:
        process.kill()
        process.wait()


def ended(process, tmp_path):
    (tmp_path / "hold").unlink(missing_ok=True)
    out, error = process.communicate(timeout=20)
    return subprocess.CompletedProcess(process.args, process.returncode, out, error)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGINT"])
def test_signals_end_a_run_with_what_it_learned(begun, call, tmp_path, name):
    process = begun()
    process.send_signal(getattr(signal, name))
    said = sentence(ended(process, tmp_path), 3)
    assert "assay resume r" in said
    assert json.loads((tmp_path / "r" / "summary.json").read_text())["outcome"] == "interrupted"
    call("resume", "r", "--quiet", "--trust")


def test_hangup_is_ignored_if_it_was(begun, tmp_path):
    process = begun(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.send_signal(signal.SIGHUP)
    assert ended(process, tmp_path).returncode == 0


@pytest.mark.parametrize("how", ["removed", "renamed"])
def test_a_folder_that_goes_away_is_written_again(begun, call, tmp_path, how):
    process = begun()
    if how == "removed":
        shutil.rmtree(tmp_path / "r")
    else:
        (tmp_path / "r").rename(tmp_path / "elsewhere")
    done = ended(process, tmp_path)
    assert done.returncode == 0, done
    assert "was gone" in done.stderr
    call("verify", "r")


def test_a_full_disk_keeps_what_was_learned(assay, call, lamps):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_500, 2_500))

    full = assay("run", lamps(), "--out", "r", "--quiet", preexec_fn=limit)
    assert "too large" in sentence(full, 2)
    assert "assay resume r" in full.stderr
    call("resume", "r", "--quiet", "--trust")
    call("verify", "r")


def test_standard_output_that_is_full_or_closed(assay, call, lamps):
    with open("/dev/full", "w") as full:
        said = assay("run", lamps(), "--out", "r", "--quiet", capture_output=False, stdout=full, stderr=-1)
    assert "No space left" in sentence(said, 2)
    call("verify", "r")
    for number in (0, 1, 2):
        closed = assay(
            "run", lamps(), "--out", f"c{number}", "--quiet", preexec_fn=lambda n=number: os.close(n)
        )
        assert closed.returncode == 0, closed
        call("verify", f"c{number}")
    with open("/dev/full", "w") as full:
        assert assay("verify", "nowhere", capture_output=False, stdout=-1, stderr=full).returncode == 2


def test_a_report_that_cannot_be_written(call, finished):
    (finished / "report.html").unlink()
    (finished / "report.html").mkdir()
    (finished / "report.html" / "x").write_text("")
    said = call("report", str(finished), code=2).output
    assert said.startswith("assay: ")


@pytest.mark.parametrize("command", ["run", "verify", "report", "resume", "serve", "watch", "diff"])
def test_a_name_of_300_characters(call, lamps, command):
    name = "x" * 300
    arguments = {"run": [lamps(), "--out", name], "diff": [name, name]}.get(command, [name])
    assert call(command, *arguments, code=2).output.strip().startswith("assay: ")


@pytest.mark.parametrize(
    "options",
    [
        "",
        "[]",
        "null",
        "{",
        "{}",
        '{"agent": 5}',
        '{"agent": null}',
        '{"agent": "", "budget": 3}',
        '{"agent": "x", "timeout": "soon"}',
        '{"agent": "x", "budget": true}',
        '{"agent": "x", "kind": ["capabilities"]}',
        '{"agent": "x", "kind": "capabilities"}',
        "\xff\xfe",
        "[" * 100_000,
    ],
)
def test_a_run_json_that_is_none(call, finished, options):
    (finished / "run.json").write_bytes(options.encode("latin-1"))
    for command in ("resume", "report"):
        said = call(command, str(finished), code=None).output
        assert said.startswith("assay: ") or command == "report"
