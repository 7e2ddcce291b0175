"""What happens when one object fills two parameters, or a constant one.

Two lifted atoms then may become one ground atom. It suffices to look at the *least* merges: those of two
parameters, and for two lifted atoms the fewest parameters and constants that must be the same thing to make
the atoms one. Every merge that makes them one contains that merge, and can only be refused more and add more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from assay.core.symbols import OBJECT, Atom
from assay.core.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Merge:
    pairs: frozenset[tuple[int, int]]
    """Positions of parameters that are the same thing; constants, if they count, come after them."""
    groups: tuple[tuple[int, ...], ...]
    """Slots that come to share one atom."""


@lru_cache(maxsize=1024)
def least_merges(vocabulary: Vocabulary, action: str, constants: bool = False) -> tuple[Merge, ...]:
    parameters = vocabulary.action[action].parameters
    names = [*(p.name for p in parameters), *(c.name for c in vocabulary.constants if constants)]
    place = {name: i for i, name in enumerate(names)}
    atoms = vocabulary.lifted_atoms(action)
    found = {_pairs(len(place), [(i, j)]) for i, j in combinations(range(len(parameters)), 2)}
    for a, b in combinations(atoms, 2):
        if (equations := _equations(a, b, place)) is not None:
            found.add(_pairs(len(place), equations))
    return tuple(
        Merge(pairs, _groups(atoms, pairs, place))
        for pairs in sorted(found, key=sorted)
        if _possible(vocabulary, action, pairs)
    )


def overlapping_slots(vocabulary: Vocabulary, action: str, constants: bool = False) -> set[int]:
    """Slots whose atom may become the same as another's."""
    merges = least_merges(vocabulary, action, constants)
    return {n for merge in merges for group in merge.groups for n in group}


def _equations(a: Atom, b: Atom, place: dict[str, int]) -> list[tuple[int, int]] | None:
    """What must be the same thing to make the atoms one; None if nothing does."""
    if a.predicate != b.predicate:
        return None
    different = [(x, y) for x, y in zip(a.args, b.args, strict=True) if x != y]
    if any(x not in place or y not in place for x, y in different):
        return None
    return [(place[x], place[y]) for x, y in different]


def _pairs(count: int, equations: list[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    leader = list(range(count))
    for i, j in equations:
        old, new = leader[i], leader[j]
        leader = [new if x == old else x for x in leader]
    return frozenset((i, j) for i, j in combinations(range(count), 2) if leader[i] == leader[j])


def _groups(
    atoms: tuple[Atom, ...], pairs: frozenset[tuple[int, int]], place: dict[str, int]
) -> tuple[tuple[int, ...], ...]:
    names = list(place)
    binding = {names[j]: names[min(i for i, k in pairs if k == j)] for _, j in pairs}
    groups: dict[Atom, list[int]] = {}
    for n, atom in enumerate(atoms):
        groups.setdefault(atom.substitute(binding), []).append(n)
    return tuple(tuple(g) for g in groups.values() if len(g) > 1)


def _possible(vocabulary: Vocabulary, action: str, pairs: frozenset[tuple[int, int]]) -> bool:
    """Whether every set of merged things has a type that fits them all, and at most one constant."""
    parameters, constants = vocabulary.action[action].parameters, vocabulary.constants
    types = [OBJECT, *(t.name for t in vocabulary.types)]
    for i in {i for i, _ in pairs}:
        members = [i, *(k for j, k in pairs if j == i)]
        together = [parameters[m] for m in members if m < len(parameters)]
        named = [constants[m - len(parameters)].type for m in members if m >= len(parameters)]
        fitting = [t for t in named or types if all(vocabulary.fits(t, p.types) for p in together)]
        if len(named) > 1 or not fitting:
            return False
    return True
