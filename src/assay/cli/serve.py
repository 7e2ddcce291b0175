"""`assay serve`: the page of a result folder on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.conventions import errors


def add_commands(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="A result folder, or a folder of result folders.", show_default=False
        ),
    ],
    host: Annotated[
        str, typer.Option(help="Address to listen on; loopback unless you say otherwise.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 picks a free one.", min=0, max=65535)] = 0,
) -> None:
    """Show results in a browser: live while a run goes on, with why, why not and what if by clicking.

    Example: [bold]assay serve results[/bold]
    """
    from assay.serve.server import open_server

    with errors(), open_server(folder, host, port) as server:
        typer.echo(f"{folder} is shown at {server.url} (stop with Ctrl-C)")
        if not server.loopback:
            typer.echo("Whoever can reach this machine can read it: there is no password.", err=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("stopped", err=True)
