"""`assay seal`: for who sends folders to others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.conventions import FolderArgument, JsonOption, errors, print_json

KEY = "A file with at least 16 bytes that nobody else has, such as `head -c 32 /dev/urandom > key` makes."
KeyOption = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="Also check the seal, which was made with this key."),
]


def add_commands(app: typer.Typer) -> None:
    app.command()(seal)


def seal(
    folder: FolderArgument,
    key: Annotated[Path, typer.Option(metavar="FILE", help=KEY, show_default=False)],
    json: JsonOption = False,
) -> None:
    """Seal a result folder: who has the key can tell later whether anything in it was changed.

    Check it with [bold]assay verify DIR --key FILE[/bold]
    """
    from assay.store.seal import put_seal

    with errors(json):
        path = put_seal(folder, key)
        if json:
            print_json({"seal": str(path)})
        else:
            typer.echo(path)
