"""A command that can take only so much memory.

The limit is one on the address space of each process (`RLIMIT_AS`), set by a shell that then becomes the
command: what asks for more is refused by the system, and usually ends with an error of its own. Programs map
more than they use, so the limit should be some hundred megabytes above what is known to be needed.
"""

from __future__ import annotations

from collections.abc import Sequence

_LIMIT = 'ulimit -v "$1" && shift && exec "$@"'
MEGABYTE = 1024
"""Kibibytes, as the shell counts."""


def limited(words: Sequence[str], megabytes: int | None) -> list[str]:
    """The command, limited if a number of megabytes is given."""
    if megabytes is None:
        return list(words)
    return ["/bin/sh", "-c", _LIMIT, "sh", str(megabytes * MEGABYTE), *words]
