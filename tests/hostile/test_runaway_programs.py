"""A program that forks, floods, fills memory or never ends is ended, with all that it started."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from assay.agents.process import ProcessAgent
from assay.core.query import PlanQuery
from assay.core.universe import Universe
from assay.errors import AgentError

FORK = (
    "import subprocess; child = subprocess.Popen(['sleep', '60']); open('child', 'w').write(str(child.pid))"
)


def opened(spec, **options):
    return ProcessAgent(spec.removeprefix("exec:"), hello_timeout=20, **options)


def ask(agent):
    universe = Universe(agent.vocabulary, agent.objects)
    return agent.ask(PlanQuery(universe.state([]), ()))


def gone(number):
    for _ in range(100):
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return True
        with open(f"/proc/{number}/stat") as status:
            if status.read().split()[2] == "Z":
                return True
        time.sleep(0.02)
    return False


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_children_that_hold_the_pipe_open_are_no_reason_to_wait(lamps):
    agent = opened(lamps(f"{FORK}; sys.exit(3)"))
    began = time.monotonic()
    with pytest.raises(AgentError, match="ended with status 3"):
        ask(agent)
    assert time.monotonic() - began < 5
    agent.close()
    assert gone(int(Path("child").read_text()))


def test_children_are_ended_with_the_agent(lamps):
    with opened(lamps(FORK)) as agent:
        ask(agent)
    assert gone(int(Path("child").read_text()))


def test_one_that_will_not_end_is_ended(lamps):
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    while True: time.sleep(1)"
    agent = opened(lamps(stubborn), timeout=0.5)
    began = time.monotonic()
    with pytest.raises(AgentError, match="gave no answer"):
        ask(agent)
    agent.close()
    assert time.monotonic() - began < 5


def test_standard_error_without_end_is_not_read_to_its_end(lamps):
    flood = "\n    while True: sys.stderr.write('x' * 10_000)"
    agent = opened(lamps(flood), timeout=0.5)
    began = time.monotonic()
    with pytest.raises(AgentError, match="gave no answer"):
        ask(agent)
    assert time.monotonic() - began < 5


def test_memory_can_be_limited(call, lamps):
    greedy = lamps("hoard = bytearray(2**30)")
    said = call(
        "run", greedy, "--out", "r", "--quiet", "--agent-memory", "300", "--retries", "0", code=2
    ).output
    assert "MemoryError" in said
    call("run", lamps(), "--out", "s", "--quiet", "--agent-memory", "300")
