"""Lines chained by hash: JSON objects, each with the hash of the line before it followed by its own text.

What journals of every kind are made of. A line is written and flushed at once. A process killed while
writing leaves at most a torn last line, which is left out on reading and cut off on resuming; anything else
that does not check out raises `JournalError`. Two writers would leave what nobody can read: whoever appends
has the file to itself until it is closed (see `lock`), and a second one gets an `InputError`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import IO, Any

import msgspec

from assay.core.quantity import count
from assay.errors import AgentError, InputError, JournalError
from assay.store.lock import lock
from assay.store.plain import read_plain

MARK = b',"hash":"'
LONGEST_LINE = 64 * 2**20
"""Bytes of a question with its answer: as many as a message of the protocol may have."""
TAIL = len(MARK) + 64 + len(b'"}')


def link(previous: str, body: bytes) -> str:
    return hashlib.sha256(previous.encode() + body).hexdigest()


@dataclass(frozen=True, slots=True)
class Lines:
    """A chain read back and checked."""

    data: tuple[Mapping[str, Any], ...]
    hash: str
    size: int
    """Bytes up to the end of the last complete line."""
    torn: bool
    """Whether an unfinished last line was left out."""


class Chain:
    """Appends lines to a file."""

    def __init__(self, stream: IO[bytes], last_hash: str = "") -> None:
        self._stream, self.hash = stream, last_hash

    @classmethod
    def create(cls, path: Path) -> Chain:
        try:
            return cls(_alone(path.open("x+b"), path))
        except FileExistsError as error:
            raise already_there(path.parent) from error

    @classmethod
    def resume(cls, path: Path) -> tuple[Chain, Lines]:
        try:
            stream = _alone(path.open("r+b"), path)
        except OSError as error:
            raise JournalError(f"cannot go on with journal {path}: {error.strerror}") from error
        try:
            lines = read_lines(path)
            stream.truncate(lines.size)
            stream.seek(lines.size)
        except BaseException:
            stream.close()
            raise
        return cls(stream, lines.hash), lines

    def append(self, data: Mapping[str, Any]) -> None:
        body = msgspec.json.encode(data)
        if len(body) > LONGEST_LINE:
            raise AgentError(
                f"question and answer have {len(body)} bytes, more than can be kept: {LONGEST_LINE}"
            )
        self.hash = link(self.hash, body)
        self._stream.write(body[:-1] + MARK + self.hash.encode() + b'"}\n')
        self._stream.flush()

    def is_at(self, path: Path) -> bool:
        """Whether this is the file of that name."""
        try:
            return os.path.samestat(os.fstat(self._stream.fileno()), path.stat())
        except OSError:
            return False

    def content(self) -> bytes:
        """All that was written, even if the file has no name any more."""
        self._stream.seek(0)
        content = self._stream.read()
        self._stream.seek(0, os.SEEK_END)
        return content

    def close(self) -> None:
        self._stream.close()


def decode(body: bytes) -> dict[str, Any]:
    """A line's object, if it is written as assay writes: no member twice, and nothing between members."""
    data = msgspec.json.decode(body)
    if not isinstance(data, dict) or msgspec.json.encode(data) != body:
        raise JournalError("it is not written as assay writes it")
    return data


def already_there(folder: Path) -> InputError:
    return InputError(f"{folder} already holds a run: choose another folder, or go on with 'assay resume'")


def nothing_learned(path: Path) -> JournalError:
    return JournalError(
        f"{path.name} breaks off in its first line: nothing was learned; remove {path.parent} and run again"
    )


def left_over(asked: int, recorded: int) -> JournalError:
    return JournalError(
        f"this run is at its end after {count(asked, 'answer')}, and the journal has {recorded}: "
        "was it edited, or begun by another version?"
    )


def _alone(stream: IO[bytes], path: Path) -> IO[bytes]:
    """The open file, once nobody else writes to it."""
    if lock(stream):
        return stream
    stream.close()
    folder = quote(str(path.parent))
    raise InputError(
        f"another assay is still writing to {path.parent}: wait until it has ended, or stop it; "
        f"then 'assay resume {folder}' goes on if there is more to ask"
    )


def read_lines(path: Path) -> Lines:
    try:
        lines = read_plain(path).split(b"\n")
    except OSError as error:
        raise JournalError(f"cannot read journal {path}: {error.strerror}") from error
    torn = bool(lines.pop())
    if not lines:
        raise nothing_learned(path)
    last, size = "", 0
    found = []
    for place, line in enumerate(lines, start=1):
        body = line[:-TAIL] + b"}"
        stated = line[-66:-2].decode(errors="replace")
        if not line.endswith(b'"}') or line[-TAIL : -TAIL + len(MARK)] != MARK:
            raise JournalError(f"{path.name}, line {place}: not a journal line")
        if link(last, body) != stated:
            raise JournalError(f"{path.name}, line {place}: the hash does not match; the journal was edited")
        try:
            found.append(decode(body))
        except (JournalError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise JournalError(f"{path.name}, line {place}: {error}") from error
        last, size = stated, size + len(line) + 1
    return Lines(tuple(found), last, size, torn)
