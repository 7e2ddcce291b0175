"""`assay init`: a first vocabulary file for an environment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.conventions import JsonOption, errors, print_json
from assay.errors import InputError

EnvironmentArgument = Annotated[
    str,
    typer.Argument(
        metavar="ENV",
        help="A Gymnasium environment, for example FrozenLake-v1 or minigrid:MiniGrid-Empty-5x5-v0.",
        show_default=False,
    ),
]
OutOption = Annotated[
    Path | None, typer.Option(help="The file to write.", show_default="named after the environment")
]


def add_commands(app: typer.Typer) -> None:
    app.command()(init)


def init(environment: EnvironmentArgument, out: OutOption = None, json: JsonOption = False) -> None:
    """Draft a vocabulary file for a Gymnasium environment, with comments, for you to edit.

    It can be run at once: [bold]assay check gym:FILE[/bold], then [bold]assay run gym:FILE[/bold].
    """
    from assay.agents.gym_draft import draft
    from assay.agents.gym_draft_text import draft_text

    with errors(json):
        path = out or Path(environment.rpartition(":")[2].lower().replace("-", "_").replace("/", "_") + ".py")
        if path.exists():
            raise InputError(f"{path} is there already; choose another name with --out")
        found = draft(environment)
        try:
            path.write_text(draft_text(found, str(path)), encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror or error}") from None
        if json:
            actions = [change.action for change in found.changes]
            print_json({"file": str(path), "predicates": list(found.parts), "actions": actions})
        else:
            typer.echo(f"{path}: {len(found.parts)} predicate(s), {len(found.changes)} action(s)")
            typer.echo(f"Edit it, then: assay check gym:{path}")
