"""Levels of strength, and how many features of a run each asks for.

Level (v, t, s): 0 = (1, 0, 0), 1 = (1, 1, 3), 2 = (2, 1, 3), 3 = (2, 2, 3). See `Class` for the letters and
docs/strength.md for what each rules out. Where a term leaves many features open, s may be lowered, to 2 and
then to 1, as long as the patterns would be more than `MOST_PATTERNS`; a certificate states the s it used.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

from assay.proof.recount.coverage import Class

LEVELS = (Class(1, 0, 0), Class(1, 1, 3), Class(2, 1, 3), Class(2, 2, 3))

MOST_PATTERNS = 5_000_000
"""Patterns of a term's runs up to which s is not lowered: all triples of some 150 features. Counting them
takes about a second."""


def lowered(level: Class, free: Iterable[int], stated: int) -> Class:
    """The class of a level for terms that leave so many features open; `stated` is the certificate's s."""
    most = max(free, default=0)
    size = level.runs
    while size > max(1, stated) and comb(most, size) << size > MOST_PATTERNS:
        size -= 1
    return level._replace(runs=size)
