"""Real kills of a real process: nothing journaled is asked again, and the end is that of a quiet run."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from assay.store.chain import Chain, read_lines
from assay.store.journal import read

KILLS = 8

AGENT = '''
"""A slow blocks-world agent that writes down every question it is asked."""
import os, time
from assay.agents.model import ModelAgent
from assay.bench.problems import load

model, problem = load("blocksworld", 2, 0)

class Slow(ModelAgent):
    def ask(self, query, /):
        note(query.state, *query.plan)
        return super().ask(query)

    def walk(self, query, /):
        note(query.state, "as you like")
        return super().walk(query)

def note(state, *plan):
    time.sleep(0.03)
    with open(os.environ["ASKED"], "a") as log:
        log.write(f"{state} | {' '.join(map(str, plan))}\\n")
    while os.path.exists("hold"):
        time.sleep(0.01)

def agent():
    return Slow(model, problem.objects, (problem.initial,))
'''


@pytest.fixture
def workshop(tmp_path):
    (tmp_path / "slow_blocks.py").write_text(AGENT)
    return tmp_path


def start(workshop: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "assay", *arguments, "--quiet"],
        cwd=workshop,
        env=os.environ | {"ASKED": str(workshop / "asked.txt")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return out


def test_kills_at_any_moment(workshop):
    finish(start(workshop, "run", "python:slow_blocks:agent", "--out", "quiet", "--max-plan", "3"))
    quiet = (workshop / "quiet" / "journal.jsonl").read_bytes()
    (workshop / "asked.txt").unlink()

    rng = random.Random(4)
    process = start(workshop, "run", "python:slow_blocks:agent", "--out", "killed", "--max-plan", "3")
    journal = workshop / "killed" / "journal.jsonl"
    kills = in_the_middle = 0
    while kills < KILLS:
        known = journal.stat().st_size if journal.exists() else 0
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and process.poll() is None:
            if journal.exists() and journal.stat().st_size > known:
                break
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.08))
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
        in_the_middle += journal.stat().st_size < len(quiet)
        process = start(workshop, "resume", "killed")
    finish(process)
    assert kills >= KILLS // 2
    assert in_the_middle >= KILLS // 2
    assert journal.read_bytes() == quiet
    for name in ("model.pddl", "certificate.json", "description.md"):
        assert (workshop / "killed" / name).read_bytes() == (workshop / "quiet" / name).read_bytes()
    first, second = (json.loads((workshop / f / "summary.json").read_text()) for f in ("quiet", "killed"))
    timeless = {k: v for k, v in first.items() if "seconds" not in k}
    assert {k: v for k, v in second.items() if "seconds" not in k} == timeless

    asked = (workshop / "asked.txt").read_text().splitlines()
    entries = len(read(journal).entries)
    again = json.loads((workshop / "killed" / "summary.json").read_text())["asked_again"]
    assert len(set(asked)) == entries - again
    # a question in flight when the kill came was never journaled, so it may be asked once more
    assert len(asked) <= entries + kills


@pytest.mark.parametrize("torn", [1, 90])
def test_a_torn_last_line_is_recovered_from(workshop, torn):
    finish(start(workshop, "run", "python:slow_blocks:agent", "--out", "done"))
    journal = workshop / "done" / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-torn])
    finish(start(workshop, "resume", "done"))
    assert journal.read_bytes() == whole


def test_a_finished_run_resumes_without_a_question(workshop):
    finish(start(workshop, "run", "python:slow_blocks:agent", "--out", "done"))
    before = (workshop / "asked.txt").read_text()
    finish(start(workshop, "resume", "done"))
    assert (workshop / "asked.txt").read_text() == before


def longer(path: Path) -> None:
    """A forged journal that holds its last answer twice, its hashes in order."""
    lines = [dict(line) for line in read_lines(path).data]
    path.unlink()
    with closing(Chain.create(path)) as chain:
        more = {k: v for k, v in lines[-1].items() if k != "source"} | {"n": lines[-1]["n"] + 1}
        for line in (*lines, more):
            chain.append(line)


@pytest.mark.parametrize(
    ("name", "agent", "options"),
    [
        ("journal.jsonl", "python:slow_blocks:agent", []),
        ("journal.jsonl", "sdma:driving", ["--precision", "0.15"]),
        ("reaches.jsonl", "game:zelda:3x4:search", []),
    ],
)
def test_a_journal_that_goes_on_where_the_run_ends_is_not_gone_on_with(workshop, name, agent, options):
    finish(start(workshop, "run", agent, *options, "--out", "r"))
    before = (workshop / "r" / "summary.json").read_bytes()
    longer(workshop / "r" / name)
    process = start(workshop, "resume", "r")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert re.search(r"at its end after \d+ \w+, and .* has \d+: was it edited, or begun by another", err)
    assert (workshop / "r" / "summary.json").read_bytes() == before, "what was written is left alone"
    verified = subprocess.run(
        [sys.executable, "-m", "assay", "verify", "r"], cwd=workshop, capture_output=True, text=True
    )
    assert verified.returncode == 3
    if agent.startswith("python:"):
        said = " ".join(verified.stdout.split())
        assert "it went on since, or is another one" in said


def begun(journal: Path, lines: int = 4) -> Path:
    """The journal, as soon as it has more than so many lines."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not (
        journal.exists() and journal.read_bytes().count(b"\n") > lines
    ):
        time.sleep(0.002)
    return journal


