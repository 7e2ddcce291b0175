"""Runs in the peers' environment, never in ours: learners and metrics of the `amlgym` package.

    python peers_script.py ANSWER < REQUEST

A request is one JSON object, the answer another, written to the file ANSWER (the packages print as they
like); `processor_seconds` are allowed for it. With `learner` a model is learned, by acting in the `problems`
or by watching the `trajectories`; with `model` that text is measured against the reference, with the
package's own functions (`whole`: the model with every action of the reference, for the syntactic ones).
Nothing of assay is imported here, and the packages leave files in the working directory: run it in a folder
of its own.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

REFERENCE, EVALUATED, WHOLE = "reference.pddl", "evaluated.pddl", "whole.pddl"
Scores = dict[str, float]


def main() -> None:
    request = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_CPU, (request["processor_seconds"],) * 2)
    warnings.simplefilter("ignore")
    import_module("unified_planning.shortcuts").get_environment().credits_stream = None
    Path(REFERENCE).write_text(request["reference"], encoding="utf-8")
    answer = _learn(request) if "learner" in request else _measure(request)
    Path(sys.argv[1]).write_text(json.dumps(answer), encoding="utf-8")


def _learn(request: dict[str, Any]) -> dict[str, Any]:
    empty = import_module("amlgym.util.util").empty_domain(REFERENCE, "empty.pddl")
    algorithms = import_module("amlgym.algorithms")
    began = time.perf_counter()
    if request["learner"] == "OLAM":
        learner = algorithms.get_algorithm("OLAM", input_domain_path=empty)
        model, steps = _act(learner, request["problems"])
    else:
        paths = request["trajectories"]
        model = algorithms.get_algorithm(request["learner"]).learn(empty, list(paths))
        steps = sum(Path(path).read_text(encoding="utf-8").count("(:action") for path in paths)
    return {"model": model, "steps": steps, "seconds": time.perf_counter() - began}


def _act(learner: Any, problems: Sequence[str]) -> tuple[str, int]:
    """One problem after the other: it keeps what it knows. The steps are those that ran."""
    reader = import_module("unified_planning.io").PDDLReader
    simulator = import_module("unified_planning.shortcuts").SequentialSimulator
    model, steps = "", 0
    for path in problems:
        model, trajectory = learner.learn(simulator(problem=reader().parse_problem(REFERENCE, path)))
        steps += len(trajectory.actions)
    return model, steps


def _measure(request: dict[str, Any]) -> dict[str, Any]:
    Path(EVALUATED).write_text(request["model"], encoding="utf-8")
    Path(WHOLE).write_text(request["whole"], encoding="utf-8")
    answer: dict[str, Any] = {"syntactic": _syntactic(), "notes": []}
    signal.signal(signal.SIGALRM, _too_long)
    measures: dict[str, Callable[[], Scores | None]] = {
        "predictive": lambda: _predictive(request["tests"]),
        "solving": lambda: _solving(request["solve"], request["planning_seconds"]),
    }
    for name, measure in measures.items():
        try:
            signal.setitimer(signal.ITIMER_REAL, request["measuring_seconds"])
            answer[name] = measure()
        except Exception as error:
            answer[name] = None
            answer["notes"].append(f"{name}: {error!r}"[:300])
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return answer


def _too_long(*_: object) -> None:
    raise TimeoutError("not done in time")


def _syntactic() -> Scores:
    metrics = import_module("amlgym.metrics")
    return {
        "precision": float(metrics.syntactic_precision(WHOLE, REFERENCE)["mean"]),
        "recall": float(metrics.syntactic_recall(WHOLE, REFERENCE)["mean"]),
    }


def _predictive(tests: Sequence[dict[str, Any]]) -> Scores | None:
    """Which actions run, and where to, in the package's own test states."""
    if not tests:
        return None
    environment = import_module("amlgym.modeling.UPEnv").UPEnv
    found = import_module("amlgym.metrics").predictive_power(
        [environment(EVALUATED, t["problem"]) for t in tests],
        [environment(REFERENCE, t["problem"]) for t in tests],
        [t["states"] for t in tests],
        show_progress=False,
    )
    return {
        f"{part}_{which}": float(found[part][f"mean_{which}"])
        for part in ("applicability", "predicted_effects")
        for which in ("precision", "recall")
    }


def _solving(problems: Sequence[str], seconds: float) -> Scores | None:
    if not problems:
        return None
    solve = import_module("amlgym.metrics").problem_solving
    found = solve(EVALUATED, REFERENCE, list(problems), timeout=seconds, show_progress=False)
    return {name: float(share) for name, share in found.items()}


if __name__ == "__main__":
    main()
