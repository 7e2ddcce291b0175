"""Numbers of things, as a sentence says them."""

from __future__ import annotations


def count(number: int, noun: str) -> str:
    """1 state, 2 states, 1,000 states."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
