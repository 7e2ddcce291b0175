"""Which perceived states can be: declared constraints, as plain functions that say what is wrong.

Constraints speak of what any picture of the world must show (each thing in one place, one thing in a place),
never of what actions do: what is to be learned must not be assumed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping


class Unfit(Exception):
    """What a frame shows fits no valid state; says what is wrong."""


def in_one_place(where: Iterable[tuple[str, str]], things: Collection[str]) -> list[str]:
    """Each of the things is in exactly one place."""
    found = Counter(thing for thing, _ in where)
    return [
        f"{thing} is nowhere" if not found[thing] else f"{thing} is in {found[thing]} places"
        for thing in sorted(things)
        if found[thing] != 1
    ]


def not_in_two_places(where: Iterable[tuple[str, str]]) -> list[str]:
    """Each thing is in one place or in none."""
    found = Counter(thing for thing, _ in where)
    return [f"{thing} is in {count} places" for thing, count in sorted(found.items()) if count > 1]


def one_each(where: Iterable[tuple[str, str]]) -> list[str]:
    """No place holds two things."""
    held: dict[str, list[str]] = {}
    for thing, place in sorted(where):
        held.setdefault(place, []).append(thing)
    return [f"{' and '.join(things)} are all in {place}" for place, things in held.items() if len(things) > 1]


def follow(
    kind: str, before: Mapping[str, str], seen: Collection[str], may_vanish: bool = False
) -> dict[str, str]:
    """Names for things that look alike: who was there before and where they are seen now.

    Whoever is still seen where it was is the same; if then one thing and one place are left, it has moved
    there. More than one that moved cannot be told apart, and is not guessed.
    """
    now = {name: place for name, place in before.items() if place in seen}
    missing = sorted(before.keys() - now.keys())
    fresh = sorted(set(seen) - set(now.values()))
    if len(fresh) > len(missing) or (len(fresh) < len(missing) and not may_vanish):
        most = "at most " if may_vanish else ""
        raise Unfit(f"{len(seen)} {kind}(s) are seen and there must be {most}{len(before)}")
    if len(fresh) == 1 and len(missing) == 1:
        now[missing[0]] = fresh[0]
    elif fresh:
        raise Unfit(f"several {kind}s have moved at once ({', '.join(missing)}), and they look alike")
    return now
