"""The command that compares a model with the truth: score."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.conventions import JsonOption, errors, print_json
from assay.core.quantity import count
from assay.errors import InputError
from assay.pddl.model_file import read_model

if TYPE_CHECKING:
    from assay.core.model import Model
    from assay.pddl.reader import Problem
    from assay.scoring.distance import Score

ModelArgument = Annotated[
    Path,
    typer.Argument(metavar="MODEL", help="A PPDDL or PDDL domain, or a result folder.", show_default=False),
]
TruthArgument = Annotated[
    str,
    typer.Argument(
        metavar="TRUTH",
        help="A domain, sdma:driving and the like, or what was assessed: pddl:DOMAIN[,PROBLEM], ppddl:...",
        show_default=False,
    ),
]
ProblemOption = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="A problem to test on; repeatable.",
        show_default="the world's test problems, else states made up",
    ),
]

WORLD = "sdma:"
FILES = ("pddl", "ppddl")


def add_commands(app: typer.Typer) -> None:
    app.command()(score)


def score(
    model: ModelArgument,
    truth: TruthArgument,
    problem: ProblemOption = None,
    seed: Annotated[int, typer.Option(help="For the test cases and the draws.")] = 0,
    json: JsonOption = False,
) -> None:
    """Measure how far a learned model is from the truth: variational distances, soundness, completeness."""
    from assay.scoring.distance import score as measure

    with errors(json):
        hidden, problems = _truth(truth, problem or [])
        found = measure(read_model(model), hidden, problems, seed=seed)
        if json:
            print_json(_data(found))
        else:
            typer.echo("\n".join(_lines(found)))


def _truth(spec: str, problems: list[Path]) -> tuple[Model, list[Problem]]:
    from assay.agents.pddl import read_situation

    if spec.startswith(WORLD):
        from assay.bench.stochastic.subjects import subject

        if problems:
            raise InputError(f"{spec} brings its own test problems")
        about = subject(spec.removeprefix(WORLD))
        return about.truth, list(about.tests)
    prefix, colon, rest = spec.partition(":")
    if colon and prefix in FILES:
        from assay.agents.open import domain_and_problem

        domain, own = domain_and_problem(prefix, rest)
        problems = problems or ([own] if own is not None else [])
    else:
        domain = Path(spec)
    hidden = read_model(domain)
    return hidden, [read_situation(p, hidden.vocabulary) for p in problems]


def _data(found: Score) -> dict[str, Any]:
    return {
        "exact": found.exact,
        "sampled": found.sampled,
        "sampled_truth": found.sampled_truth,
        "full": found.full,
        "executions": found.executions,
        "sound": found.correctness.sound,
        "complete": found.correctness.complete,
        "spurious": found.correctness.spurious,
        "missing": found.correctness.missing,
        "capabilities": {
            name: {"running": c.running, "refused": c.refused} for name, c in found.capabilities.items()
        },
    }


def _lines(found: Score) -> list[str]:
    return [
        f"exact variational distance    {found.exact:.4f}  (Eq. 1, {count(found.executions, 'execution')})",
        f"sampled variational distance  {found.sampled:.4f}  (the truth's own: {found.sampled_truth:.4f})",
        f"full variational distance     {found.full:.4f}  (refusals too, capabilities weigh the same)",
        *(
            f"  {name:<28}{c.full:.4f}  (running {c.running:.4f}"
            + (")" if c.refused is None else f", refused {c.refused:.4f})")
            for name, c in found.capabilities.items()
        ),
        f"sound: {'yes' if found.correctness.sound else 'no'}",
        *(f"  only the model: {text}" for text in found.correctness.spurious),
        f"complete: {'yes' if found.correctness.complete else 'no'}",
        *(f"  only the truth: {text}" for text in found.correctness.missing),
    ]
