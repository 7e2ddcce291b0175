"""What the commands of `assay bench` share: options, a progress bar, tables, numbers kept as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from assay.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

STRONGEST = 3
"""The highest strength there is."""
WIDE = 172
"""Columns of a table where there is no terminal to ask."""
MOST_LINES = 50
"""About progress, where there is no terminal to draw on."""

OutOption = Annotated[Path, typer.Option(help="Folder for the JSON (and SVG) files.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the JSON instead of the tables.")]
SeedOption = Annotated[int, typer.Option(help="Seed of problems, agents and strategies.")]
SizeOption = Annotated[int, typer.Option(help="Size of the problem, from 1 to 10.", min=1, max=10)]
WorkersOption = Annotated[int, typer.Option(help="Processes.", min=1, max=64)]
StrengthsOption = Annotated[str, typer.Option(help="Strengths, from 0 to 3, separated by commas.")]
T = TypeVar("T")
R = TypeVar("R")
RESULTS = Path("results/bench")


def tracked(jobs: Sequence[T], title: str, label: Callable[[T], str]) -> Iterator[T]:
    """The jobs one by one, with a progress bar on stderr that names the one under way.

    Where there is no terminal to draw a bar on, a line now and then.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        stride = -(-len(jobs) // MOST_LINES)
        for number, job in enumerate(jobs):
            if number % stride == 0:
                typer.echo(f"{title}: {label(job)} ({number + 1} of {len(jobs)})", err=True)
            yield job
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=len(jobs))
        for job in jobs:
            bar.update(task, description=f"{title}: {label(job)}")
            yield job
            bar.advance(task)


def measured(measure: Callable[[T], R], jobs: Sequence[T], workers: int, chunk: int = 4) -> list[R]:
    """What becomes of the jobs, in their order, on several processes that take a few at a time."""

    def results() -> Iterator[R]:
        if workers == 1 or len(jobs) < 2:
            yield from map(measure, jobs)
            return
        with ProcessPoolExecutor(workers) as pool:
            yield from pool.map(measure, jobs, chunksize=chunk)

    made = results()
    return [next(made) for _ in tracked(jobs, "runs", str)]


def finish(
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


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def numbers(text: str) -> list[int]:
    try:
        found = [int(part) for part in listed(text)]
    except ValueError:
        raise InputError(f"{text!r} is not a list of numbers separated by commas") from None
    if not found or min(found) < 1:
        raise InputError(f"{text!r}: give numbers of 1 and more, separated by commas")
    return found


def levels(text: str) -> list[int]:
    """Strengths."""
    try:
        found = [int(part) for part in listed(text)]
    except ValueError:
        found = []
    if not found or min(found) < 0 or max(found) > STRONGEST:
        raise InputError(f"{text!r}: give strengths from 0 to {STRONGEST}, separated by commas")
    return found
