"""`assay verify`: count again, from the journal alone, what a result claims."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay.cli.conventions import OK, PARTIAL, print_json

if TYPE_CHECKING:
    from assay.proof.recount.folder import FolderVerdict
    from assay.proof.recount.verdict import Verdict

LISTED = 12
"""Findings that are shown before "and so many more"."""


def verify_recount(
    folder: Path, strength: int | None, differing: tuple[int, ...] | None, again: int, json: bool
) -> int:
    """Prints the verdict on a result folder, and what asking again has shown; returns the exit code."""
    from assay.proof.recount.folder import verify_folder
    from assay.proof.recount.report import as_dict

    verdict = verify_folder(folder, strength)
    if json:
        print_json(as_dict(verdict) | {"asked_again": again, "replay_differs": differing})
    else:
        show(verdict)
        show_replay(differing, again)
    return OK if verdict.holds and not differing else PARTIAL


def show(found: FolderVerdict) -> None:
    from rich.console import Console

    from assay.proof.recount.report import headline, sentences

    console = Console()
    console.print(f"[bold]{headline(found)}[/bold]")
    if found.verdict is not None:
        _show_table(found.verdict)
    told = sentences(found)
    shown = told if found.holds or len(told) <= LISTED + 1 else told[:LISTED]
    for sentence in shown:
        console.print(f"- {sentence}", markup=False)
    if more := len(told) - len(shown):
        console.print(f"- and {more} more; with --json all are listed.")


def _show_table(verdict: Verdict) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    from assay.proof.recount.report import COLUMNS, rows

    table = Table(box=SIMPLE)
    for name in COLUMNS:
        table.add_column(name, justify="left" if name == "action" else "right")
    for row in (cells := rows(verdict)):
        table.add_row(*row)
    if cells:
        Console().print(table)


def show_replay(differing: tuple[int, ...] | None, again: int) -> None:
    if differing:
        numbers = ", ".join(map(str, differing))
        typer.echo(f"But the agent has changed: asked again, it answered differently to {numbers}.")
    elif differing is not None:
        typer.echo(f"Asked {again:,} of the questions again, the agent gave the same answers.")
