"""A hidden model, and agents around it, from the name of a kind and a seed.

Drawn again are vocabularies that leave no room for the kind, and models with an action that could run in no
valid state. One action is odd, or two, or all three.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from assay.core.model import Model
from assay.core.symbols import ActionHeader, Atom, Object
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError
from assay.testing.hidden.agent import HiddenAgent
from assay.testing.hidden.body import Body, Unsuitable
from assay.testing.hidden.catalogue import FAULTS, ODDITIES
from assay.testing.hidden.invariant import Invariant, random_invariant
from assay.testing.hidden.named import plain
from assay.testing.hidden.situations import facts_where, random_facts
from assay.testing.hidden.vocabulary import random_vocabulary

ATTEMPTS = 500
ODD_ACTIONS = (1, 1, 1, 2, 2, 3)
"""How many of the three actions are odd: drawn from these."""
OFFERED = 6
"""Situations that an agent offers beside one for each action in which it runs."""


@dataclass(frozen=True)
class Hidden:
    """What is known of a hidden agent."""

    kind: str
    seed: int
    model: Model
    odd: frozenset[str]
    """The actions that are not plain STRIPS."""
    invariant: Invariant
    """True in every state that a strict agent accepts, and kept by all actions."""

    def agent(
        self, *, offers: bool = False, tells: bool = False, strict: bool = False, own: bool = False
    ) -> HiddenAgent:
        """An agent that executes the model.

        It offers situations (which takes objects of its own), tells the states between, refuses states that
        break the invariant, has objects of its own: any of these.
        """
        rng = random.Random(f"agent {self.kind} {self.seed}")
        objects = _objects(self.model.vocabulary, rng) if own or offers else []
        make = FAULTS.get(self.kind, HiddenAgent)
        return make(
            self.model,
            objects,
            _situations(self, objects, rng) if offers else (),
            tells_states=tells,
            invariant=self.invariant if strict else None,
        )


def hidden_agent(
    kind: str,
    seed: int,
    *,
    offers: bool = False,
    tells: bool = False,
    strict: bool = False,
    own: bool = False,
) -> HiddenAgent:
    return hidden_model(kind, seed).agent(offers=offers, tells=tells, strict=strict, own=own)


@cache
def hidden_model(kind: str, seed: int) -> Hidden:
    if kind not in ODDITIES and kind not in FAULTS:
        raise InputError(f"unknown kind {kind!r}; there are {', '.join([*ODDITIES, *FAULTS])}")
    for attempt in range(ATTEMPTS):
        try:
            return _draw(kind, seed, random.Random(f"{kind} {seed} {attempt}"))
        except Unsuitable:
            continue
    raise AssertionError(f"no hidden model of kind {kind!r} in {ATTEMPTS} attempts")


def _draw(kind: str, seed: int, rng: random.Random) -> Hidden:
    vocabulary = random_vocabulary(rng)
    invariant = random_invariant(vocabulary, rng)
    oddity = ODDITIES.get(kind, plain)
    headers = vocabulary.actions
    odd = set() if oddity is plain else set(rng.sample([h.name for h in headers], rng.choice(ODD_ACTIONS)))
    actions = []
    for header in headers:
        body = Body(vocabulary, header, invariant.predicates, rng)
        if header.name in odd:
            oddity(body)
        actions.append(body.build())
    hidden = Hidden(kind, seed, Model(vocabulary, tuple(actions)), frozenset(odd), invariant)
    for header in headers:
        if _running(hidden, header, _arguments(vocabulary, header), rng) is None:
            raise Unsuitable("an action runs in no valid state")
    return hidden


# ---- objects and situations of its own


def _arguments(vocabulary: Vocabulary, header: ActionHeader) -> list[Object]:
    """One object for each parameter, one of each type beside them, and the constants."""
    places = [(p.name.removeprefix("?"), p.types[0]) for p in header.parameters]
    return [Object(name, kind) for name, kind in places] + [
        Object(f"other-{t.name}", t.name) for t in vocabulary.types
    ]


def _objects(vocabulary: Vocabulary, rng: random.Random) -> list[Object]:
    """Enough for every action to run with different objects, and now and then one more."""
    found = []
    for t in vocabulary.types:
        most = max(sum(p.types == (t.name,) for p in h.parameters) for h in vocabulary.actions)
        count = max(1, most) + rng.randint(0, 1)
        found += [Object(f"{t.name}{n}", t.name) for n in range(1, count + 1)]
    return found


def _situations(hidden: Hidden, objects: list[Object], rng: random.Random) -> Iterator[frozenset[Atom]]:
    """One for each action in which it runs, if there is one with these objects, and random ones."""
    for header in hidden.model.vocabulary.actions:
        facts = _running(hidden, header, objects, rng)
        if facts is not None:
            yield frozenset(facts)
    universe = Universe(hidden.model.vocabulary, objects)
    for _ in range(OFFERED):
        yield frozenset(random_facts(universe, rng, hidden.invariant, {}) or ())


def _running(
    hidden: Hidden, header: ActionHeader, objects: list[Object], rng: random.Random
) -> list[Atom] | None:
    """A valid situation over the objects in which the action runs on the first ones that fit."""
    universe = Universe(hidden.model.vocabulary, objects)
    left, args = list(objects), []
    for p in header.parameters:
        chosen = next(o for o in left if o.type in p.types)
        left.remove(chosen)
        args.append(chosen.name)
    precondition = hidden.model.action[header.name].precondition
    return facts_where(precondition, universe, header.bind(tuple(args)), rng, hidden.invariant)
