"""A problem being put together: objects, atoms, and the shapes that many domains share."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import pairwise

from assay.core.symbols import OBJECT, Atom, Object

Square = tuple[int, int]


class Sketch:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.objects: list[Object] = []
        self.atoms: set[Atom] = set()

    def thing(self, name: str, type_name: str = OBJECT) -> str:
        self.objects.append(Object(name, type_name))
        return name

    def things(self, prefix: str, count: int, type_name: str = OBJECT, first: int = 1) -> list[str]:
        return [self.thing(f"{prefix}{n}", type_name) for n in range(first, first + count)]

    def holds(self, predicate: str, *args: str) -> None:
        self.atoms.add(Atom(predicate, args))

    def any_of(self, names: Sequence[str]) -> str:
        return self.rng.choice(names)

    def spread(self, predicate: str, things: Iterable[str], places: Sequence[str]) -> None:
        """Each thing at some place; the first ones at different places, as far as there are enough."""
        order: list[str] = []
        for thing in things:
            order = order or self.rng.sample(places, len(places))
            self.holds(predicate, thing, order.pop())

    def chain(self, predicate: str, names: Sequence[str]) -> None:
        """Each name related to the next."""
        for a, b in pairwise(names):
            self.holds(predicate, a, b)

    def both_ways(self, predicate: str, a: str, b: str) -> None:
        self.holds(predicate, a, b)
        self.holds(predicate, b, a)

    def network(self, predicate: str, places: Sequence[str], extra: int) -> None:
        """A connected road network: a random tree and a few more roads, all two-way."""
        for number in range(1, len(places)):
            self.both_ways(predicate, places[number], places[self.rng.randrange(number)])
        for _ in range(extra if len(places) > 1 else 0):
            self.both_ways(predicate, *self.rng.sample(places, 2))

    def grid(self, prefix: str, width: int, height: int, type_name: str) -> dict[Square, str]:
        return {
            (x, y): self.thing(f"{prefix}{x}-{y}", type_name) for y in range(height) for x in range(width)
        }


def neighbours(square: Square) -> tuple[Square, ...]:
    """Right, down, left, up."""
    x, y = square
    return (x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)
