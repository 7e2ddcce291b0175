"""Choosing one of each of several lists, all of them different: augmenting paths."""

from __future__ import annotations

from collections.abc import Sequence


def all_different(choices: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """One of each, no two the same; None if there is no such choice."""
    holder: dict[str, int] = {}

    def seat(place: int, visited: set[str]) -> bool:
        for name in choices[place]:
            if name not in visited:
                visited.add(name)
                if name not in holder or seat(holder[name], visited):
                    holder[name] = place
                    return True
        return False

    if not all(seat(place, set()) for place in range(len(choices))):
        return None
    by_place = {place: name for name, place in holder.items()}
    return tuple(by_place[place] for place in range(len(choices)))
