"""Options that every command takes: limits on what agents and folders may ask of this machine.

They are no parameters of the commands, but put into the environment for as long as a command runs, so that
they also hold for the processes that it starts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any

import typer

from assay.core.limits import Limits, names, option, variable

_PANEL = "Limits"


@dataclass(frozen=True, slots=True)
class Kept:
    """An option with a whole number, and the environment variable that it is put into."""

    flag: str
    variable: str
    help: str
    usual: str
    least: int = 1

    @property
    def name(self) -> str:
        return self.flag.removeprefix("--").replace("-", "_")

    @property
    def annotation(self) -> Any:
        given = typer.Option(
            self.flag, help=self.help, show_default=self.usual, min=self.least, rich_help_panel=_PANEL
        )
        return Annotated[int | None, given]


_LIMITS = {
    "lifted": "Most lifted atoms of an action.",
    "ground": "Most ground atoms over the agent's objects.",
    "objects": "Most objects of the agent.",
    "symbols": "Most types, constants, predicates and actions.",
}
OPTIONS = [
    *(Kept(option(n), variable(n), _LIMITS[n], f"{getattr(Limits(), n):,}") for n in names()),
    Kept(
        "--retries", "ASSAY_RETRIES", "http: and exec: ask so often again if an answer is lost.", "3", least=0
    ),
    Kept("--agent-memory", "ASSAY_AGENT_MEMORY", "exec: megabytes that a process may take.", "no limit"),
]


def everywhere(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the options beside its own."""

    @wraps(command)
    def wrapped(*args: Any, **given: Any) -> Any:
        kept = {option.variable: given.pop(option.name, None) for option in OPTIONS}
        with _environment(kept):
            return command(*args, **given)

    added = [
        Parameter(option.name, Parameter.KEYWORD_ONLY, default=None, annotation=option.annotation)
        for option in OPTIONS
    ]
    own = signature(command, eval_str=True)
    everything = [*own.parameters.values(), *added]
    wrapped.__signature__ = own.replace(parameters=everything)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {p.name: p.annotation for p in everything}
    return wrapped


@contextmanager
def _environment(values: dict[str, int | None]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update({name: str(value) for name, value in values.items() if value is not None})
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
