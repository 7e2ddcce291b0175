"""Where a new run is kept: a folder name that stays where it is put, and a folder that holds nothing else.

The name of an agent comes from the agent. It becomes one path component of letters, digits and `_ - .`, never
`.` or `..`, never hidden, and short enough for every file system. A run is written only into a folder that
is empty or new, so it cannot overwrite what is not its own.
"""

from __future__ import annotations

import re
from pathlib import Path

from assay.errors import InputError

LONGEST_NAME = 80
"""Characters of a folder's name, its number included."""
NUMBER = 8
"""Characters of it that are left for the number."""
_FORBIDDEN = re.compile(r"[^A-Za-z0-9_.-]+")


def folder_name(name: str) -> str:
    """One path component made from any text."""
    return _FORBIDDEN.sub("-", name)[: LONGEST_NAME - NUMBER].strip(".-") or "agent"


def new_folder(name: str, below: Path = Path("results")) -> Path:
    """A folder that does not exist yet, named after what is assessed."""
    base = below / folder_name(name)
    number, path = 1, base
    while path.exists() or path.is_symlink():
        number += 1
        path = base.with_name(f"{base.name}-{number}")
    return path


def make_empty_folder(path: Path) -> None:
    """Makes the folder; `InputError` if it is there and holds anything, or cannot be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        held = next(path.iterdir(), None)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot write to {path}: {reason}") from error
    if held is not None:
        raise InputError(
            f"{path} is not empty and holds no run that could go on: choose a folder that is new or empty"
        )
