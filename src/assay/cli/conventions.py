"""What all commands share: exit codes, `--json`, and errors in words.

Exit codes: 0 all is well, 1 two things differ that were compared, 2 bad usage, bad input or a broken agent,
3 a budget, a time limit or a bound was reached, or something stayed open, 4 the answers contradict every
model. An agent that does not answer in time is out of time (3) if a run was going on, so that there is a
partial result; else, as when it never said hello, it is a broken one (2).
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from assay.core.quantity import count
from assay.core.visible import visible, visible_lines
from assay.errors import AgentError, AgentTimeout, AssayError, InputWarning

LONGEST_ERROR = 5_000
"""Characters of an error that are told."""

OK, DIFFERENT, BAD, PARTIAL, CONTRADICTORY = range(5)


def plain_folder(folder: Path) -> Path:
    """The folder, if nothing in it leads elsewhere; whoever made it may not be whoever reads it."""
    from assay.store.plain import check_folder

    with errors():
        check_folder(folder)
    return folder


FolderArgument = Annotated[
    Path,
    typer.Argument(metavar="DIR", help="A result folder.", show_default=False, callback=plain_folder),
]
AgentOption = Annotated[
    str | None, typer.Option(help="The agent, if it is to be opened differently from before.")
]
TrustOption = Annotated[
    bool,
    typer.Option("--trust", help="Open the agent that the folder names, although you have not run it here."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]


@contextmanager
def errors(json: bool = False) -> Iterator[None]:
    """Errors and warnings in words on stderr, and the exit code that belongs to them."""
    try:
        with _warnings():
            yield
    except AssayError as error:
        if json:
            print_json({"error": str(error), "kind": type(error).__name__})
        _tell(error, str(error))
        out_of_time = isinstance(error, AgentTimeout) and error.result is not None
        raise typer.Exit(PARTIAL if out_of_time else BAD) from error
    except OSError as error:
        if json:
            print_json({"error": reason(error), "kind": type(error).__name__})
        _tell(error, reason(error))
        raise typer.Exit(BAD) from error
    except (MemoryError, RecursionError) as error:
        _tell(error, "there is not enough memory for this" if isinstance(error, MemoryError) else str(error))
        raise typer.Exit(BAD) from error
    except KeyboardInterrupt as stop:
        _tell(stop, "interrupted")
        raise typer.Exit(PARTIAL) from None


def reason(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"


def _tell(error: BaseException, what: str) -> None:
    tell(what, *getattr(error, "__notes__", ()))


def tell(*lines: str) -> None:
    for line in lines:
        typer.echo(f"assay: {visible_lines(line[:LONGEST_ERROR])}", err=True)


@contextmanager
def resumable(folder: Path) -> Iterator[None]:
    """A run into this folder: if it breaks off, the error names the command that goes on with it."""
    try:
        yield
    except (AgentError, OSError, KeyboardInterrupt) as stop:
        from assay.store.folder import RUN

        begun = not isinstance(stop, AgentError) or stop.result is not None
        if begun and os.path.exists(folder / RUN):
            stop.add_note(f"what was learned so far is kept; to go on: assay resume {quote(str(folder))}")
        raise


@contextmanager
def _warnings() -> Iterator[None]:
    """Our own warnings as one line; what other packages warn of is theirs."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", InputWarning)
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, InputWarning):
                typer.echo(f"assay: warning: {visible(str(message), LONGEST_ERROR)}", err=True)
            else:
                others(message, category, *place, **more)

        warnings.showwarning = show
        yield


def agent_of(options: Mapping[str, Any], given: str | None, trust: bool) -> str:
    """The agent to open for a result folder: the one given, or the one it names if that may be run."""
    from assay.store.trust import SHOWN, named_agent, trusted_agent

    if given is not None:
        return given
    if not trust:
        return trusted_agent(options)
    spec = named_agent(options)
    typer.echo(f"assay: opening the agent that the folder names: {visible(spec, SHOWN)}", err=True)
    return spec


def tell_how_to_go_on(folder: Path, spent: int) -> None:
    """The budget is spent: by which command a run goes on with a larger one."""
    command = f"assay resume {quote(str(folder))} --budget {max(2 * spent, spent + 10)}"
    typer.echo(f"assay: the budget of {count(spent, 'question')} is spent; to go on: {command}", err=True)


def print_json(data: Any) -> None:
    import msgspec

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n")
