"""Problems for the stochastic worlds: things and where they are, larger with their size.

Size 1 has at most seven objects, and every capability can come to be executed in it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import pairwise

from assay.core.symbols import Atom, Object


@dataclass
class Layout:
    """A problem being put together."""

    objects: list[Object] = field(default_factory=list)
    atoms: set[Atom] = field(default_factory=set)

    def things(self, prefix: str, count: int, type_name: str) -> list[str]:
        names = [f"{prefix}{number}" for number in range(1, count + 1)]
        self.objects += [Object(name, type_name) for name in names]
        return names

    def holds(self, predicate: str, *args: str) -> None:
        self.atoms.add(Atom(predicate, args))

    def ways(self, predicate: str, places: list[str], rng: random.Random) -> None:
        """A round tour and a few short cuts, to be gone both ways."""
        pairs = [*pairwise(places), (places[-1], places[0])]
        pairs += [(a, b) for a, b in (rng.sample(places, 2) for _ in range(len(places) // 3))]
        for a, b in pairs:
            self.holds(predicate, a, b)
            self.holds(predicate, b, a)


def driving(rng: random.Random, size: int) -> Layout:
    made = Layout()
    places = made.things("l", 3 + 3 * size, "location")
    made.ways("road", places, rng)
    for place in rng.sample(places, len(places) * 2 // 3):
        made.holds("spare-in", place)
    made.holds("vehicle-at", rng.choice(places))
    made.holds("not-flattire")
    return made


def warehouse(rng: random.Random, size: int) -> Layout:
    made = Layout()
    blocks = made.things("b", 3 + 2 * size, "block")
    (robot,) = made.things("r", 1, "robot")
    made.holds("handempty", robot)
    stacks: list[list[str]] = []
    for block in rng.sample(blocks, len(blocks)):
        if stacks and rng.random() < 0.5:
            rng.choice(stacks).append(block)
        else:
            stacks.append([block])
    for stack in stacks:
        made.holds("ontable", stack[0])
        made.holds("clear", stack[-1])
        for lower, upper in pairwise(stack):
            made.holds("on", upper, lower)
    return made


def responder(rng: random.Random, size: int) -> Layout:
    made = Layout()
    places = made.things("l", 1 + 2 * size, "location")
    fire_units = made.things("fire", (1 + size) // 2, "fire-unit")
    medical_units = made.things("medic", (1 + size) // 2, "medical-unit")
    victims = made.things("v", 1 + size, "victim")
    made.ways("adjacent", places, rng)
    made.holds("hospital", places[0])
    made.holds("water-at", places[0])
    burning = set(places[-size:])  # next to each other on the tour: the rest stays connected
    for place in places:
        made.holds("fire" if place in burning else "nfire", place)
    safe = [place for place in places if place not in burning]
    for unit in fire_units:
        made.holds("fire-unit-at", unit, rng.choice(safe))
    for unit in medical_units:
        made.holds("medical-unit-at", unit, rng.choice(safe))
    for number, victim in enumerate(victims):
        made.holds("victim-at", victim, rng.choice(safe[1:]))
        made.holds("dying" if number % 2 else "hurt", victim)
    return made


def elevator(rng: random.Random, size: int) -> Layout:
    made = Layout()
    elevators = made.things("e", (1 + size) // 2, "elevator")
    floors = made.things("f", 1 + size, "floor")
    positions = made.things("p", 2 + size, "position")
    coins = made.things("c", size, "coin")
    for lower, upper in pairwise(floors):
        made.holds("dec-floor", upper, lower)
    for left, right in pairwise(positions):
        made.holds("dec-position", right, left)
    made.holds("first-floor", floors[0])
    made.holds("first-position", positions[0])
    for number, name in enumerate(elevators):
        made.holds("shaft", name, positions[0] if number == 0 else rng.choice(positions))
        made.holds("in", name, rng.choice(floors))
    for floor in floors[1:]:  # the ground floor has none, so that every kind of move can happen
        for place in rng.sample(positions[1:-1], (1 + size) // 2):
            made.holds("gate", floor, place)
    for coin in coins:
        made.holds("coin-at", coin, rng.choice(floors[1:]), positions[-1])
    made.holds("at", floors[0], positions[0])
    return made
