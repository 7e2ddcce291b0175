"""Reading and writing files in folders that others may have made.

Such a folder may hold a link to a file elsewhere, a pipe that never ends, or a file of any size. What is read
is a regular file, in the folder itself, and not larger than can be worked on; nothing waits. What is written
replaces the name in the folder, never the file that a link of that name leads to.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from assay.errors import InputError

LARGEST = 2**30
"""Bytes of a file that is read: it is read as a whole, and takes several times that."""
MOST_FILES = 10_000
"""Entries of a folder that are looked at."""


def read_plain(path: Path) -> bytes:
    """The content of a regular file; `InputError` if it is something else, `OSError` if it cannot be read."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise InputError(f"{path} is no plain file")
        if status.st_size > LARGEST:
            raise InputError(f"{path} has {status.st_size:,} bytes, more than {LARGEST:,}")
        return stream.read(LARGEST)


def read_inside(path: Path, folder: Path) -> bytes:
    """As `read_plain`, of a file that must lie in the folder, whatever links there are."""
    if not path.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{path} is a link that leads out of the folder")
    return read_plain(path)


def read_text(path: Path) -> str:
    """The text of a regular file; `InputError` if it is none."""
    try:
        return read_plain(path).decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a text file") from error


def decode_json(data: bytes, kind: Any = Any) -> Any:
    """What the JSON says; `msgspec.DecodeError` whatever is wrong with it."""
    try:
        return msgspec.json.decode(data, type=kind)
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError("it is not UTF-8 text") from error
    except RecursionError as error:
        raise msgspec.DecodeError("it is nested too deeply") from error


def write_plain(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all, and nowhere else."""
    unfinished = path.with_name(path.name + ".part")
    with suppress(FileNotFoundError):
        unfinished.unlink()
    with unfinished.open("xb") as stream:
        stream.write(content)
    os.replace(unfinished, path)


def check_folder(folder: Path) -> None:
    """`InputError` if anything in a result folder leads elsewhere or is neither file nor folder."""
    with suppress(NotADirectoryError, FileNotFoundError):
        here = folder.resolve()
        for path in _entries(folder):
            kind = path.lstat().st_mode
            if stat.S_ISLNK(kind) and not path.resolve().is_relative_to(here):
                raise InputError(f"{path} is a link that leads out of the folder")
            if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind) or stat.S_ISLNK(kind)):
                raise InputError(f"{path} is no plain file; there is none else in a result folder")


def _entries(folder: Path) -> Iterator[Path]:
    """What lies in the folder, and in folders directly below it."""
    looked_at = 0
    todo = [(folder, 0)]
    while todo:
        place, depth = todo.pop()
        for path in place.iterdir():
            looked_at += 1
            if looked_at > MOST_FILES:
                return
            yield path
            if depth == 0 and path.is_dir() and not path.is_symlink():
                todo.append((path, 1))


@contextmanager
def as_written(folder: Path) -> Iterator[None]:
    """`InputError` for what goes wrong inside because JSON has another shape than assay gives it."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        said = f"{type(error).__name__}: {error}"
        raise InputError(f"the files in {folder} are not as assay writes them ({said})") from error