def test_a_second_writer_is_refused_until_the_first_has_ended(workshop):
    running = start(workshop, "run", "python:slow_blocks:agent", "--out", "r", "--max-plan", "3")
    journal = begun(workshop / "r" / "journal.jsonl")
    (workshop / "hold").touch()
    for command, said in (
        (["resume", "r"], "assay: another assay is still writing to r: "),
        (["run", "python:slow_blocks:agent", "--out", "r"], "assay: r already holds a run"),
    ):
        second = start(workshop, *command)
        out, err = second.communicate(timeout=30)
        assert (second.returncode, out) == (2, "")
        assert err.startswith(said)
    assert running.poll() is None, "it ended too soon to tell"
    (workshop / "hold").unlink()
    finish(running)
    assert read(journal).entries
    finish(start(workshop, "resume", "r"))


def test_a_resumed_run_is_a_writer_too_and_a_killed_one_is_none(workshop):
    first = start(workshop, "run", "python:slow_blocks:agent", "--out", "r", "--max-plan", "3")
    journal = begun(workshop / "r" / "journal.jsonl")
    (workshop / "hold").touch()
    first.send_signal(signal.SIGKILL)
    first.wait()
    asked = (workshop / "asked.txt").stat().st_size
    resumed = start(workshop, "resume", "r")
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and (workshop / "asked.txt").stat().st_size == asked:
        time.sleep(0.002)
    second = start(workshop, "resume", "r")
    assert "still writing to r" in second.communicate(timeout=30)[1]
    assert second.returncode == 2
    (workshop / "hold").unlink()
    finish(resumed)
    assert json.loads((workshop / "r" / "summary.json").read_text())["complete"]
    assert read(journal).entries


def test_an_interrupted_run_leaves_a_partial_result_and_goes_on(workshop):
    process = start(workshop, "run", "python:slow_blocks:agent", "--out", "r", "--max-plan", "2")
    begun(workshop / "r" / "journal.jsonl")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 3, err
    assert "assay resume" in err
    assert json.loads((workshop / "r" / "summary.json").read_text())["outcome"] == "interrupted"
    assert (workshop / "r" / "report.html").exists()
    finish(start(workshop, "resume", "r"))
    assert json.loads((workshop / "r" / "summary.json").read_text())["complete"]


SIMULATOR = '''
"""A slow corridor that can be put back only where it has been, and writes down what it is asked."""
import os, time
from assay import SimulatorAgent, predicate

@predicate
def at(state, place: "room"):
    return state[0] == place

@predicate
def lit(state):
    return state[1]

@predicate(static=True)
def door(state, one: "room", other: "room"):
    return abs(ord(one) - ord(other)) == 1

class Corridor:
    def reset(self, seed):
        return self.restore(("a", False))

    def step(self, action):
        (place, light), args = self.state, action.args
        if action.action != "go":
            return self.restore((place, action.action == "light"))
        if not light or args[0] != place or abs(ord(args[0]) - ord(args[1])) != 1:
            return None
        return self.restore((args[1], light))

    def snapshot(self):
        return self.state

    def restore(self, snapshot):
        self.state = snapshot
        return snapshot

class Slow(SimulatorAgent):
    def ask(self, query, /):
        time.sleep(0.03)
        with open(os.environ["ASKED"], "a") as log:
            log.write(f"{query.state} | {' '.join(map(str, query.plan))}\\n")
        return super().ask(query)

def agent():
    return Slow(
        Corridor(),
        predicates=[at, lit, door],
        actions={"go": {"from": "room", "to": "room"}, "light": {}, "quench": {}},
        objects=dict.fromkeys("abcd", "room"),
    )
'''


def test_a_killed_simulator_is_led_back_where_it_was(workshop):
    (workshop / "slow_corridor.py").write_text(SIMULATOR)
    finish(start(workshop, "run", "python:slow_corridor:agent", "--out", "quiet"))
    quiet = (workshop / "quiet" / "journal.jsonl").read_bytes()
    questions = (workshop / "asked.txt").read_text().splitlines()
    assert len({line.split(" | ")[0] for line in questions}) > 1, "it never starts elsewhere"

    process = start(workshop, "run", "python:slow_corridor:agent", "--out", "killed")
    journal = begun(workshop / "killed" / "journal.jsonl")
    process.send_signal(signal.SIGKILL)
    process.wait()
    recorded = len(read(journal).entries)
    assert recorded < len(questions)
    (workshop / "asked.txt").unlink()
    finish(start(workshop, "resume", "killed"))
    assert journal.read_bytes() == quiet
    asked = (workshop / "asked.txt").read_text().splitlines()
    assert asked == questions  # those before the kill, to be led back, and then the others
