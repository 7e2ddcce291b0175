"""`assay bench attack`: what agents, folders and web pages could do to a user, tried and counted."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.bench.presentation import RESULTS, JsonOption, OutOption, SeedOption, finish
from assay.cli.conventions import DIFFERENT, errors

if TYPE_CHECKING:
    from rich.table import Table

    from assay.bench.attack import Ran, Row

KEPT = 20
"""Failures of each kind that are kept in the JSON."""


def add_commands(app: typer.Typer) -> None:
    app.command()(attack)


def attack(
    kills: Annotated[int, typer.Option(help="Runs killed, over six kinds of agent.", min=0)] = 100,
    changes: Annotated[int, typer.Option(help="Bytes of journals changed.", min=0)] = 500,
    truncations: Annotated[int, typer.Option(help="Journals cut anywhere and resumed.", min=0)] = 300,
    edits: Annotated[int, typer.Option(help="Literals of a model edited.", min=0)] = 200,
    mutants: Annotated[
        int, typer.Option(help="Mutants of PDDL, messages, traces and folders.", min=0)
    ] = 10_000,
    hellos: Annotated[int, typer.Option(help="Hellos that mean harm.", min=0)] = 100,
    web: Annotated[bool, typer.Option(help="Also attack the pages of serve.")] = True,
    seed: SeedOption = 0,
    out: OutOption = RESULTS,
    json: JsonOption = False,
) -> None:
    """Attack assay as an agent, a result folder or a web page could. Every row must be at 100 %.

    Exit code 1 if one is not. With the usual numbers it takes a quarter of an hour on two cores.
    """
    from assay.bench.attack import folders, inputs
    from assay.bench.attack import kills as killing
    from assay.bench.attack import web as pages

    numbers = {"kills": kills, "changes": changes, "truncations": truncations, "edits": edits}
    numbers |= {"mutants": mutants, "hellos": hellos}
    target = out.resolve()
    with errors(), tempfile.TemporaryDirectory(prefix="assay-attack-") as made, _inside(Path(made) / "place"):
        place, rng = Path.cwd(), random.Random(seed)
        subjects = folders.subjects(_run, place)
        attacks: list[tuple[int, Callable[[], Row]]] = [
            (kills, lambda: killing.kill_and_resume(kills, place, rng)),
            (changes, lambda: folders.changed_bytes(changes, subjects, _run, rng)),
            (truncations, lambda: folders.truncations(truncations, subjects, _run, place, rng)),
            (edits, lambda: folders.model_edits(edits, subjects["plans"], _run, place, rng)),
            (mutants, lambda: inputs.input_mutants(mutants, subjects, _run, place, rng)),
            (hellos, lambda: inputs.hostile_hellos(hellos, _run, place, rng)),
            (int(web), lambda: pages.web(subjects["plans"], place)),
        ]
        rows = [_made(each) for number, each in attacks if number]
    held = all(not row.failures for row in rows)
    kept = [asdict(row) | {"failures": row.failures[:KEPT], "percent": row.percent} for row in rows]
    data = {"benchmark": "attack", "seed": seed, "asked": numbers, "held": held, "rows": kept}
    finish("attack", data, [_table(rows)], target, json)
    raise typer.Exit(0 if held else DIFFERENT)


def _made(attack: Callable[[], Row]) -> Row:
    row = attack()
    typer.echo(f"attack: {row.name}: {row.held} of {row.done}", err=True)
    return row


def _run(arguments: list[str]) -> Ran:
    """The command within this process, as tests of command lines do it."""
    from typer.testing import CliRunner

    from assay.bench.attack import Ran
    from assay.bench.attack.inputs import Hang, alarm
    from assay.cli import app

    try:
        with alarm():
            done = CliRunner().invoke(app, arguments)
    except Hang:
        return Ran(-1, "", "it hangs")
    raised = done.exception
    told = "" if raised is None or isinstance(raised, SystemExit) else f"{type(raised).__name__}: {raised}"
    return Ran(done.exit_code, done.output, told)


class _inside:  # noqa: N801  # used like a function
    """A folder of its own to work in, with a home for what assay keeps of this user."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def __enter__(self) -> None:
        self._place.mkdir()
        self._before, self._state = Path.cwd(), os.environ.get("XDG_STATE_HOME")
        os.environ["XDG_STATE_HOME"] = str(self._place.parent / "state")
        os.chdir(self._place)

    def __exit__(self, *_: object) -> None:
        os.chdir(self._before)
        os.environ.pop("XDG_STATE_HOME")
        if self._state is not None:
            os.environ["XDG_STATE_HOME"] = self._state


def _table(rows: list[Row]) -> Table:
    from rich.table import Table

    table = Table(title="Attacks", caption="held: had the one outcome that is right.")
    for name in ("attack", "tried", "held", "%", ""):
        table.add_column(name, justify="left" if name in ("attack", "") else "right")
    for row in rows:
        table.add_row(row.name, f"{row.done:,}", f"{row.held:,}", f"{row.percent:.1f}", row.notes)
    return table
