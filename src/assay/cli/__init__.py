"""The command line: arguments become wiring. The only place that prints or exits.

Heavy parts are imported inside the commands, so that `assay --help` answers at once.
"""

from __future__ import annotations

import signal
import sys
from typing import Annotated

import typer

from assay.cli import causal, compare, interrogate, play, report, score, serve, simulators, watch
from assay.cli.bench import bench_app
from assay.cli.unheard import Unheard

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="Find out what a black-box agent can and cannot do by asking it the right questions.",
)
interrogate.add_commands(app)
report.add_commands(app)
serve.add_commands(app)
causal.add_commands(app)
compare.add_commands(app)
simulators.add_commands(app)
watch.add_commands(app)
score.add_commands(app)
play.add_commands(app)
app.add_typer(bench_app, name="bench")


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"assay {installed('assay')}")
        raise typer.Exit


def main() -> None:
    # being told to end is like Ctrl-C: what was learned is written
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.stdout = Unheard.of(sys.stdout)
    app()
