"""`assay watch`: the most telling questions of a run, as an animation and in words."""

from __future__ import annotations

import base64
import os
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay.cli.conventions import (
    AgentOption,
    FolderArgument,
    JsonOption,
    TrustOption,
    agent_of,
    errors,
    print_json,
)
from assay.errors import AgentError, InputError

if TYPE_CHECKING:
    from assay.agents.guard import Guard
    from assay.report.pictures.album import Album
    from assay.report.pictures.telling import Telling
    from assay.store.journal import Entry, Record

SHOWS_PICTURES = frozenset({"iTerm.app", "WezTerm"})
"""Terminals that play a GIF in the midst of text; the others get the words alone."""


def add_commands(app: typer.Typer) -> None:
    app.command()(watch)


def watch(
    folder: FolderArgument, agent: AgentOption = None, trust: TrustOption = False, json: JsonOption = False
) -> None:
    """Show the most telling questions of a run: in words, and as an animation if the agent has pictures.

    Pictures that are not there yet are taken: the agent is opened as it was and asked the same questions.
    """
    from assay.report.pictures.album import ANIMATION, FOLDER, read_album
    from assay.report.pictures.take import QUESTIONS
    from assay.report.pictures.telling import read_claims, telling_questions
    from assay.store.folder import JOURNAL
    from assay.store.journal import read

    with errors(json):
        record = read(folder / JOURNAL, apart=True)
        claims = read_claims(folder)
        album = read_album(folder)
        if agent is not None or album is None or album.entries != len(record.entries):
            album = _take(folder, record, agent, trust) or album
        found = telling_questions(record.entries, record.setting.profile.vocabulary, claims)
        told = sorted(found[:QUESTIONS], key=lambda t: t.question)
        path = folder / FOLDER / ANIMATION if album is not None and album.animation else None
        if json:
            print_json(_data(told, album, path))
            return
        for line in _play(told, record.entries):
            typer.echo(line)
        for note in album.notes if album is not None else ():
            typer.echo(f"assay: {note}", err=True)
        if path is not None:
            if sys.stdout.isatty() and os.environ.get("TERM_PROGRAM") in SHOWS_PICTURES:
                typer.echo(_inline(path))
            typer.echo(f"Animation: {path}")


def _take(folder: Path, record: Record, agent: str | None, trust: bool) -> Album | None:
    """Takes the pictures, if the agent can be opened and has any; why not, is said to who named it."""
    from assay.agents.open import open_agent
    from assay.cli.report import HUMAN
    from assay.report.pictures.album import read_album
    from assay.report.pictures.take import shows_states
    from assay.report.write import add_pictures
    from assay.store.folder import read_options

    options, setting = read_options(folder), record.setting
    spec = agent or str(options.get("agent") or "")
    if not spec or spec.startswith(HUMAN):
        return None
    try:
        spec = agent_of(options, agent, trust)
        with open_agent(spec, timeout=options.get("timeout"), seed=setting.seed) as opened:
            if opened.vocabulary != setting.profile.vocabulary:
                raise InputError("this agent's vocabulary is not the one the journal was begun with")
            if shows_states(opened, record):
                _visit(opened, record)
                add_pictures(folder, opened)
                return read_album(folder)
    except (AgentError, InputError) as error:
        if agent is not None:
            raise
        typer.echo(f"assay: no new pictures: {error}", err=True)
    return None


def _visit(agent: Guard, record: Record) -> None:
    """Asks the journal's questions again: an agent can show the states it has been in."""
    for entry in record.entries:
        if not entry.logged:
            agent.ask(entry.query)


def _play(told: list[Telling], entries: Sequence[Entry]) -> Iterator[str]:
    """The questions in sentences, each with what it was compared with."""
    if not told:
        yield "No question tells anything yet: no action has run, or no refusal has one explanation."
    for question, tellings in groupby(told, key=lambda telling: telling.question):
        yield f"Question {question} of {len(entries)}"
        for telling in tellings:
            *earlier, last = (m.caption.removeprefix(f"Question {question}: ") for m in telling.moments)
            lines = [last, *earlier, f"So {telling.says}."] if telling.literal else [*earlier, last]
            yield from (f"  {line}" for line in lines)
        yield ""


def _data(told: list[Telling], album: Album | None, path: Path | None) -> object:
    import msgspec

    return {
        "animation": str(path) if path is not None else None,
        "questions": [
            {
                "question": t.question,
                "action": t.action,
                "literal": t.literal,
                "says": t.says,
                "moments": [{"question": m.question, "kind": m.kind, "says": m.caption} for m in t.moments],
            }
            for t in told
        ],
        "album": msgspec.to_builtins(album),
    }


def _inline(path: Path) -> str:
    """The file as iTerm2's protocol for pictures has it."""
    content = path.read_bytes()
    return f"\033]1337;File=inline=1;size={len(content)}:{base64.b64encode(content).decode()}\a"
