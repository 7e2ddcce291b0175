"""How the recount of a result folder looks at a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from assay.proof.recount.folder import FolderVerdict
from assay.proof.recount.report import COLUMNS, headline, rows, sentences

LISTED = 12
"""Findings that are shown before "and so many more"."""


def show_verdict(verdict: FolderVerdict, differing: tuple[int, ...] | None) -> None:
    console = Console()
    console.print(f"[bold]{headline(verdict)}[/bold]")
    if verdict.verdict is not None:
        table = Table(*COLUMNS)
        for row in rows(verdict.verdict):
            table.add_row(*row)
        console.print(table)
    told = sentences(verdict)
    shown = told[:LISTED] if len(told) > LISTED + 1 else told
    for sentence in shown:
        console.print(f"- {sentence}", markup=False)
    if more := len(told) - len(shown):
        console.print(f"- and {more} more; with --json all are listed.")
    if differing:
        numbers = ", ".join(map(str, differing))
        console.print(f"[bold]The agent has changed:[/bold] it now answers differently to {numbers}.")
    elif differing is not None:
        console.print("Asked again, the agent gave the same answers.")
