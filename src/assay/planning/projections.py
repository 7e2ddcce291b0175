"""What may hold together, by following each object on its own.

Of all atoms only those about one object are kept, in the initial states and in the ground actions: a
*projection* (Edelkamp, "Planning with pattern databases", 2001). It has few states, so all that can be
reached are visited; every reachable state of the whole looks like one of them. This tells what pairs of
facts cannot: that a glass is on the table or in one of the hands, that a shaker for two holds no third
ingredient. Facts are asked about by leaving of each projection the states that agree with them and with what
pairs leave possible; what then holds in all states left is asked about as well, which brings in the
projections of other objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assay.core.universe import Universe, indices
from assay.planning.mutexes import Mutexes
from assay.planning.relaxed import Reach

MOST_STATES = 5000
"""States of one projection; an object that has more is not followed."""


class _Projection(NamedTuple):
    atoms: int
    states: list[int]

    def narrow(self, true: int, false: int) -> tuple[int, int] | None:
        """What is true and what is false in some state that has nothing but these; None if there is none."""
        can_true = can_false = 0
        untrue, unfalse = self.atoms & ~true, self.atoms & ~false
        found = False
        for bits in self.states:
            if not bits & untrue and bits & unfalse == unfalse:
                can_true, can_false, found = can_true | bits, can_false | ~bits, True
        return (can_true, can_false & self.atoms) if found else None


class Projections:
    """What may hold together in states that ground actions, with sure results, lead to from some others."""

    def __init__(self, universe: Universe, initial: Sequence[int], reach: Reach, mutexes: Mutexes) -> None:
        self.universe, self.reached = universe, reach.atoms
        self._initial, self._reach, self._mutexes = initial, reach, mutexes
        self._changing = 0
        for ground in reach.grounds:
            self._changing |= (ground.add | ground.delete) & reach.atoms
        for bits in initial:
            self._changing |= bits ^ initial[0]
        self._about: dict[str, int] = {}
        """For each object, the changing atoms about it."""
        for i in indices(self._changing):
            for name in set(universe.atom(i).args):
                self._about[name] = self._about.get(name, 0) | 1 << i
        self._made: dict[str, _Projection | None] = {}
        self._known: dict[tuple[int, int], tuple[int, int] | None] = {}

    def together(self, true: int, false: int) -> tuple[int, int] | None:
        """What may be true and what false beside these atoms; None if they themselves exclude each other."""
        key = true, false
        if key not in self._known:
            self._known[key] = self._together(true, false & self.reached)
        return self._known[key]

    def _together(self, true: int, false: int) -> tuple[int, int] | None:
        while True:
            beside = self._mutexes.together(true, false)
            if beside is None:
                return None
            may_true, may_false = beside
            names = {n for i in indices((true | false) & self._changing) for n in self.universe.atom(i).args}
            looked = 0
            for name in sorted(names):
                projection = self._of(name)
                if projection is not None:
                    narrowed = projection.narrow(may_true, may_false)
                    if narrowed is None:
                        return None
                    looked |= projection.atoms
                    may_true &= ~projection.atoms | narrowed[0]
                    may_false &= ~projection.atoms | narrowed[1]
            must_be, must_not_be = looked & ~may_false & ~true, looked & ~may_true & ~false
            if not must_be | must_not_be:
                return may_true, may_false
            true, false = true | must_be, false | must_not_be

    def possible(self) -> Reach:
        """The ground actions without those that no state of some projection, as far as looked at, allows."""
        grounds = list(self._reach.grounds)
        for projection in self._made.values():
            if projection is not None:
                needs = {(g.needed & projection.atoms, g.forbidden & projection.atoms) for g in grounds}
                allowed = {
                    (n, f) for n, f in needs if any(b & n == n and not b & f for b in projection.states)
                }
                grounds = [
                    g
                    for g in grounds
                    if (g.needed & projection.atoms, g.forbidden & projection.atoms) in allowed
                ]
        return Reach(tuple(grounds), self._reach.atoms)

    def _of(self, name: str) -> _Projection | None:
        if name not in self._made:
            self._made[name] = self._project(self._about.get(name, 0))
        return self._made[name]

    def _project(self, atoms: int) -> _Projection | None:
        """All states of these atoms that can be reached; None if there are too many."""
        moves = dict.fromkeys(
            (g.needed & atoms, g.forbidden & atoms, g.add & atoms, g.delete & atoms)
            for g in self._reach.grounds
            if (g.add | g.delete) & atoms
        )
        states = list(dict.fromkeys(bits & atoms for bits in self._initial))
        seen = set(states)
        for bits in states:  # grows while it is gone through
            for needed, forbidden, add, delete in moves:
                if bits & needed == needed and not bits & forbidden:
                    after = bits & ~delete | add
                    if after not in seen:
                        seen.add(after)
                        states.append(after)
            if len(states) > MOST_STATES:
                return None
        return _Projection(atoms, states)
