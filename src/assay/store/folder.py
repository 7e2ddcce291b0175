"""A result folder: the journal, and files that anyone can read without assay.

    journal.jsonl      every question and answer, chained by hash; the only source of everything else
    timings.jsonl      when each answer came; apart, so that the journal depends on the seed alone
    run.json           how the run was started: agent, budget, time limit
    model.pddl (or model.ppddl), description.md, summary.json, certificate.json    written when a sitting ends

The derived files are replaced as a whole, so a reader never sees half a file.
"""

from __future__ import annotations

import dataclasses
import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import IO, Any

import msgspec

from assay.core.fingerprint import spec_fingerprint
from assay.core.setting import Setting
from assay.core.visible import visible
from assay.errors import InputError, InputWarning, JournalError
from assay.store.chain import already_there
from assay.store.journal import Entry, Journal, Record
from assay.store.place import make_empty_folder
from assay.store.plain import check_folder, decode_json, read_plain, write_plain
from assay.store.simulations import Simulation
from assay.store.trust import tag

JOURNAL, TIMINGS, RUN = "journal.jsonl", "timings.jsonl", "run.json"
MODEL, DESCRIPTION, SUMMARY, CERTIFICATE = "model.pddl", "description.md", "summary.json", "certificate.json"
CHANCE_MODEL = "model.ppddl"
"""What the model is called if it has probabilities."""
REACHES, CAPABILITIES = "reaches.jsonl", "capabilities.json"
"""The journal of an agent that presses keys, and what it can do with the evidence beside it."""

_OPTIONS: dict[str, tuple[type, ...]] = {
    "agent": (str, type(None)),
    "budget": (int, type(None)),
    "samples": (int, type(None)),
    "seed": (int, type(None)),
    "timeout": (int, float, type(None)),
    "interest": (list, type(None)),
    "kind": (str, type(None)),
    "traces": (str, type(None)),
}
"""What may stand in `run.json`, where it is gone by; what is not there is None."""


class Folder:
    """A result folder open for writing."""

    def __init__(self, path: Path, journal: Journal, timings: IO[bytes]) -> None:
        self.path, self._journal, self._timings = path, journal, timings
        self._run = read_plain(path / RUN)
        self.earlier = _last_line(path / TIMINGS)
        """What earlier sittings have spent: `seconds` all told, `agent_seconds`, perhaps `repeats`."""

    @classmethod
    def create(cls, path: Path, setting: Setting, options: dict[str, Any]) -> Folder:
        if os.path.exists(path / JOURNAL):
            raise already_there(path)
        make_empty_folder(path)
        spec = str(options.get("agent", ""))
        setting = dataclasses.replace(setting, opened=spec_fingerprint(spec))
        try:
            with (path / RUN).open("xb") as stream:
                stream.write(_pretty(options | tag(spec)))
            return cls(path, Journal.create(path / JOURNAL, setting), (path / TIMINGS).open("xb"))
        except FileExistsError as error:  # another run began here at the same moment
            raise already_there(path) from error
        except OSError as error:
            raise InputError(f"cannot write to {path}: {error.strerror}") from error

    @classmethod
    def resume(cls, path: Path) -> tuple[Folder, Record]:
        check_folder(path)
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
        self._bring_back()
        for name, content in files.items():
            replace(self.path / name, content)

    def _bring_back(self) -> None:
        """If the folder was moved or removed during the run, what was learned is written again."""
        if self._journal.is_at(self.path / JOURNAL):
            return
        make_empty_folder(self.path)
        for name, content in ((JOURNAL, self._journal.content()), (RUN, self._run), (TIMINGS, b"")):
            write_plain(self.path / name, content)
        warnings.warn(f"{self.path} was gone, and is written again", InputWarning, stacklevel=2)

    def close(self) -> None:
        self._journal.close()
        self._timings.close()


def _last_line(path: Path) -> Mapping[str, float]:
    last: dict[str, float] = {}
    for line in read_plain(path).splitlines():
        with suppress(msgspec.MsgspecError):  # torn by a kill; the next line starts afresh
            last = decode_json(line, dict[str, float])
    return last


def replace(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all."""
    write_plain(path, content)


def read_options(path: Path) -> dict[str, Any]:
    """How the run in a folder was started."""
    try:
        options = decode_json(read_plain(path / RUN))
    except OSError as error:
        raise InputError(f"{path} is not a result folder: {error.strerror}: {RUN}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise JournalError(f"{path / RUN}: {error}") from error
    if not isinstance(options, dict):
        raise JournalError(f"{path / RUN} holds no JSON object")
    for name, kinds in _OPTIONS.items():
        value = options.setdefault(name, None)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise JournalError(f"{path / RUN}: {name!r} cannot be {visible(str(value), 60)!r}")
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
