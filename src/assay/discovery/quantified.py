"""Facts about some thing or other: "a monster is alive", "something is at this cell".

A description that holds for any number of monsters cannot list them. So beside the user's predicates there
are those with some arguments left open, `some_monster_alive` for (exists (?m) (monster_alive ?m)); they are
functions of the state like derived predicates, and only conditions use them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from assay.core.symbols import Atom, Parameter, Predicate
from assay.core.universe import Universe
from assay.core.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Quantified:
    symbol: Predicate
    base: Predicate
    open: tuple[bool, ...]
    """For each argument of the base, whether it is left open."""

    @property
    def meaning(self) -> str:
        """As PDDL."""
        names = [p.name for p in self.base.parameters]
        bound = " ".join(
            f"{p.name} - {p.types[0] if len(p.types) == 1 else '(either ' + ' '.join(p.types) + ')'}"
            for p, is_open in zip(self.base.parameters, self.open, strict=True)
            if is_open
        )
        return f"(exists ({bound}) ({' '.join((self.base.name, *names))}))"


def quantified(vocabulary: Vocabulary, without: frozenset[str]) -> tuple[Quantified, ...]:
    """One argument left open, of every predicate but these."""
    found = []
    taken = {p.name for p in vocabulary.predicates}
    for base in vocabulary.predicates:
        if base.name in without:
            continue
        for place, parameter in enumerate(base.parameters):
            kept = tuple(p for n, p in enumerate(base.parameters) if n != place)
            name = f"{base.name}_some_{parameter.name.removeprefix('?')}" if kept else f"some_{base.name}"
            while name in taken:
                name += "_"
            taken.add(name)
            is_open = tuple(n == place for n in range(base.arity))
            found.append(Quantified(Predicate(name, kept), base, is_open))
    return tuple(found)


class Facts:
    """Looks facts up in states, quantified ones included."""

    def __init__(self, universe: Universe, without: frozenset[str]) -> None:
        self.universe = universe
        self.quantified = {q.symbol.name: q for q in quantified(universe.vocabulary, without)}
        self._masks: dict[Atom, int] = {}

    def parameters(self, predicate: str) -> tuple[Parameter, ...]:
        if predicate in self.quantified:
            return self.quantified[predicate].symbol.parameters
        return self.universe.vocabulary.predicate[predicate].parameters

    def mask(self, atom: Atom) -> int:
        """The fact holds where any of these bits is set; none is as long as no state has it.

        To number every fact that is looked up would make long masks of short ones.
        """
        found = self._masks.get(atom)
        if found is None and atom.predicate in self.quantified:
            found = self._masks[atom] = self._mask(atom)
        elif found is None and (number := self.universe.known(atom)) is not None:
            found = self._masks[atom] = 1 << number
        return found or 0

    def _mask(self, atom: Atom) -> int:
        what, given = self.quantified[atom.predicate], iter(atom.args)
        universe, fits = self.universe, self.universe.vocabulary.fits
        choices = [
            [o.name for o in universe.objects if fits(o.type, p.types)] if is_open else [next(given)]
            for p, is_open in zip(what.base.parameters, what.open, strict=True)
        ]
        return universe.bits(Atom(what.base.name, args) for args in product(*choices))

    def holds(self, bits: int, atom: Atom) -> bool:
        return bool(bits & self.mask(atom))
