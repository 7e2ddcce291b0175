"""What a description says of a situation: which capabilities apply, to which things, and where they lead.

Positive literals are matched against the facts of the state, most constrained first; the others are looked
up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from assay.core.model import ActionModel
from assay.core.symbols import Atom, Literal
from assay.core.universe import Universe
from assay.discovery.quantified import Facts

Binding = dict[str, str]


Args = tuple[str, ...]


class _Index:
    """The facts of a state, by predicate, and by predicate and argument."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        self.all: dict[str, list[Args]] = {}
        self.by: dict[tuple[str, int, str], list[Args]] = {}
        for predicate, args in atoms:
            self.all.setdefault(predicate, []).append(args)
            for place, name in enumerate(args):
                self.by.setdefault((predicate, place, name), []).append(args)


class Matcher:
    """Finds the things that fit, in states of one universe."""

    def __init__(self, facts: Facts, static: frozenset[str]) -> None:
        self.facts = facts
        self.universe: Universe = facts.universe
        self._static = static
        self._still = lru_cache(maxsize=256)(lambda bits: _Index(self.universe.atoms(bits)))
        self._moving = lru_cache(maxsize=8192)(lambda bits: _Index(self.universe.atoms(bits)))
        self._fitting: dict[tuple[str, ...], list[str]] = {}
        self._kind = {o.name: o.type for o in self.universe.objects}
        self._fits: dict[tuple[str, tuple[str, ...]], bool] = {}

    def fitting(self, types: tuple[str, ...]) -> list[str]:
        if types not in self._fitting:
            fits = self.universe.vocabulary.fits
            self._fitting[types] = [o.name for o in self.universe.objects if fits(o.type, types)]
        return self._fitting[types]

    def bindings(
        self, bits: int, literals: frozenset[Literal], types: Mapping[str, tuple[str, ...]]
    ) -> Iterator[Binding]:
        """All ways to give the variables values of their types such that the literals hold."""
        quantified = self.facts.quantified
        matched = sorted(x.atom for x in literals if x.positive and x.atom.predicate not in quantified)
        looked_up = sorted(x for x in literals if not x.positive or x.atom.predicate in quantified)
        mask = self.universe.mask(self._static)
        yield from self._extend(
            bits, (self._moving(bits & ~mask), self._still(bits & mask)), matched, looked_up, types, {}
        )

    def _extend(
        self,
        bits: int,
        indexes: tuple[_Index, _Index],
        matched: list[Atom],
        looked_up: list[Literal],
        types: Mapping[str, tuple[str, ...]],
        binding: Binding,
    ) -> Iterator[Binding]:
        if matched:
            best: tuple[int, Atom, list[Args]] | None = None
            for atom in matched:
                found = self._options(indexes[atom.predicate in self._static], atom, binding)
                if best is None or len(found) < best[0]:
                    best = len(found), atom, found
            assert best is not None
            _, atom, options = best
            rest = [a for a in matched if a is not atom]
            for args in options:
                extended = self._unify(atom, args, types, binding)
                if extended is not None:
                    yield from self._extend(bits, indexes, rest, looked_up, types, extended)
            return
        if free := [v for v in types if v not in binding]:
            for name in self.fitting(types[free[0]]):
                yield from self._extend(bits, indexes, [], looked_up, types, binding | {free[0]: name})
            return
        if all(self.facts.holds(bits, x.atom.substitute(binding)) == x.positive for x in looked_up):
            yield binding

    @staticmethod
    def _options(index: _Index, atom: Atom, binding: Binding) -> list[Args]:
        """The facts that may match, by the argument that leaves fewest."""
        found = index.all.get(atom.predicate, [])
        for place, variable in enumerate(atom.args):
            if (name := binding.get(variable)) is not None:
                narrowed = index.by.get((atom.predicate, place, name), [])
                if len(narrowed) < len(found):
                    found = narrowed
        return found

    def _unify(
        self, atom: Atom, args: tuple[str, ...], types: Mapping[str, tuple[str, ...]], binding: Binding
    ) -> Binding | None:
        extended = dict(binding)
        for variable, name in zip(atom.args, args, strict=True):
            known = extended.setdefault(variable, name)
            if known != name:
                return None
            if variable not in binding and not self._fit(name, types[variable]):
                return None
        return extended

    def _fit(self, name: str, types: tuple[str, ...]) -> bool:
        key = name, types
        if key not in self._fits:
            self._fits[key] = self.universe.vocabulary.fits(self._kind[name], types)
        return self._fits[key]

    def successors(self, bits: int, action: ActionModel) -> Iterator[tuple[Binding, int]]:
        """Where the capability leads, for everything it applies to; changes that change nothing left out."""
        types = {p.name: p.types for p in action.header.parameters}
        added, removed = (
            [x.atom for x in action.plain_effects if x.positive == sign] for sign in (True, False)
        )
        facts = self.universe.bits
        for binding in self.bindings(bits, action.needed, types):
            after = bits & ~facts(a.substitute(binding) for a in removed)
            after |= facts(a.substitute(binding) for a in added)
            if after != bits:
                yield binding, after
