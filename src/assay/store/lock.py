"""One writer at a time: an exclusive lock on an open file.

The system lets go of it when the file is closed or its process ends, however it ends: a run that was killed
can be resumed at once, and nothing is left lying about. Whoever only reads is not kept out.
"""

from __future__ import annotations

import sys
from typing import IO

if sys.platform == "win32":
    import msvcrt
    import os

    _FAR = 2**62
    """Where no byte will ever be: what is locked there cannot be read by others either."""

    def lock(stream: IO[bytes]) -> bool:
        """Whether the file is now ours alone to write; False if another has it."""
        number = stream.fileno()
        os.lseek(number, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(number, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def lock(stream: IO[bytes]) -> bool:
        """Whether the file is now ours alone to write; False if another has it."""
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system that has no locks is no reason to refuse to work
            return True
        return True
