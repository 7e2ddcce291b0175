"""`assay bench`: measure, print a table, keep the numbers as JSON.

What is measured is computed by the modules beside this one; here it is only laid out. Times are those of the
machine it runs on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from assay.cli.conventions import errors
from assay.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from assay.bench.accuracy import Curve

bench_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Measure assay: questions, accuracy on the way, growth, causes.",
)

WIDE = 172
"""Columns of a table where there is no terminal to ask."""

OutOption = Annotated[Path, typer.Option(help="Folder for the JSON (and SVG) files.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the JSON instead of the tables.")]
SeedOption = Annotated[int, typer.Option(help="Seed of problems, agents and strategies.")]
SizeOption = Annotated[int, typer.Option(help="Size of the problem, from 1 to 10.", min=1, max=10)]
T = TypeVar("T")
RESULTS = Path("results/bench")


@bench_app.command()
def questions(
    domains: Annotated[
        str, typer.Option(help="Domains, separated by commas.", show_default="all that are bundled")
    ] = "",
    strategies: Annotated[
        str,
        typer.Option(
            help="Which: chain, chain-own (the problem's own objects only), aia, naive (where feasible)."
        ),
    ] = "chain,chain-own,aia,naive",
    problems: Annotated[
        int, typer.Option(help="Problems of growing size per domain for the spread of chain.", min=0, max=10)
    ] = 10,
    size: SizeOption = 3,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How many questions each strategy needs per domain, beside the published figures.

    Example: [bold]assay bench questions --domains gripper,freecell --problems 3[/bold]
    """
    from assay.bench.problems import DOMAINS, EXTRA
    from assay.bench.questions import measure, totals
    from assay.bench.tables import price_table, questions_table, spread_table

    with errors():
        names, methods = _listed(domains) or [*DOMAINS, *EXTRA], _listed(strategies)
        rows = [
            measure(name, size=size, seed=seed, methods=methods, problems=problems)
            for name in _tracked(names, "questions", str)
        ]
        total = totals(rows)
        data = {
            "benchmark": "questions",
            "size": size,
            "seed": seed,
            "rows": rows,
            "totals": total,
        }
        tables = [questions_table(rows, methods, total), price_table(rows, methods)]
        if any(r.spread for r in rows):
            tables.append(spread_table(rows))
        _finish("questions", data, tables, out, json)


@bench_app.command()
def accuracy(
    domains: Annotated[
        str, typer.Option(help="Domains, separated by commas.", show_default="the ten of AIA-21 Table 1")
    ] = "",
    strategies: Annotated[str, typer.Option(help="Which to run: chain, aia.")] = "chain,aia",
    traces: Annotated[
        int, typer.Option(help="Random traces for the learner from observations; 0 leaves it out.", min=0)
    ] = 200,
    size: SizeOption = 3,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How fast the model becomes right, after each question (AIA-21 Fig. 4), as table and plot.

    Beside the strategies that ask: OffLAM, which watches random traces of three steps. It comes with
    [bold]pip install 'assay\\[bench]'[/bold]; without it the others are measured all the same.
    """
    from assay.bench.accuracy import charts, interrogation_curve, observation_curve
    from assay.bench.observational import LEARNER, check_installed
    from assay.bench.plot import draw
    from assay.bench.problems import DOMAINS
    from assay.bench.tables import accuracy_table

    with errors():
        names, learners, notes = _listed(domains) or list(DOMAINS), _listed(strategies), []
        if traces:
            try:
                check_installed()
                learners.append(LEARNER)
            except InputError as error:
                notes.append(f"{LEARNER} is left out: {error}")
        curves: list[Curve] = []
        jobs = [(name, learner) for name in names for learner in learners]
        for name, learner in _tracked(jobs, "accuracy", " ".join):
            try:
                curves.append(
                    observation_curve(name, size, seed, traces)
                    if learner == LEARNER
                    else interrogation_curve(name, learner, size, seed)
                )
            except InputError as error:
                if learner != LEARNER:
                    raise
                notes.append(f"{name}: {error}")
        data = {
            "benchmark": "accuracy",
            "size": size,
            "seed": seed,
            "notes": notes,
            "curves": [
                {
                    "domain": c.domain,
                    "learner": c.learner,
                    "perfect_after": c.perfect_after,
                    "note": c.note,
                    "points": c.points,
                }
                for c in curves
            ],
        }
        out.mkdir(parents=True, exist_ok=True)
        (out / "accuracy.svg").write_text(draw(charts(curves)), encoding="utf-8")
        _finish("accuracy", data, [accuracy_table(curves)], out, json, notes)


@bench_app.command()
def growth(
    atoms: Annotated[str, typer.Option(help="Lifted atoms per action.")] = "10,100,1000",
    actions: Annotated[str, typer.Option(help="Numbers of actions.")] = "1,10,100",
    max_plan: Annotated[
        int, typer.Option(help="Plan length of the second half of the table; 0 leaves it out.", min=0)
    ] = 16,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """How questions, steps and time grow with the vocabulary and the number of actions (synthetic models).

    The largest size takes minutes; leave it out with [bold]--actions 1,10[/bold].
    """
    from assay.bench.growth import measure
    from assay.bench.tables import growth_table

    with errors():
        lengths = [None, max_plan] if max_plan else [None]
        jobs = [(n, a, m) for m in lengths for n in _numbers(atoms) for a in _numbers(actions)]
        rows = [
            measure(n, a, max_plan=m, seed=seed)
            for n, a, m in _tracked(jobs, "growth", lambda job: f"{job[0]} atoms x {job[1]} actions")
        ]
        _finish(
            "growth", {"benchmark": "growth", "seed": seed, "rows": rows}, [growth_table(rows)], out, json
        )


@bench_app.command()
def causes(out: OutOption = RESULTS, json: JsonOption = False) -> None:
    """How fast the actual causes of a fact are found, for plans and worlds of growing size."""
    from assay.bench.causes import measure
    from assay.bench.tables import causes_table

    with errors():
        rows = measure()
        _finish("causes", {"benchmark": "causes", "rows": rows}, [causes_table(rows)], out, json)


def _tracked(jobs: Sequence[T], title: str, label: Callable[[T], str]) -> Iterator[T]:
    """The jobs one by one, with a progress bar on stderr that names the one under way."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=len(jobs))
        for job in jobs:
            bar.update(task, description=f"{title}: {label(job)}")
            yield job
            bar.advance(task)


def _finish(
    name: str, data: dict[str, Any], tables: Sequence[Table], out: Path, json: bool, notes: Sequence[str] = ()
) -> None:
    """Keep the numbers, and show them."""
    import msgspec
    from rich.console import Console

    text = msgspec.json.format(msgspec.json.encode(data), indent=1).decode() + "\n"
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.json").write_text(text, encoding="utf-8")
    if json:
        typer.echo(text, nl=False)
        return
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDE)
    for table in tables:
        console.print(table)
        console.print()
    for note in notes:
        console.print(note, markup=False)
    console.print(f"Kept in {out}", markup=False, soft_wrap=True)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _numbers(text: str) -> list[int]:
    try:
        found = [int(part) for part in _listed(text)]
    except ValueError:
        raise InputError(f"{text!r} is not a list of numbers separated by commas") from None
    if not found or min(found) < 1:
        raise InputError(f"{text!r}: give numbers of 1 and more, separated by commas")
    return found
