"""The order in which people write the parameters of an action: a little that tells them apart.

They come as in the atoms they stand in, and what is left comes before what is reached, unless the actions
like it that are known so far do it otherwise: who writes one action backwards does so in the next. An action
that undoes another names the same things in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from assay.core.symbols import Atom
from assay.core.universe import indices
from assay.knowledge.dossier import Dossier
from assay.strategies.changes import Effect, Effects

AGAINST_ORDER, BACKWARDS, AGAINST_CUSTOM = 0.5, 0.25, 0.1
"""Weights of parameters in another order than in an atom, of what is reached before what is left, and of
going from one to the other unlike other actions."""

Placed = frozenset[tuple[str, tuple[int | str, ...], bool]]
"""Effects with parameters named by their places."""


@dataclass(frozen=True, slots=True)
class Custom:
    """How the parameters of known actions are written."""

    moves: frozenset[tuple[tuple[int, int, int], int]]
    """How often something goes from one parameter, by its place, to another, in actions of so many."""
    undoing: frozenset[Placed]
    """The effects that undo those of a known action on the same arguments."""


def custom_of(known: list[Dossier]) -> Custom:
    moves: Counter[tuple[int, int, int]] = Counter()
    undoing = set()
    for dossier in known:
        sure = ~dossier.effects.may_keep & dossier.atom_mask
        effects = frozenset(
            (dossier.atoms[i], bool(dossier.effects.may_add >> i & 1))
            for i in indices(sure & (dossier.effects.may_add ^ dossier.effects.may_delete))
        )
        place = _places(dossier)
        moves.update((dossier.header.arity, x, y) for x, y in _ways_gone(effects, place))
        undoing.add(_placed(((atom, not sign) for atom, sign in effects), place))
    return Custom(frozenset(moves.items()), frozenset(undoing))


def orderly(dossier: Dossier, effects: Effects, custom: Custom) -> float:
    """How well the effects fit the order in which parameters are usually written."""
    place, arity = _places(dossier), dossier.header.arity
    if _placed(effects, place) in custom.undoing:
        return 1.0
    moves = Counter(dict(custom.moves))
    weight = 1.0
    for atom, _ in sorted(effects):
        order = [place[v] for v in atom.variables]
        weight *= 1 if order == sorted(order) else AGAINST_ORDER
    for x, y in _ways_gone(effects, place):
        along, against = moves[arity, x, y], moves[arity, y, x]
        if along or against:
            weight *= 1 if along >= against else AGAINST_CUSTOM
        else:
            weight *= 1 if x < y else BACKWARDS
    return weight


def inversions(dossier: Dossier) -> list[tuple[int, int, int]]:
    """The atoms that name parameters in another order than the header, each with the same in its order, both
    as bits, and how many pairs of parameters are in another order."""
    place = _places(dossier)
    bit = {atom: 1 << i for i, atom in enumerate(dossier.atoms)}
    found = []
    for atom in dossier.atoms:
        usual = iter(sorted(atom.variables, key=lambda v: place[v]))
        orderly_atom = Atom(atom.predicate, tuple(next(usual) if a in place else a for a in atom.args))
        pairs = sum(place[x] > place[y] for x, y in combinations(atom.variables, 2))
        if pairs:
            found.append((bit[atom], bit.get(orderly_atom, 0), pairs))
    return found


def _ways_gone(effects: Effects, place: Mapping[str, int]) -> list[tuple[int, int]]:
    """From which parameter to which something goes by these effects: what is left, and what is reached.

    Where it is seen what goes there, other facts that change places tell nothing: they make room for it."""
    ways = []
    for gone, kept in sorted(effects):
        for come, won in sorted(effects):
            if not kept and won and gone.predicate == come.predicate:
                apart = [(x, y) for x, y in zip(gone.args, come.args, strict=True) if x != y]
                if len(apart) == 1 and place.keys() >= set(apart[0]):
                    x, y = apart[0]
                    ways.append((len(gone.args) > 1, place[x], place[y]))
    return [(x, y) for named, x, y in ways if named or not any(w[0] for w in ways)]


def _placed(effects: Iterable[Effect], place: Mapping[str, int]) -> Placed:
    return frozenset(
        (atom.predicate, tuple(place.get(a, a) for a in atom.args), sign) for atom, sign in effects
    )


def _places(dossier: Dossier) -> dict[str, int]:
    return {p.name: i for i, p in enumerate(dossier.header.parameters)}
