"""Parameters of the same types may stand for each other.

What happened to which objects says the same about every order in which an action may name them. So it is
looked into for one order, and exchanging parameters turns what is found into what holds for the others.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import islice, permutations, product

from assay.core.universe import indices
from assay.knowledge.dossier import Dossier
from assay.strategies.changes import Effects

MOST = 720
"""Exchanges that are looked at: all where up to six parameters are alike."""


class Exchanges:
    """The ways to let the parameters of an action stand for others of the same types, numbered; the first
    leaves all as it is."""

    def __init__(self, dossier: Dossier) -> None:
        self._dossier = dossier
        alike: defaultdict[object, list[str]] = defaultdict(list)
        for parameter in dossier.header.parameters:
            alike[parameter.types].append(parameter.name)
        orders = product(*(permutations(team) for team in alike.values()))
        self._new_names = [
            {
                old: new
                for team, order in zip(alike.values(), chosen, strict=True)
                for old, new in zip(team, order, strict=True)
            }
            for chosen in islice(orders, MOST)
        ]

    def __len__(self) -> int:
        return len(self._new_names)

    def effects(self, number: int, effects: Effects) -> Effects:
        names = self._new_names[number]
        return frozenset((atom.substitute(names), sign) for atom, sign in effects)

    def valuation(self, number: int, valuation: int) -> int:
        """What is true of the parameters if this is true of those that stand for them."""
        image = self._images[number]
        return sum(image[i] for i in indices(valuation))

    @cached_property
    def _images(self) -> list[list[int]]:
        """Per exchange, what becomes of each atom, as a bit."""
        atoms = self._dossier.atoms
        bit = {atom: 1 << i for i, atom in enumerate(atoms)}
        return [[bit[atom.substitute(names)] for atom in atoms] for names in self._new_names]
