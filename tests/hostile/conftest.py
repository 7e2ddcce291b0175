"""Agents that nobody should trust, as programs; and the command line as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

LAMPS = '''
import json, os, sys, time
HELLO = json.loads(r"""%s""")
WORLD = {"connect": ([], ["power"], ["power"], []), "light": (["power"], ["on *"], ["on *"], [])}
print(json.dumps(HELLO), flush=True)
asked = 0
for line in sys.stdin:
    asked += 1
    question = json.loads(line)
    %s
    state, steps = set(question["state"]), 0
    for step in question["plan"]:
        action, _, lamp = step.partition(" ")
        needs, bars, adds, removes = ({a.replace("*", lamp) for a in atoms} for atoms in WORLD[action])
        if not needs <= state or bars & state:
            break
        state, steps = state - removes | adds, steps + 1
    print(json.dumps({"steps": steps, "state": sorted(state)}), flush=True)
'''
HELLO = {
    "assay": 1,
    "types": {"lamp": "object"},
    "predicates": {"power": [], "on": ["lamp"]},
    "actions": {"connect": [], "light": ["lamp"]},
    "objects": {"desk": "lamp", "hall": "lamp"},
    "new_objects": True,
}


@pytest.fixture
def lamps(tmp_path):
    """Writes a program that is an agent; `trick` is Python that runs before each answer."""

    def write(trick: str = "pass", file: str = "lamps.py", **hello: Any) -> str:
        (tmp_path / file).write_text(LAMPS % (json.dumps(HELLO | hello), trick))
        return f"exec:{sys.executable} {tmp_path / file}"

    return write


@pytest.fixture
def assay(tmp_path):
    """The command line as a process of its own, in the test's folder."""

    def run(*arguments: str, timeout: float = 30, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "assay", *arguments],
            cwd=tmp_path,
            env=os.environ | options.pop("env", {}),
            **{"capture_output": True, "text": True, "timeout": timeout} | options,
        )

    return run


@pytest.fixture
def finished(call, lamps, tmp_path) -> Path:
    """A result folder in order."""
    call("run", lamps(), "--out", "finished", "--quiet")
    return tmp_path / "finished"
