"""The commands that people read and answer: the report, a person as the agent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay.cli.conventions import FolderArgument, JsonOption, errors, print_json
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.agents.guard import Guard


def add_commands(app: typer.Typer) -> None:
    app.command()(report)


def report(folder: FolderArgument, json: JsonOption = False) -> None:
    """Write report.html into a result folder, or refresh it, and print where it is."""
    from assay.discovery.folder import is_study
    from assay.proof.chance import is_chance

    with errors(json):
        if is_study(folder):
            from assay.report.capabilities import write_capabilities_page as write
        elif is_chance(folder):
            from assay.report.chance_folder import write_chance_page as write
        else:
            from assay.report.write import refresh_report as write
        path = write(folder)
        if json:
            print_json({"report": str(path)})
        else:
            typer.echo(path)


class Terminal:
    """Speaks to whoever sits there; on stderr, so that the result alone is on stdout."""

    def say(self, text: str) -> None:
        typer.echo(text, err=True)

    def ask(self, prompt: str) -> str:
        typer.echo(prompt, err=True, nl=False)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line


HUMAN = "human:"


def open_person(spec: str) -> Guard:
    """The person at the terminal as an agent, from `human:VOCABULARY.pddl[,PROBLEM.pddl]`."""
    from assay.agents.guard import Guard
    from assay.agents.human import open_human
    from assay.language.questions import Speech

    vocabulary, *problems = spec.removeprefix(HUMAN).split(",")
    if not vocabulary or len(problems) > 1:
        raise InputError(f"{spec!r}: write human:vocabulary.pddl or human:vocabulary.pddl,problem.pddl")
    problem = Path(problems[0]) if problems else None
    return Guard(open_human(Path(vocabulary), problem, Terminal(), Speech))
