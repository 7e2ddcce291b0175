"""A conjunction of lifted atoms, compiled for finding all arguments under which it holds in many states.

The atoms are put in an order once: always next the one that fewest true atoms fit on average, given what is
bound so far, in the first state seen. Each is then one lookup of the true atoms that fit. Variables that no
atom binds take every object of the right type. Arguments are all different and never constants, unless they
are said to be free.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.core.symbols import ActionHeader, Atom
from assay.core.universe import Universe
from assay.planning.applicable import Facts, Row

Lookup = tuple[str, tuple[int, ...], tuple[int | str, ...], tuple[tuple[int, int], ...]]
"""Predicate, columns known, what they are (a parameter's number or a constant), columns that bind one."""


class Pattern:
    def __init__(
        self, universe: Universe, header: ActionHeader, atoms: list[Atom], free: bool = False
    ) -> None:
        self._universe, self._header, self._atoms, self._repeats = universe, header, atoms, free
        constants = set() if free else {c.name for c in universe.vocabulary.constants}
        fits = universe.vocabulary.fits
        self._allowed = [
            frozenset(o.name for o in universe.objects if o.name not in constants and fits(o.type, p.types))
            for p in header.parameters
        ]
        self._plan: list[Lookup] | None = None
        self._free: list[int] = []

    def matches(self, facts: Facts) -> Iterator[Row]:
        if self._plan is None:
            self._plan = self._compile(facts)
        return self._extend(facts, self._plan, 0, [""] * self._header.arity, set())

    def _compile(self, facts: Facts) -> list[Lookup]:
        number = {p.name: n for n, p in enumerate(self._header.parameters)}
        bound: set[int] = set()
        left, plan = list(self._atoms), list[Lookup]()

        def cost(atom: Atom) -> float:
            known = [c for c, a in enumerate(atom.args) if a not in number or number[a] in bound]
            return facts.fitting(atom.predicate, tuple(known))

        while left:
            atom = min(left, key=cost)
            left.remove(atom)
            known: list[int] = []
            values: list[int | str] = []
            fresh: dict[int, int] = {}
            again = False
            for column, argument in enumerate(atom.args):
                place = number.get(argument)
                if place is None or place in bound:
                    known.append(column)
                    values.append(argument if place is None else place)
                elif place in fresh.values():
                    again = True
                else:
                    fresh[column] = place
            bound.update(fresh.values())
            plan.append((atom.predicate, tuple(known), tuple(values), tuple(fresh.items())))
            if again:  # a repeated variable is checked by a second lookup with all columns known
                left.append(atom)
        self._free = [n for n in range(self._header.arity) if n not in bound]
        return plan

    def _extend(
        self, facts: Facts, plan: list[Lookup], depth: int, args: list[str], used: set[str]
    ) -> Iterator[Row]:
        if depth == len(plan):
            yield from self._choose(facts, 0, args, used)
            return
        predicate, columns, values, fresh = plan[depth]
        key = tuple([args[v] if isinstance(v, int) else v for v in values])
        for row in facts.matching(predicate, columns, key):
            taken = 0
            for column, place in fresh:
                value = row[column]
                if value in used or value not in self._allowed[place]:
                    break
                args[place] = value
                if not self._repeats:
                    used.add(value)
                taken += 1
            else:
                yield from self._extend(facts, plan, depth + 1, args, used)
            for _, place in fresh[:taken]:
                used.discard(args[place])

    def _choose(self, facts: Facts, depth: int, args: list[str], used: set[str]) -> Iterator[Row]:
        if depth == len(self._free):
            yield tuple(args)
            return
        place = self._free[depth]
        for name in facts.names(self._header.parameters[place].types):
            if name not in used and name in self._allowed[place]:
                args[place] = name
                if not self._repeats:
                    used.add(name)
                yield from self._choose(facts, depth + 1, args, used)
                used.discard(name)
