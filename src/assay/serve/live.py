"""How a run stands, as plain data: for the index and for the browser that asks every second.

A run is finished when its summary counts as many questions as its journal holds; until then it is going
on, or was cut off, which nobody can tell from the files but by how long they have been silent.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.language.answers import plan_lines, verdict
from assay.language.english import English
from assay.result import Outcome
from assay.serve.follow import Follower
from assay.store.folder import SUMMARY
from assay.store.plain import decode_json, read_plain

SILENT = 120.0
"""After so many seconds without an answer the page says that the run may have been cut off."""

WORDS: Mapping[str, str] = {
    Outcome.COMPLETE: "Complete",
    Outcome.OPEN: "Ended, not everything is settled",
    Outcome.BUDGET: "Stopped: the budget ran out",
    Outcome.CONTRADICTION: "Ended: some answers contradict each other",
    Outcome.INTERRUPTED: "Stopped: it was interrupted",
    Outcome.FAILED: "Stopped: the agent failed",
}


def standing(follower: Follower, folder: Path) -> dict[str, Any]:
    """What a row of the index says of a run. The follower must be up to date."""
    summary = told(folder)
    finished = covers(summary, follower.entries)
    silent = follower.silent_seconds()
    if finished:
        outcome = WORDS.get(str(summary["outcome"]), "Ended")
    elif silent > SILENT:
        outcome = f"No answer for {_minutes(silent)}: cut off, or a slow agent"
    else:
        outcome = "Going on"
    return {
        "agent": follower.setting.profile.vocabulary.name,
        "finished": finished,
        "outcome": outcome,
        "questions": follower.questions,
        "strength": _strength(summary),
    }


def covers(summary: dict[str, Any], entries: int) -> bool:
    """Whether the summary was written after these entries: a run that goes on outdates it."""
    counts = (summary.get("questions"), summary.get("traces", 0))
    return "outcome" in summary and all(type(n) is int for n in counts) and sum(counts) == entries


def live(follower: Follower, folder: Path) -> dict[str, Any]:
    """Everything the page shows of a run while it goes on."""
    english = English(follower.setting.profile.vocabulary)
    entry = follower.last
    last = None
    if entry is not None:
        last = {
            "number": entry.number,
            "answer": verdict(english, entry),
            "steps": list(plan_lines(english, entry)),
        }
    actions = [
        {
            "name": english.action(header),
            "ran": follower.ran[header.name],
            "refused": follower.refused[header.name],
        }
        for header in follower.setting.profile.vocabulary.actions
    ]
    return standing(follower, folder) | {"last": last, "actions": actions, "version": follower.hash[:16]}


def told(folder: Path, file: str = SUMMARY) -> dict[str, Any]:
    """What a file says of the run; nothing, if it is not there or cannot be read."""
    try:
        found = decode_json(read_plain(folder / file))
    except (OSError, ValueError, RecursionError, InputError):
        return {}
    return found if isinstance(found, dict) else {}


def _strength(summary: dict[str, Any]) -> str:
    """What the last sitting that came to its end has reached."""
    strength = summary.get("strength")
    return str(strength) if type(strength) is int else "none" if summary else ""


def _minutes(seconds: float) -> str:
    if seconds < 7200:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.0f} hours" if seconds < 172800 else f"{seconds / 86400:.0f} days"
