"""Pairs of facts that never hold together, found without visiting the states (h2 of Haslum and Geffner).

A fact is an atom that is true or false; in a set of facts the false ones come after all true ones. Starting
from the initial states, a pair counts as possible once some ground action that is itself possible (all pairs
of facts it needs are) brings it about. The fixpoint contains every pair that holds in a reachable state, so
what is missing from it is proved impossible; what is in it may still be. With one bitmask of compatible facts
per fact, an action costs one intersection of its needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.core.universe import Universe, bits_of, indices
from assay.planning.relaxed import Reach

Change = tuple[tuple[int, ...], int, int]
"""The facts an action needs, those it may bring about, and those that are surely gone then."""


class Mutexes:
    """What may hold together in states that a model reaches from some initial ones."""

    def __init__(self, universe: Universe, reached: int, compatible: dict[int, int]) -> None:
        self.universe, self.reached = universe, reached
        self._compatible, self._size = compatible, reached.bit_length()
        self._everything = bits_of(compatible)

    def together(self, true: int, false: int) -> tuple[int, int] | None:
        """What may be true and what false beside these atoms; None if they themselves exclude each other."""
        if true & ~self.reached:
            return None
        facts = true | (false & self.reached) << self._size
        beside = _together(self._compatible, indices(facts), self._everything)
        return None if beside is None else (beside & (1 << self._size) - 1, beside >> self._size)

    def both(self, first: tuple[int, bool], second: tuple[int, bool]) -> bool:
        """Whether two atoms may have these values together."""
        true = bits_of(i for i, holds in (first, second) if holds)
        false = bits_of(i for i, holds in (first, second) if not holds)
        return self.together(true, false) is not None


def find_mutexes(universe: Universe, initial: Sequence[int], reach: Reach) -> Mutexes:
    """The fixpoint, for what a model can do from the initial states."""
    compatible: dict[int, int] = {}
    size = reach.atoms.bit_length()
    for bits in initial:
        facts = bits | (reach.atoms & ~bits) << size
        for fact in indices(facts):
            compatible[fact] = compatible.get(fact, 0) | facts
    changes = []
    for ground in reach.grounds:
        forbidden = ground.forbidden & reach.atoms
        add, delete = ground.add & ~ground.needed, ground.delete & ~ground.add & ~forbidden & reach.atoms
        may = ground.may_add | (ground.may_delete & reach.atoms) << size
        if add | delete | may:
            needs = tuple(indices(ground.needed | forbidden << size))
            changes.append((needs, add | delete << size | may, delete | add << size))
    _close(compatible, changes, size)
    return Mutexes(universe, reach.atoms, compatible)


def _close(compatible: dict[int, int], changes: list[Change], size: int) -> None:
    """Add what the changes bring about, until nothing is new.

    A change is looked at again only when something new goes with a fact that it needs. An effect that may or
    may not come about is among the facts afterwards beside its opposite: these two never go together.
    """
    everything = bits_of(compatible)
    users: dict[int, list[int]] = {}
    for number, (needs, _, _) in enumerate(changes):
        for fact in needs:
            users.setdefault(fact, []).append(number)
    needless = [number for number, change in enumerate(changes) if not change[0]]
    due = set(range(len(changes)))
    while due:
        current, due, touched, before = sorted(due), set(), 0, everything
        for number in current:
            needs, effects, undone = changes[number]
            beside = _together(compatible, needs, everything)
            if beside is None:
                continue
            everything |= effects
            after = beside & ~undone | effects
            for fact in indices(effects):
                known = compatible.get(fact, 0)
                opposite = fact - size if fact >= size else fact + size
                if news := after & ~known & ~(1 << opposite):
                    compatible[fact] = known | news
                    touched |= news | 1 << fact
                    for other in indices(news):
                        compatible[other] = compatible.get(other, 0) | 1 << fact
        for fact in indices(touched):
            due.update(users.get(fact, ()))
        if everything != before:
            due.update(needless)


def _together(compatible: dict[int, int], facts: Iterable[int], everything: int) -> int | None:
    beside, wanted = everything, 0
    for fact in facts:
        found = compatible.get(fact)
        if found is None:
            return None
        beside &= found
        wanted |= 1 << fact
    return None if wanted & ~beside else beside
