"""What a result folder says beside its model: does it belong to this journal, and is it what that gives?

The checks of `folder` prove the model. These compare the rest with what is derived anew: every byte of
`model.pddl` (its comments and its name, too) and of `report.html`, every member of `summary.json` that a
journal can show, and in `run.json` the agent, by the fingerprint in the journal's first line. How the files
are derived is not known here: whoever calls hands them in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from assay.core.fingerprint import spec_fingerprint
from assay.core.setting import Setting
from assay.errors import InputError
from assay.store.plain import read_plain

UNSHOWN = frozenset(
    {"seconds", "agent_seconds", "cached", "error", "repeats", "retries", "asked_again"}
    | {"proof", "forbidden", "forbidden_proof"}
)
"""What no journal can show: times, what went on around the questions, how a proof went."""
MISSING = object()


def agent_problems(setting: Setting, options: Mapping[str, Any]) -> Iterator[str]:
    """Whether `run.json` names the agent that the journal was begun with."""
    if setting.opened and spec_fingerprint(str(options.get("agent", ""))) != setting.opened:
        yield "run.json names another agent than the one that the journal was begun with."


def file_problems(folder: Path, derived: Mapping[str, bytes]) -> Iterator[str]:
    """Files that are not, byte for byte, what the journal gives. What is missing is said elsewhere."""
    for name, content in derived.items():
        try:
            found = read_plain(folder / name)
        except FileNotFoundError:
            continue
        except (OSError, InputError) as error:
            yield f"Cannot read {name}: {error}."
            continue
        if found != content:
            yield f"{name} is not what the journal gives{_place(found, content)}."


def summary_member_problems(found: Mapping[str, Any], derived: Mapping[str, Any]) -> Iterator[str]:
    """Members of a summary that are not what the journal gives, or that no summary has."""
    for name in sorted((found.keys() | derived.keys()) - UNSHOWN):
        told, given = found.get(name, MISSING), derived.get(name, MISSING)
        if given is MISSING:
            yield f"summary.json has a member {name!r} that is none."
        elif told is MISSING:
            yield f"summary.json lacks {name!r}."
        elif msgspec.json.encode(told) != msgspec.json.encode(given):
            yield f"summary.json says {name} {_short(told)}; the journal gives {_short(given)}."


def _place(found: bytes, derived: bytes) -> str:
    """Where a text begins to be another."""
    lines = zip(found.split(b"\n"), derived.split(b"\n"), strict=False)
    first = next((number for number, (a, b) in enumerate(lines, start=1) if a != b), None)
    return f" from line {first} on" if first is not None else ", but longer or shorter"


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}..."
