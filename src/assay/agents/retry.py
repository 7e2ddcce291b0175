"""Asking again where the answer was lost: how often, and after what pauses.

Only what is safe is asked again: a question is the same whenever it is asked (rule 4 of the protocol), so one
that got no answer at all, because the connection or the program ended, or the service said that it cannot
now, may be. What was answered wrongly, or late, is not asked again.
"""

from __future__ import annotations

from collections.abc import Iterator

RETRIES = 3
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 30.0
"""Seconds; each pause is twice the one before. Three take under two seconds in all."""


def pauses(retries: int) -> Iterator[float]:
    """The pause before each of so many further attempts."""
    for attempt in range(retries):
        yield min(FIRST_PAUSE * 2**attempt, LONGEST_PAUSE)
