"""What a step of a plan is about: its ground atoms, and whether it is evidence at all.

Ground atoms are written here as plain tuples (or a bare name for a predicate without arguments), picked
from a step's arguments by position: a chained question brings thousands of objects, and numbering all
their atoms in the universe would take longer than the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import combinations
from operator import itemgetter

from assay.core.symbols import Atom, Step
from assay.core.universe import State
from assay.core.vocabulary import Vocabulary

Key = str | tuple[str, ...]
Terms = tuple[str, ...]


class Grounding:
    """The lifted atoms of each action under the arguments of a step, by slot number."""

    def __init__(self, vocabulary: Vocabulary, equality: bool, free: Collection[str] = ()) -> None:
        self._equality, self._free = equality, free
        self._constants = tuple(c.name for c in vocabulary.constants)
        self._named = frozenset(self._constants)
        self._predicates = tuple(p.name for p in vocabulary.predicates)
        self._pick: dict[str, list[Callable[[Terms], Key]]] = {}
        self._number: dict[str, dict[tuple[str, ...], int]] = {}
        for header in vocabulary.actions:
            terms = tuple(p.name for p in header.parameters) + self._constants + self._predicates
            place = {name: i for i, name in enumerate(terms[: -len(self._predicates) or None])}
            predicate = {name: len(place) + i for i, name in enumerate(self._predicates)}
            atoms = vocabulary.lifted_atoms(header.name)
            self._pick[header.name] = [
                itemgetter(predicate[a.predicate], *(place[x] for x in a.args)) for a in atoms
            ]
            self._number[header.name] = {(a.predicate, *a.args): n for n, a in enumerate(atoms)}
        self._parameters = {a.name: tuple(p.name for p in a.parameters) for a in vocabulary.actions}

    def terms(self, step: Step) -> Terms:
        return step.args + self._constants + self._predicates

    def keys(self, step: Step) -> list[Key]:
        """The ground atoms of all slots."""
        terms = self.terms(step)
        return [pick(terms) for pick in self._pick[step.action]]

    def picks(self, action: str) -> list[Callable[[Terms], Key]]:
        """For each slot, what takes its ground atom from the terms of a step."""
        return self._pick[action]

    def slots_at(self, step: Step, key: Key) -> tuple[int, ...]:
        """The slots whose ground atom this is."""
        if self.shares(step):
            return tuple(n for n, k in enumerate(self.keys(step)) if k == key)
        name, args = (key, ()) if isinstance(key, str) else (key[0], key[1:])
        back = dict(zip(step.args, self._parameters[step.action], strict=True))
        number = self._number[step.action].get((name, *(back.get(a, a) for a in args)))
        return () if number is None else (number,)

    def tells(self, step: Step) -> bool:
        """Whether the step is evidence: no constant fills a parameter, and one object two only if allowed.

        Where arguments are free every step is.
        """
        if step.action in self._free:
            return True
        if not self._named.isdisjoint(step.args):
            return False
        return self._equality or not is_merged(step)

    def shares(self, step: Step) -> bool:
        """Whether several slots may stand for one atom: two arguments are the same, or one is a constant."""
        return is_merged(step) or not self._named.isdisjoint(step.args)


def is_merged(step: Step) -> bool:
    """Whether one object fills two parameters."""
    return len(set(step.args)) < len(step.args)


def merged_pairs(step: Step) -> list[tuple[int, int]]:
    """The positions of parameters filled by one object."""
    if not is_merged(step):
        return []
    return [(i, j) for i, j in combinations(range(len(step.args)), 2) if step.args[i] == step.args[j]]


def atom_of(key: Key) -> Atom:
    return Atom(key) if isinstance(key, str) else Atom(key[0], key[1:])


def keys_of(atoms: Iterable[Atom]) -> set[Key]:
    return {(name, *args) if args else name for name, args in atoms}


def before_and_changed(before: State, after: State) -> tuple[set[Key], set[Key]]:
    """What held at first, and what was otherwise in the end."""
    universe = before.universe
    bits = after.bits if after.universe is universe else universe.bits(after)
    return keys_of(before), keys_of(universe.atoms(before.bits ^ bits))
