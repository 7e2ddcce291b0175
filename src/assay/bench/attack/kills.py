"""Runs that are killed and resumed, again and again, until they end: is the journal that of a quiet run?"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.bench.attack import SPEC, Row

SLOW = """
import json, sys, time
WORLD = {"connect": ([], ["power"], ["power"], []), "light": (["power"], ["on *"], ["on *"], []),
         "douse": (["on *"], [], [], ["on *"])}
print(json.dumps({"assay": 1, "types": {"lamp": "object"}, "predicates": {"power": [], "on": ["lamp"]},
    "actions": {"connect": [], "light": ["lamp"], "douse": ["lamp"]}, "objects": {"desk": "lamp"},
    "new_objects": True}), flush=True)
for line in sys.stdin:
    time.sleep(0.05)
    question = json.loads(line)
    state, steps = set(question["state"]), 0
    for step in question["plan"]:
        action, _, lamp = step.partition(" ")
        needs, bars, adds, removes = ({a.replace("*", lamp) for a in atoms} for atoms in WORLD[action])
        if not needs <= state or bars & state:
            break
        state, steps = state - removes | adds, steps + 1
    print(json.dumps({"steps": steps, "state": sorted(state)}), flush=True)
"""
JOURNALS = ("journal.jsonl", "reaches.jsonl")
LIMIT_SECONDS = 300.0
STARTING = 0.3
"""Seconds in which a command hardly gets to its first question."""


def kill_and_resume(kills: int, place: Path, rng: random.Random) -> Row:
    """As many kills as asked for, shared out over six kinds of agent."""
    row = Row("kills survived with identical result")
    (place / "slow.py").write_text(SLOW)
    slow = f"exec:{sys.executable} slow.py"
    with _served(place, slow) as url:
        kinds = {
            "deterministic": [SPEC],
            "acting": [SPEC, "--start", "reset"],
            "chance": ["sdma:driving", "--samples", "300"],
            "game": ["game:zelda:4x4:search"],
            "exec": [slow],
            "http": [url],
        }
        for number, (kind, arguments) in enumerate(kinds.items()):
            share = kills // len(kinds) + (number < kills % len(kinds))
            if share:
                _kind(row, kind, arguments, share, place, rng)
    row.notes = ", ".join(kinds)
    return row


def _kind(row: Row, kind: str, arguments: list[str], kills: int, place: Path, rng: random.Random) -> None:
    began = time.monotonic()
    _started(place, ["run", *arguments, "--out", f"{kind}-quiet"]).wait(LIMIT_SECONDS)
    seconds = time.monotonic() - began
    quiet = _journal(place / f"{kind}-quiet")
    left, number = kills, 0
    while left:
        number += 1
        folder = place / f"{kind}-{number}"
        done = 0
        command = ["run", *arguments, "--out", folder.name]
        while True:
            process = _started(place, command)
            try:
                process.wait(
                    rng.uniform(min(STARTING, seconds / 2), seconds) if done < left else LIMIT_SECONDS
                )
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            done += 1
            command = ["resume", folder.name] if _begun(folder) else _anew(folder, command)
        failure = None if _journal(folder) == quiet else f"{kind}: {folder} is not as the quiet run"
        for _ in range(done):
            row.count(failure)
        left -= done


def _anew(folder: Path, command: list[str]) -> list[str]:
    """Nothing was learned yet: as assay says then, the folder is removed."""
    for path in folder.iterdir() if folder.is_dir() else ():
        path.unlink()
    return ["run", *command[1:]]


def _begun(folder: Path) -> bool:
    complete = any(b"\n" in (folder / name).read_bytes() for name in JOURNALS if (folder / name).exists())
    return complete and (folder / "run.json").exists()


def _journal(folder: Path) -> bytes | None:
    return next(((folder / name).read_bytes() for name in JOURNALS if (folder / name).exists()), None)


def _started(place: Path, arguments: list[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "assay", *arguments, "--quiet"]
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=place, stdout=nowhere, stderr=nowhere, env=os.environ)


@contextmanager
def _served(place: Path, spec: str) -> Iterator[str]:
    command = [sys.executable, "-m", "assay", "serve-agent", spec]
    with subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            found = re.search(r"http://[\d.:]+", process.stdout.readline())
            yield found[0] if found else ""
        finally:
            process.terminate()
