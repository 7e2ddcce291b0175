"""Fast Downward as an optional planner (the extra `fast-downward`; GPL, hence never a dependency).

Its translator and its search run as processes of their own in a directory of their own, so nothing of
theirs is imported and two runs cannot meet. Blind A* is complete: exit code 11 is a proof, 13 one
within the length allowed. Every other way to end without a plan is "gave up" or "timed out", and every
plan is checked by our own simulation before anyone sees it. The time limit is the one thing here that
depends on the machine: where it is reached, two runs of one seed may differ.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from assay.errors import AssayError, InputError
from assay.extras import install
from assay.planning.distinguish import Separation, separates
from assay.planning.search import GaveUp, Plan, Result, TimedOut, Unsolvable
from assay.planning.separation_pddl import SeparationText

SECONDS = 60
"""Time for each of the two processes."""

_BINARY = Path("downward", "builds", "release", "bin")
_FOUND = {0, 1, 2, 3}
_OUT_OF_TIME = {21, 23}
_PROVED = {10, 11, 13}
_INCOMPLETE = {12: "the search was incomplete", 20: "out of memory", 22: "out of memory", 24: "out of memory"}


def fast_downward(task: Separation, max_length: int | None = None) -> Result:
    """A shortest plan of Fast Downward's, or why there is none."""
    binary = require_fast_downward()
    text = SeparationText(task)
    with tempfile.TemporaryDirectory(prefix="assay-plan-") as folder:
        place = Path(folder)
        (place / "domain.pddl").write_text(text.domain(), encoding="utf-8")
        (place / "problem.pddl").write_text(text.problem(), encoding="utf-8")
        translate = [sys.executable, "-m", "fast_downward.translate", "domain.pddl", "problem.pddl"]
        bound = "infinity" if max_length is None else str(max_length + 1)
        search = [str(binary), "--search", f"astar(blind(), bound={bound})", "--internal-plan-file", "plan"]
        try:
            code = _run(translate, place)
            if code == 0:
                code = _run(search, place, stdin=place / "output.sas")
        except subprocess.TimeoutExpired:
            return TimedOut()
        if code in _FOUND:
            return _checked(task, text, (place / "plan").read_text(encoding="utf-8"))
    if code in _PROVED:
        return Unsolvable()
    if code in _OUT_OF_TIME:
        return TimedOut()
    if code in _INCOMPLETE:
        return GaveUp(_INCOMPLETE[code])
    if code < 0:
        return GaveUp(f"ended by signal {-code}")
    raise AssayError(f"Fast Downward failed with exit code {code}")


def require_fast_downward() -> Path:
    package, translator = map(importlib.util.find_spec, ("up_fast_downward", "fast_downward"))
    if package is None or translator is None or not package.submodule_search_locations:
        raise InputError(f"the planner 'fast-downward' is not installed; try: {install('fast-downward')}")
    (folder,) = package.submodule_search_locations
    binary = Path(folder) / _BINARY / ("downward.exe" if os.name == "nt" else "downward")
    if not binary.is_file():
        raise InputError(
            f"the planner 'fast-downward' is installed without its binary ({binary.name} is missing)"
        )
    return binary


def _run(command: list[str], place: Path, stdin: Path | None = None) -> int:
    with open(stdin or os.devnull, "rb") as source:
        done = subprocess.run(
            command, cwd=place, stdin=source, capture_output=True, timeout=SECONDS, check=False
        )
    return done.returncode


def _checked(task: Separation, text: SeparationText, lines: str) -> Result:
    steps = tuple(text.step(line) for line in lines.splitlines() if line.startswith("("))
    if not separates(task, steps):
        return GaveUp("the plan found does not pass our own check")
    return Plan(steps)
