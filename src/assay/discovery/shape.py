"""The shape of a change: what became true and what became false, once the names of things are forgotten.

Every abstract change that the agent brings about is a high-level action (Descriptions, section 3.1.1).
Changes that differ only in which things they happen to are one *lifted* capability: same shape, another
binding. So the number of capabilities does not grow with the number of things.

Derived predicates are functions of the others. A derived fact belongs to the shape if it speaks only of
things that change anyhow ("the cell that was left is clear"); facts about no thing in particular ("next to
a monster") depend on what stands around, and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations, product

from assay.core.symbols import Atom
from assay.core.universe import Universe


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    types: tuple[str, ...]
    """The types of its variables ?0, ?1 and so on."""
    added: tuple[Atom, ...]
    removed: tuple[Atom, ...]

    def variable(self, number: int) -> str:
        return f"?{number}"

    def ground(self, args: tuple[str, ...]) -> tuple[list[Atom], list[Atom]]:
        binding = {f"?{n}": name for n, name in enumerate(args)}
        return [a.substitute(binding) for a in self.added], [a.substitute(binding) for a in self.removed]


Lifted = tuple[Shape, tuple[str, ...]]


class Lifter:
    """Takes changes to their shapes."""

    def __init__(self, universe: Universe, derived: frozenset[str]) -> None:
        self._universe, self._derived = universe, derived
        self._known: dict[tuple[int, int], Lifted | None] = {}

    def lift(self, before: int, after: int) -> Lifted | None:
        """The shape and the things it happens to; None if nothing changed that is worth a name."""
        key = after & ~before, before & ~after
        if key not in self._known:
            self._known[key] = self._lift(*(self._universe.atoms(bits) for bits in key))
        return self._known[key]

    def _lift(self, added: list[Atom], removed: list[Atom]) -> Lifted | None:
        own = [a for a in (*added, *removed) if a.predicate not in self._derived]
        things = {name for atom in own for name in atom.args}

        def belongs(atom: Atom) -> bool:
            return atom.predicate not in self._derived or (bool(atom.args) and things.issuperset(atom.args))

        if not own:
            return None
        return self._canonical(things, filter(belongs, added), filter(belongs, removed))

    def _canonical(self, things: set[str], added: Iterable[Atom], removed: Iterable[Atom]) -> Lifted:
        """Of all ways to number the things, the one whose text comes first."""
        plus, minus = list(added), list(removed)
        groups: dict[str, list[str]] = {}
        for name in sorted(things):
            groups.setdefault(self._universe.object(name).type, []).append(name)
        types = tuple(t for t in sorted(groups) for _ in groups[t])
        best: Lifted | None = None
        for orders in product(*(permutations(groups[t]) for t in sorted(groups))):
            args = tuple(name for order in orders for name in order)
            binding = {name: f"?{n}" for n, name in enumerate(args)}
            shape = Shape(
                types,
                tuple(sorted(a.substitute(binding) for a in plus)),
                tuple(sorted(a.substitute(binding) for a in minus)),
            )
            if best is None or shape < best[0]:
                best = shape, args
        assert best is not None
        return best
