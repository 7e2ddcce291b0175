"""A result folder: the journal, and files that anyone can read without assay.

    journal.jsonl      every question and answer, chained by hash; the only source of everything else
    timings.jsonl      when each answer came; apart, so that the journal depends on the seed alone
    run.json           how the run was started: agent, budget, time limit
    model.pddl (or model.ppddl), description.md, summary.json, certificate.json    written when a sitting ends

The derived files are replaced as a whole, so a reader never sees half a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import IO, Any

import msgspec

from assay.core.setting import Setting
from assay.errors import InputError, JournalError
from assay.store.chain import already_there
from assay.store.journal import Entry, Journal, Record
from assay.store.simulations import Simulation

JOURNAL, TIMINGS, RUN = "journal.jsonl", "timings.jsonl", "run.json"
MODEL, DESCRIPTION, SUMMARY, CERTIFICATE = "model.pddl", "description.md", "summary.json", "certificate.json"
CHANCE_MODEL = "model.ppddl"
"""What the model is called if it has probabilities."""
REACHES, CAPABILITIES = "reaches.jsonl", "capabilities.json"
"""The journal of an agent that presses keys, and what it can do with the evidence beside it."""


class Folder:
    """A result folder open for writing."""

    def __init__(self, path: Path, journal: Journal, timings: IO[bytes]) -> None:
        self.path, self._journal, self._timings = path, journal, timings
        self.earlier = _last_line(path / TIMINGS)
        """What earlier sittings have spent: `seconds` all told, `agent_seconds`, perhaps `repeats`."""

    @classmethod
    def create(cls, path: Path, setting: Setting, options: Mapping[str, Any]) -> Folder:
        if (path / JOURNAL).exists():
            raise already_there(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
            (path / RUN).write_bytes(_pretty(options))
            return cls(path, Journal.create(path / JOURNAL, setting), (path / TIMINGS).open("wb"))
        except OSError as error:
            raise InputError(f"cannot write to {path}: {error.strerror}") from error

    @classmethod
    def resume(cls, path: Path) -> tuple[Folder, Record]:
        journal, record = Journal.resume(path / JOURNAL)
        timings = (path / TIMINGS).open("ab")
        return cls(path, journal, timings), record

    @property
    def options(self) -> dict[str, Any]:
        """How the run was started."""
        return read_options(self.path)

    def set_option(self, name: str, value: Any) -> None:
        options = self.options
        if options.get(name) != value:
            replace(self.path / RUN, _pretty(options | {name: value}))

    @property
    def hash(self) -> str:
        """The hash of the journal as it stands."""
        return self._journal.hash

    def append(self, entry: Entry | Simulation, spent: Mapping[str, float] | None = None) -> None:
        self._journal.append(entry)
        if spent is not None:
            line = {"n": entry.number, **{name: round(value, 6) for name, value in spent.items()}}
            self._timings.write(msgspec.json.encode(line) + b"\n")
            self._timings.flush()

    def write(self, files: Mapping[str, bytes]) -> None:
        for name, content in files.items():
            replace(self.path / name, content)

    def close(self) -> None:
        self._journal.close()
        self._timings.close()


def _last_line(path: Path) -> Mapping[str, float]:
    last: dict[str, float] = {}
    for line in path.read_bytes().splitlines():
        with suppress(msgspec.DecodeError):  # torn by a kill; the next line starts afresh
            last = msgspec.json.decode(line)
    return last


def replace(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all."""
    unfinished = path.with_name(path.name + ".part")
    unfinished.write_bytes(content)
    os.replace(unfinished, path)


def read_options(path: Path) -> dict[str, Any]:
    """How the run in a folder was started."""
    try:
        options: dict[str, Any] = msgspec.json.decode((path / RUN).read_bytes())
    except OSError as error:
        raise InputError(f"{path} is not a result folder: {error.strerror}: {RUN}") from error
    except msgspec.DecodeError as error:
        raise JournalError(f"{path / RUN}: {error}") from error
    return options


def _pretty(data: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n"


def missing_files(folder: Path, *names: str) -> Iterator[str]:
    """Files that a run has written and that are no longer there, in sentences."""
    for name in names:
        if not (folder / name).is_file():
            yield f"{name} is missing: 'assay resume {quote(str(folder))}' writes it again."


def summary_file(summary: Mapping[str, Any]) -> bytes:
    return _pretty(summary)
