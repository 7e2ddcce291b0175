"""The command line: arguments become wiring. The only place that prints or exits.

Heavy parts are imported inside the commands, so that `assay --help` answers at once.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Annotated

import typer

from assay.cli import causal, compare, interrogate, play, report, score, seal, serve, simulators, watch
from assay.cli.bench import bench_app
from assay.cli.conventions import BAD, OK, PARTIAL, reason, tell
from assay.cli.everywhere import everywhere
from assay.cli.unheard import flushed, take_over

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    help="Find out what a black-box agent can and cannot do by asking it the right questions.",
)
interrogate.add_commands(app)
report.add_commands(app)
serve.add_commands(app)
seal.add_commands(app)
causal.add_commands(app)
compare.add_commands(app)
simulators.add_commands(app)
watch.add_commands(app)
score.add_commands(app)
play.add_commands(app)
for command in app.registered_commands:
    command.callback = everywhere(command.callback) if command.callback is not None else None
app.add_typer(bench_app, name="bench")


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"assay {installed('assay')}")
        raise typer.Exit


def main() -> None:
    """The command line as a process: whatever happens is said in a sentence, and no more than that."""
    take_over()
    for name in _ENDING:
        if (number := getattr(signal, name, None)) and signal.getsignal(number) is not signal.SIG_IGN:
            # being told to end is like Ctrl-C: what was learned is written
            signal.signal(number, signal.default_int_handler)
    code: object = BAD
    try:
        app()
    except SystemExit as end:
        code = end.code
    except KeyboardInterrupt:
        tell("interrupted")
        code = PARTIAL
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        tell(_unforeseen(error))
    if not flushed():
        tell("not all that was printed could be written to standard output")
        code = BAD
    sys.exit(code if isinstance(code, int) else OK if code is None else BAD)


_ENDING = ("SIGTERM", "SIGHUP", "SIGQUIT")
TRACEBACK = "ASSAY_TRACEBACK"
"""Set it to see where something unforeseen happened."""


def _unforeseen(error: Exception) -> str:
    if isinstance(error, OSError):
        return reason(error)
    where = f"set {TRACEBACK}=1 to see where"
    return f"what was given could not be worked with: {type(error).__name__}: {error} ({where})"
