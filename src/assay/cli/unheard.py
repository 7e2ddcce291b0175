"""Standard streams that nobody has to listen to, or that were never there.

`assay run AGENT | head` ends as the run did, and a message on standard error that cannot be written is no
reason to end otherwise. What cannot be written to standard output for another reason (a full disk) is an
error that is said. A stream that was closed before the start is replaced by one that leads nowhere: else the
next file that is opened takes its number, and prints end up in it.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TextIO, cast

STANDARD = (0, 1, 2)
"""The numbers of input, output and errors."""


class Unheard(io.TextIOWrapper):
    """The same stream; once its reader is gone, what is written goes nowhere."""

    forgiving: tuple[type[OSError], ...] = (BrokenPipeError,)
    """What makes it fall silent; everything else is raised, once."""

    @classmethod
    def of(cls, stream: TextIO) -> Unheard:
        form = stream.encoding, stream.errors
        return cls(stream.buffer, *form, line_buffering=stream.isatty(), write_through=True)

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            return self._fall_silent(error, text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self._fall_silent(error, "")

    def _fall_silent(self, error: OSError, text: str) -> int:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)
        if not isinstance(error, self.forgiving):
            error.filename = "standard output"
            raise error
        return len(text)


class Unneeded(Unheard):
    """Standard error: whatever happens to it, the command goes on."""

    forgiving = (OSError,)


def take_over() -> None:
    """Puts both streams in the place of those that there were, if any."""
    for number in STANDARD:
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
    sys.stdin = sys.stdin or _opened(0, "r")
    sys.stdout = Unheard.of(sys.stdout or _opened(1, "w"))
    sys.stderr = Unneeded.of(sys.stderr or _opened(2, "w"))


_kept: list[TextIO] = []
"""Streams that would close their files when nobody speaks of them any more."""


def _opened(number: int, mode: str) -> TextIO:
    _kept.append(cast(TextIO, os.fdopen(number, mode)))
    return _kept[-1]


def flushed() -> bool:
    """Whether all that was printed came out."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        return True
    return False
