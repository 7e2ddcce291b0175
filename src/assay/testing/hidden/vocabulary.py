"""Random typed vocabularies: two to four types, five to twelve predicates, three actions.

Sometimes one type is below another, sometimes there is a constant, sometimes there are facts without
arguments. Every type has a unary predicate of its own, and there is always a relation, so that things can be
said of other objects.
"""

from __future__ import annotations

import random

from assay.core.symbols import OBJECT
from assay.core.vocabulary import Vocabulary

TYPES = ("crate", "robot", "room", "tool")
NULLARY = ("dark", "raining")
UNARY = ("wet", "open", "clean", "heavy", "broken", "lit", "locked", "full", "new", "warm", "tall", "round")
BINARY = ("near", "fits", "guards", "linked", "knows", "owns", "sees", "blocks", "feeds", "tests", "likes")
ACTIONS = ("push", "mend", "sort")
PARAMETERS = ("x1", "x2", "x3")
SPECIAL_PARAMETERS = {8: ("x", "y", "z"), 11: ("z", "other", "some")}
"""By number of predicates, names of parameters that a learner might want for variables of its own."""

FEWEST_ATOMS, MOST_ATOMS = 9, 40
"""Lifted atoms of an action: enough for its conditions, few enough for quick runs."""


def random_vocabulary(rng: random.Random) -> Vocabulary:
    while True:
        vocabulary = _draw(rng)
        sizes = [len(vocabulary.lifted_atoms(name)) for name in ACTIONS]
        if min(sizes) >= FEWEST_ATOMS and max(sizes) <= MOST_ATOMS:
            return vocabulary


def _draw(rng: random.Random) -> Vocabulary:
    types = rng.sample(TYPES, rng.randint(2, 4))
    parents = dict.fromkeys(types, OBJECT)
    if rng.random() < 1 / 3:
        parents[types[-1]] = types[0]
    constants = {"base": rng.choice(types)} if rng.random() < 1 / 4 else {}
    predicates = _predicates(rng, types)
    places = {name: [rng.choice(types) for _ in range(rng.randint(1, 3))] for name in ACTIONS}
    names = SPECIAL_PARAMETERS.get(len(predicates), PARAMETERS)
    return Vocabulary.of(
        types=parents,
        constants=constants,
        predicates=predicates,
        actions={name: dict(zip(names, chosen, strict=False)) for name, chosen in places.items()},
        name="hidden",
    )


def _predicates(rng: random.Random, types: list[str]) -> dict[str, list[str]]:
    nullary = rng.choice((0, 0, 1, 2))
    places: list[list[str]] = [[] for _ in range(nullary)] + [[t] for t in types] + [_pair(rng, types)]
    while len(places) < rng.randint(5, 12):
        places.append(_pair(rng, types) if rng.random() < 0.5 else [rng.choice(types)])
    names = [iter(rng.sample(pool, len(pool))) for pool in (NULLARY, UNARY, BINARY)]
    return {next(names[len(place)]): place for place in places}


def _pair(rng: random.Random, types: list[str]) -> list[str]:
    return [rng.choice(types), rng.choice(types)]
