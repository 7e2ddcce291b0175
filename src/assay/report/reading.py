"""A result folder read for a report: the journal folded, and what the other files add to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from assay.core.visible import visible_data
from assay.errors import InputError, JournalError
from assay.report.fold import Fold
from assay.report.reach import known_certificate
from assay.store.folder import CERTIFICATE, JOURNAL, MODEL, SUMMARY, TIMINGS, read_options
from assay.store.journal import Record, read
from assay.store.plain import decode_json, read_plain

UNFINISHED = "unfinished"
"""The outcome of a run that has not come to an end, or was killed."""


@dataclass(frozen=True)
class Reading:
    record: Record
    fold: Fold
    options: Mapping[str, Any] = field(default_factory=dict)
    """How the run was started."""
    summary: Mapping[str, Any] = field(default_factory=dict)
    """What the run said at its end; empty if it has not come to one, or has gone on since."""
    certificate: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""
    """The model as PDDL."""
    seconds: float = 0.0
    agent_seconds: float = 0.0

    @property
    def outcome(self) -> str:
        unfinished = "contradiction" if self.fold.contradicted else UNFINISHED
        return str(self.summary.get("outcome", unfinished))


def read_folder(folder: Path) -> Reading:
    """Whatever a result folder holds, finished or not; the journal and how it was begun must be there."""
    options = visible_data(read_options(folder))
    record = read(folder / JOURNAL)
    if record.setting.aims is not None:
        raise InputError(f"{folder} holds an assessment with chance; what it found is in its own files")
    summary = read_summary(folder, len(record.entries))
    fold = Fold(record.setting, record.entries)
    fold.recall(known_certificate(folder / CERTIFICATE), record.hash, str(summary.get("proof", "")))
    return Reading(
        record,
        fold,
        options,
        summary,
        _json(folder / CERTIFICATE),
        _text(folder / MODEL),
        *_times(folder / TIMINGS),
    )


def read_summary(folder: Path, entries: int) -> Mapping[str, Any]:
    """What the run said at its end; nothing, if it has gone on since."""
    summary = _json(folder / SUMMARY)
    for name in ("seconds", "agent_seconds"):
        if not isinstance(summary.get(name, 0.0), int | float):
            raise JournalError(f"{folder / SUMMARY}: {name!r} is no number")
    return summary if covers(summary, entries) else {}


def covers(summary: Mapping[str, Any], entries: int) -> bool:
    """Whether the summary is about a journal with so many entries."""
    counts = summary.get("questions"), summary.get("traces", 0)
    return all(isinstance(n, int) for n in counts) and sum(n or 0 for n in counts) == entries


def _text(path: Path) -> str:
    try:
        return read_plain(path).decode()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise JournalError(f"cannot read {path}: {error}") from error


def _json(path: Path) -> Mapping[str, Any]:
    try:
        data = decode_json((_text(path) or "{}").encode())
    except (msgspec.DecodeError, RecursionError) as error:
        raise JournalError(f"{path}: {error}") from error
    return visible_data(data) if isinstance(data, dict) else {}


def _times(path: Path) -> tuple[float, float]:
    """Seconds spent, all told and in the agent, as far as they were noted."""
    last: Mapping[str, Any] = {}
    for line in _text(path).splitlines():
        try:
            last = decode_json(line.encode(), dict[str, float])
        except msgspec.MsgspecError:
            continue  # torn by a kill
    return float(last.get("seconds", 0.0)), float(last.get("agent_seconds", 0.0))
