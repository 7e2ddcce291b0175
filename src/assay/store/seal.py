"""A seal: who has the key can tell whether a folder is, file by file, as it was when the seal was put on it.

Hashes in a journal show that it was edited, unless whoever edits it makes all hashes anew; a seal shows that,
too, for it is a keyed hash (HMAC-SHA256) of the hashes of all files. It says nothing of whoever has the key:
a folder that was made up and then sealed is sealed.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.errors import InputError
from assay.store.plain import read_inside, read_plain, write_plain

SEAL = "seal.json"
SHORTEST_KEY = 16
"""Bytes of a key: fewer can be guessed."""


class Seal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    files: dict[str, str]
    hmac: str


def put_seal(folder: Path, key: Path) -> Path:
    """Seals the folder as it is, and says where the seal is."""
    files = _hashes(folder)
    seal = Seal(files, _code(_key(key), files))
    write_plain(folder / SEAL, msgspec.json.format(msgspec.json.encode(seal), indent=1) + b"\n")
    return folder / SEAL


def seal_problems(folder: Path, key: Path | None) -> Iterator[str]:
    """How the folder differs from what was sealed, in sentences; nothing, without a key."""
    if key is None:
        return
    secret = _key(key)
    try:
        seal = msgspec.json.decode(read_plain(folder / SEAL), type=Seal)
    except FileNotFoundError:
        yield "The folder has no seal."
        return
    except (OSError, InputError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        yield f"{SEAL} cannot be read: {error}."
        return
    if not hmac.compare_digest(_code(secret, seal.files).encode(), seal.hmac.encode(errors="replace")):
        yield "The seal was not made with this key, or was edited."
        return
    found = _hashes(folder)
    for name in sorted(found.keys() | seal.files.keys()):
        if name not in found:
            yield f"{name} was sealed and is missing."
        elif name not in seal.files:
            yield f"{name} came after the seal."
        elif found[name] != seal.files[name]:
            yield f"{name} is not as it was sealed."


def _hashes(folder: Path) -> dict[str, str]:
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())
    contents = ((name, read_inside(folder / name, folder)) for name in names if name != SEAL)
    return {name: hashlib.sha256(content).hexdigest() for name, content in contents}


def _code(key: bytes, files: dict[str, str]) -> str:
    return hmac.new(key, msgspec.json.encode(sorted(files.items())), hashlib.sha256).hexdigest()


def _key(path: Path) -> bytes:
    try:
        key = read_plain(path)
    except OSError as error:
        raise InputError(f"cannot read the key {path}: {error.strerror}") from error
    if len(key) < SHORTEST_KEY:
        raise InputError(f"the key {path} has {len(key)} bytes; give one of {SHORTEST_KEY} or more")
    return key
