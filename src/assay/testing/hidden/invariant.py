"""What is always so in an agent's world: a question that starts in another state is invalid.

Invariants are monotone: facts can break one, and taking facts away never does. No action of a hidden model
changes the predicates concerned, so states that follow valid ones are valid.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from assay.core.symbols import Atom, Predicate
from assay.core.vocabulary import Vocabulary


@dataclass(frozen=True)
class Invariant:
    """A thing is at one place only: of a predicate's facts with the same first argument at most one is true.

    With a unary predicate beside it, two facts exclude each other: nothing is both open and locked.
    """

    predicates: frozenset[str]

    def holds(self, atoms: Iterable[Atom]) -> bool:
        subjects = [a.args[0] for a in set(atoms) if a.predicate in self.predicates]
        return len(subjects) == len(set(subjects))

    def allows(self, atoms: Iterable[Atom], more: Atom) -> bool:
        """Whether the atoms stay valid with one more."""
        return more.predicate not in self.predicates or self.holds([*atoms, more])


def random_invariant(vocabulary: Vocabulary, rng: random.Random) -> Invariant:
    """One place only, or where two unary predicates are about the same type, perhaps these two exclusive."""
    pairs = [
        frozenset({a.name, b.name})
        for a, b in combinations(vocabulary.predicates, 2)
        if a.arity == b.arity == 1 and _types(a) == _types(b)
    ]
    if pairs and rng.random() < 0.5:
        return Invariant(rng.choice(pairs))
    return Invariant(frozenset({rng.choice([p.name for p in vocabulary.predicates if p.arity == 2])}))


def _types(predicate: Predicate) -> tuple[str, ...]:
    return predicate.parameters[0].types
