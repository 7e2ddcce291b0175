"""How thoroughly other objects were varied: which parts of a profile some other object had, or none.

A *part* is a type with one or two literals about an object of it: "some other tool is a card and not
broken". Every part is taken for a feature with two values, true and false, whether the certificate speaks
of it or not, and counted is, for each term,

- runs: each part both ways, beside each feature that the term does not name both ways;
- refusals: each part both ways, with each one literal of the term turned round.

So a condition or an effect that depends on a part, alone or with one more fact, would have shown. This is no
requirement of any strength, and is told apart from it. Types are those of objects that occur in the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from assay.core.vocabulary import Vocabulary
from assay.proof.recount.facts import Fact
from assay.proof.recount.features import Cube, Features, other_name, single
from assay.proof.recount.logic import Logic
from assay.proof.recount.surroundings import OTHER, Profile

MOST_PAIRED = 60
"""Facts of a profile up to which pairs are counted: 7,080 pairs of literals; beyond, single literals."""

Seen = Collection[tuple[int, int]]
"""Rows, each with the parts that were true in it."""


@dataclass
class Variation:
    """Values of parts that were shown, of all."""

    covered: int = 0
    required: int = 0
    missing: str = ""
    """One that was not, in words."""


class Parts:
    """The parts of profiles for one action, numbered: literals of a type by pairs."""

    def __init__(self, features: Features) -> None:
        self._features, self._vocabulary = features, features.vocabulary
        self._name = other_name(features.header)
        self._atoms: dict[str, tuple[Fact, ...]] = {}
        self._place: dict[str, dict[Fact, int]] = {}
        self._start: dict[str, int] = {}
        self._every: dict[str, int] = {}
        self._none: dict[str, tuple[int, int]] = {}
        """The literals of an object of which no fact is true, close together and far apart."""
        start = 0
        for kind in sorted({"object", *(t.name for t in self._vocabulary.types)}):
            atoms = tuple(_atoms_about_other(features, kind))
            self._atoms[kind], self._start[kind] = atoms, start
            self._place[kind] = {atom: n for n, atom in enumerate(atoms)}
            self._every[kind] = self._pairs(kind) << start
            self._none[kind] = (
                _spread(range(0, 2 * len(atoms), 2), 1),
                _spread(range(0, 2 * len(atoms), 2), 2 * len(atoms)),
            )
            start += 4 * len(atoms) ** 2
        self.of_profile = cache(self._of_profile)

    def of_all(self, profiles: Iterable[Profile]) -> int:
        """The parts that one of the profiles has."""
        found = 0
        for profile in profiles:
            found |= self.of_profile(profile)
        return found

    def every(self, kinds: Iterable[str]) -> int:
        """All parts about these types."""
        return sum(self._every[kind] for kind in kinds)

    def _pairs(self, kind: str) -> int:
        """Each literal of the type alone and with each later one that does not contradict it."""
        found, size = 0, 2 * len(self._atoms[kind])
        for one in range(size):
            others = ((1 << size) - (1 << one)) & ~(1 << (one ^ 1))
            found |= (others if size <= 2 * MOST_PAIRED else 1 << one) << (one * size)
        return found

    def implying(self, other: int) -> int:
        """The parts that make the quantified feature of this number true."""
        feature = self._features.others[other]
        kinds = [k for k in self._atoms if feature.type in self._vocabulary.supertypes(k)]
        return self._where(kinds, lambda literals: {*feature.literals} <= literals)

    def implied_by(self, other: int) -> int:
        """The parts that are true where the quantified feature of this number is."""
        feature = self._features.others[other]
        return self._where([feature.type], lambda literals: literals <= {*feature.literals})

    def text(self, bit: int) -> str:
        place = bit.bit_length() - 1
        known = [k for k, start in self._start.items() if self._atoms[k] and start <= place]
        kind = max(known, key=self._start.__getitem__)
        one, two = divmod(place - self._start[kind], 2 * len(self._atoms[kind]))
        words = [
            ("" if n & 1 else "not ") + " ".join(self._spelt(self._atoms[kind][n >> 1]))
            for n in dict.fromkeys((one, two))
        ]
        return f"{kind} with {' and '.join(words)}"

    def _of_profile(self, profile: Profile) -> int:
        kind, facts = profile
        one, each = self._none[kind]
        size = 2 * len(self._atoms[kind])
        for fact in facts:
            place = self._place[kind].get(fact)
            if place is not None:
                bits = 3 << 2 * place
                one, each = one ^ bits, each ^ ((1 << 2 * place * size) | (1 << (2 * place + 1) * size))
        # every literal that holds times every one that holds, each product at a place of its own
        return ((one * each) << self._start[kind]) & self._every[kind]

    def _where(self, kinds: Iterable[str], fits: Callable[[set[tuple[Fact, bool]]], bool]) -> int:
        found = 0
        for kind in kinds:
            for bit in single(self._every[kind]):
                one, two = divmod(bit.bit_length() - 1 - self._start[kind], 2 * len(self._atoms[kind]))
                literals = {(self._spelt(self._atoms[kind][n >> 1]), bool(n & 1)) for n in (one, two)}
                found |= bit if fits(literals) else 0
        return found

    def _spelt(self, atom: Fact) -> Fact:
        return tuple(self._name if term == OTHER else term for term in atom)


def _spread(places: Iterable[int], distance: int) -> int:
    return sum(1 << place * distance for place in places)


def _atoms_about_other(features: Features, kind: str) -> Iterator[Fact]:
    """The facts that there can be about an object of the type, the arguments and constants."""
    vocabulary: Vocabulary = features.vocabulary
    types = {p.name: p.types for p in features.header.parameters}
    types |= {c.name: (c.type,) for c in vocabulary.constants}
    types[OTHER] = (kind,)
    for predicate in vocabulary.predicates:
        found: list[Fact] = [(predicate.name,)]
        for place in predicate.parameters:
            fitting = [n for n, ts in types.items() if all(vocabulary.fits(t, place.types) for t in ts)]
            found = [(*fact, name) for fact in found for name in fitting]
        yield from (fact for fact in found if OTHER in fact)


class Variations:
    """Counts parts in the rows of one action."""

    def __init__(self, parts: Parts, logic: Logic, kinds: Iterable[str]) -> None:
        self._parts, self._logic = parts, logic
        self._every = parts.every(kinds)
        others = range(len(logic.features.others))
        first = len(logic.features.atoms)
        self._implying = [(1 << (first + n), parts.implying(n)) for n in others]
        self._implied = [(1 << (first + n), parts.implied_by(n)) for n in others]

    def runs(self, seen: Seen) -> Variation:
        found = Variation()
        features, terms = self._logic.features, self._logic.terms
        for term in terms:
            free = [b for n in range(len(features.atoms)) if not (b := 1 << n) & term.named]
            cases = [Cube(b, v) for b in free for v in (0, b)] or [Cube()]
            for case in cases:
                self._count(found, term.join(case), seen, self._logic.possible)
        return found

    def refusals(self, seen: Seen) -> Variation:
        found = Variation()
        for term in self._logic.terms:
            for bit in single(term.named):
                self._count(found, term.turned(bit), seen, self._logic.may_be_refused)
        return found

    def _count(self, found: Variation, base: Cube, seen: Seen, can_be: Callable[[Cube], bool]) -> None:
        """Adds which parts were true, and which were false, in rows that show this."""
        if not can_be(base):
            return
        never_true = never_false = self._every
        for row, parts in seen:
            if base.covers(row):
                never_true, never_false = never_true & ~parts, never_false & parts
                if not never_true and not never_false:
                    break
        found.required += 2 * self._every.bit_count()
        found.covered += 2 * self._every.bit_count()
        for missing, value, groups in ((never_true, 1, self._implying), (never_false, 0, self._implied)):
            for bits, implied in _split(missing, groups):
                shown = Cube(implied, implied * value)
                if base.contradicts(shown) or not can_be(base.join(shown)):
                    found.required -= bits.bit_count()
                elif not found.missing:
                    found.missing = self._say(base, bits & -bits, value)
                found.covered -= bits.bit_count()

    def _say(self, base: Cube, bit: int, value: int) -> str:
        literals = ", ".join(self._logic.features.texts(base)) or "anything"
        return f"{literals}, {'some' if value else 'no'} other {self._parts.text(bit)}"


def _split(missing: int, groups: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The missing parts by which quantified features they settle."""
    if not missing:
        return
    if not groups:
        yield missing, 0
        return
    (feature, parts), *rest = groups
    for bits, settled in _split(missing & parts, rest):
        yield bits, settled | feature
    yield from _split(missing & ~parts, rest)
