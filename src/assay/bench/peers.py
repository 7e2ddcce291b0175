"""Peers' learners and metrics (`amlgym`), run in an environment of their own.

The package wants gigabytes and pins what it needs, so it never enters assay's environment: `make
bench-acting` sets `.venv-peers` up, and every run is a process of that environment's Python over
`peers_script.py`, in a folder of its own, with a limit on its processor time: what else the machine does is
not held against a peer. What a peer learned is kept in a folder, for it does not change; a run that failed or
took too long is a result like any other, and is kept as well.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from assay.bench.peers_files import VERSION, Instance
from assay.errors import InputError

ACTING = "OLAM"
LEARNERS = (ACTING, "OffLAM", "SAM", "NOLAM", "ROSAME")
"""The one that acts, and those that watch the package's trajectories."""

PATIENCE = 10
"""How much longer than its limit of processor time a run may take by the clock."""

PLANNING_SECONDS = 10
"""Allowed for each problem that a learned model is to solve."""


@dataclass(frozen=True)
class Scores:
    """A model against the reference, by the package's own functions."""

    precision: float
    recall: float
    predictive: Mapping[str, float] | None = None
    solving: Mapping[str, float] | None = None
    notes: tuple[str, ...] = ()
    """Which of the two could not be computed, and why."""


@dataclass(frozen=True)
class PeerRun:
    learner: str
    scores: Scores | None = None
    """None if there is no model."""
    steps: int = 0
    """Actions that ran while it acted, or that it was shown."""
    seconds: float = 0.0
    failure: str = ""
    model: str = field(default="", repr=False)


class Peers:
    def __init__(self, environment: Path, keep: Path, limit: float) -> None:
        self._python = environment.absolute() / "bin" / "python"
        self._keep, self._limit = keep, limit
        if not self._python.exists():
            raise InputError(f"no peers' environment at {environment}: `make bench-acting` sets it up")

    def learn(self, learner: str, instance: Instance) -> PeerRun:
        """What the learner makes of the instance; from what is kept, if it was run before."""
        name = f"{instance.domain}-{instance.number}" if learner == ACTING else instance.domain
        kept = self._keep / f"{name}-{learner}-{VERSION}.json"
        if kept.is_file():
            return msgspec.json.decode(kept.read_bytes(), type=PeerRun)
        answer = self._run(
            {
                "reference": instance.reference,
                "learner": learner,
                "problems": [str(instance.problem_path)],
                "trajectories": instance.trajectories,
            }
        )
        if isinstance(answer, str):
            run = PeerRun(learner, failure=answer)
        else:
            model = answer["model"]
            scores = self._measured(model, instance)
            failure = scores if isinstance(scores, str) else ""
            found = None if isinstance(scores, str) else scores
            run = PeerRun(learner, found, answer["steps"], answer["seconds"], failure, model)
        self._keep.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1))
        return run

    def score(self, model: str, whole: str, instance: Instance, *, behaviour: bool = True) -> Scores:
        """A model of ours, measured as theirs are; without `behaviour` its literals alone.

        The syntactic functions want every action of the reference in the model (they pair the two lists
        before they look at names): `whole` is the model with those that were not learned, left blank.
        """
        scores = self._measured(model, instance, whole, behaviour)
        if isinstance(scores, str):
            raise InputError(f"the peers' metrics cannot measure our model of {instance.name}: {scores}")
        return scores

    def _measured(
        self, model: str, instance: Instance, whole: str | None = None, behaviour: bool = True
    ) -> Scores | str:
        answer = self._run(
            {
                "reference": instance.reference,
                "model": model,
                "whole": whole or model,
                "tests": instance.tests() if behaviour else [],
                "solve": instance.solve() if behaviour else [],
                "planning_seconds": PLANNING_SECONDS,
                "measuring_seconds": self._limit / 3,
            }
        )
        if isinstance(answer, str):
            return answer
        precision, recall = answer["syntactic"]["precision"], answer["syntactic"]["recall"]
        return Scores(precision, recall, answer["predictive"], answer["solving"], tuple(answer["notes"]))

    def _run(self, request: Mapping[str, Any]) -> dict[str, Any] | str:
        """The script's answer, or why there is none."""
        script = files("assay.bench").joinpath("peers_script.py")
        with TemporaryDirectory() as folder, as_file(script) as path:
            process = subprocess.Popen(
                [self._python, path, "answer.json"],
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                env=os.environ | {"OMP_NUM_THREADS": "1"},
                start_new_session=True,  # it starts planners, which must end with it
            )
            seconds = math.ceil(self._limit)
            try:
                text = json.dumps({**request, "processor_seconds": seconds})
                _, complaints = process.communicate(text, self._limit * PATIENCE)
            except subprocess.TimeoutExpired:
                return f"not done in {self._limit * PATIENCE:g} s"
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            answer = Path(folder) / "answer.json"
            if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
                return f"not done in {seconds} s of processor time"
            if process.returncode or not answer.is_file():
                lines = complaints.strip().splitlines()
                return lines[-1] if lines else f"exit code {process.returncode}"
            found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
            return found
