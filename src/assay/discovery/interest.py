"""What the user wants to know about: facts, and so the changes that touch them.

A predicate alone means its facts about whatever things; with things, its facts about things of their types,
because what holds of one thing of a type holds of all. A derived fact is touched by whatever was seen to
change it.
"""

from __future__ import annotations

from assay.core.symbols import Atom
from assay.core.universe import Universe
from assay.errors import InputError


class Interest:
    def __init__(self, wishes: tuple[Atom, ...], universe: Universe, static: frozenset[str]) -> None:
        self.wishes = wishes
        self._universe = universe
        self._known: dict[int, bool] = {}
        for wish in wishes:
            self._check(wish, static)

    def _check(self, wish: Atom, static: frozenset[str]) -> None:
        predicate = self._universe.vocabulary.predicate.get(wish.predicate)
        if predicate is None:
            raise InputError(f"{wish}: the vocabulary has no predicate {wish.predicate!r}")
        if wish.predicate in static:
            raise InputError(f"{wish}: nothing ever changes {wish.predicate!r}")
        if wish.args and len(wish.args) != (arity := predicate.arity):
            raise InputError(f"{wish}: {wish.predicate!r} is about {arity} things; or write it alone")
        names = {thing.name for thing in self._universe.objects}
        for name in wish.args:
            if name not in names:
                raise InputError(f"{wish}: there is no thing {name!r}")

    def touched(self, before: int, after: int) -> bool:
        """Whether the change from one situation to another is one of interest."""
        if not self.wishes:
            return True
        changed = before ^ after
        if changed not in self._known:
            atoms = self._universe.atoms(changed)
            self._known[changed] = any(self._meant(atom, wish) for atom in atoms for wish in self.wishes)
        return self._known[changed]

    def _meant(self, atom: Atom, wish: Atom) -> bool:
        kind = self._universe.object
        return atom.predicate == wish.predicate and all(
            kind(name).type == kind(meant).type for name, meant in zip(atom.args, wish.args, strict=False)
        )
