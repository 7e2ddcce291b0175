"""Standard output that nobody has to listen to: `assay run AGENT | head` ends as the run did."""

from __future__ import annotations

import io
import os
from typing import TextIO


class Unheard(io.TextIOWrapper):
    """The same stream; once its reader is gone, what is written goes nowhere."""

    @classmethod
    def of(cls, stream: TextIO) -> Unheard:
        form = stream.encoding, stream.errors
        return cls(stream.buffer, *form, line_buffering=stream.isatty(), write_through=True)

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            return self._fall_silent(text)

    def flush(self) -> None:
        try:
            super().flush()
        except BrokenPipeError:
            self._fall_silent("")

    def _fall_silent(self, text: str) -> int:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)
        return len(text)
