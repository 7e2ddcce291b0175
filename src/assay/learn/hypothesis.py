"""The hypothesis about one action: a disjunction of terms for when it runs, and a condition for every change.

Rows are integers: the own facts, then one bit per quantified feature. A row about another object has its profile
from bit `BESIDE` on. Conditions of changes are fitted to all runs seen, so they always agree with the evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.learn.dnf import TRUE_TERM, Term, bits, covers, fit
from assay.learn.evidence import Evidence, Example, Others, Point
from assay.learn.features import Features, Profile, Quantified

BESIDE = 4096
"""Where the profile of another object begins in a row about it; more than any action has features."""

Concept = tuple[str | None, int, int]
"""A fact that may turn: of the arguments (None) or of another object of a type, its place, its value before."""


Rows = tuple[list[int], list[int]]
"""Rows in which a fact turned, and in which it did not."""


class Hypothesis:
    def __init__(self, features: Features) -> None:
        self.features = features
        self.quantified: list[Quantified] = []
        self.terms: list[Term] = []
        self.evidence = Evidence()
        self._concepts: dict[Concept, Rows] = {}
        self._conditions: dict[Concept, list[Term]] = {}
        self._folded, self._stamp = 0, (0, 0, 0)
        self.unexplained: list[Concept] = []
        """Changes that no condition over the features explains."""

    # ---- rows

    @property
    def width(self) -> int:
        return self.features.width + len(self.quantified)

    @property
    def own_mask(self) -> int:
        return (1 << self.features.width) - 1

    def row_of(self, own: int, others: Iterable[Profile]) -> int:
        row = own
        if self.quantified:
            others = list(others)
            for number, feature in enumerate(self.quantified):
                if any(map(feature.fits, others)):
                    row |= 1 << (self.features.width + number)
        return row

    def row(self, example: Example) -> int:
        if example.width != len(self.quantified):
            example.extended = self.row_of(*example.point)
            example.width = len(self.quantified)
        return example.extended

    def add_feature(self, feature: Quantified) -> int:
        """The number of the quantified feature, which is new or known."""
        if feature not in self.quantified:
            self.quantified.append(feature)
        return self.quantified.index(feature)

    def runs_at(self, row: int) -> bool:
        return covers(self.terms, row)

    def example(self, term: Term) -> Example | None:
        """Some run in which the term holds."""
        return next((e for e in self.evidence.examples if e.ran and self.row(e) & term[0] == term[1]), None)

    # ---- changes

    def changes(self) -> dict[Concept, list[Term]]:
        """For every fact that was seen to turn, the condition under which it does."""
        stamp = (len(self.evidence.examples), len(self.quantified), self.evidence.replaced)
        if self._stamp != stamp:
            if self._stamp[1:] != stamp[1:]:
                self._concepts, self._folded, self._conditions = {}, 0, {}
            self._fold()
            self._stamp = stamp
            self._refit()
        return self._conditions

    def concepts(self) -> dict[Concept, Rows]:
        """For every fact that was seen to turn, the rows in which it did and in which it did not."""
        self.changes()
        return self._concepts

    def _fold(self) -> None:
        examples = self.evidence.examples
        fresh = [e for e in examples[self._folded :] if e.ran]
        new = sorted({k for e in fresh for k in self._turned(e)} - self._concepts.keys(), key=str)
        for key in self._concepts:
            self._sort_in(key, fresh)
        for key in new:
            self._concepts[key] = ([], [])
            self._sort_in(key, [e for e in examples if e.ran])
        self._folded = len(examples)

    def _turned(self, example: Example) -> Iterator[Concept]:
        own, after = example.point.own, example.after
        assert after is not None
        for place in bits(own ^ after):
            yield None, place, own >> place & 1
        for type_name, old, new in example.changes:
            for place in bits(old ^ new):
                yield type_name, place, old >> place & 1

    def _sort_in(self, key: Concept, examples: list[Example]) -> None:
        """Puts the rows of these runs where they belong: the fact turned, or did not."""
        where, place, value = key
        turned, kept = self._concepts[key]
        for example in examples:
            row, own, after = self.row(example), example.point.own, example.after
            assert after is not None
            if where is None:
                if own >> place & 1 == value:
                    (turned if (own ^ after) >> place & 1 else kept).append(row)
                continue
            for type_name, old, new in example.changes:
                if type_name == where and old >> place & 1 == value:
                    (turned if (old ^ new) >> place & 1 else kept).append(row | old << BESIDE)

    def _refit(self) -> None:
        self.unexplained = []
        for key, (turned, kept) in self._concepts.items():
            terms = self._conditions.get(key)
            if (
                terms is None
                or not all(covers(terms, row) for row in turned)
                or any(covers(terms, row) for row in kept)
            ):
                terms = self._fit(key, turned, kept)
            if terms is None:
                self.unexplained.append(key)
                terms = [TRUE_TERM] if len(turned) > len(kept) else []
            self._conditions[key] = terms

    def _fit(self, key: Concept, turned: list[int], kept: list[int]) -> list[Term] | None:
        where, place, _ = key
        if where is None:
            return fit(turned, kept, self.width, 1 << place)
        width = len(self.features.profiles[where])
        rows = [[_pack(row, self.width) for row in side] for side in (turned, kept)]
        terms = fit(rows[0], rows[1], self.width + width, 1 << (self.width + place))
        return terms and [(_unpack(m, self.width), _unpack(v, self.width)) for m, v in terms]

    def predict(self, own: int, others: Iterable[Profile]) -> int:
        """The own facts after a run at this point."""
        row, after = self.row_of(own, others), own
        for (where, place, before), terms in self.changes().items():
            if where is None and own >> place & 1 == before and covers(terms, row):
                after ^= 1 << place
        return after

    def predict_other(self, row: int, profile: Profile) -> int:
        """The profile of another object after a run at this row."""
        type_name, before = profile
        after, beside = before, row | before << BESIDE
        for (where, place, value), terms in self.changes().items():
            if where == type_name and before >> place & 1 == value and covers(terms, beside):
                after ^= 1 << place
        return after

    @property
    def touches_others(self) -> bool:
        return any(where is not None for where, _, _ in self.changes())

    def describe_row(self, row: int) -> str:
        return " ".join(str(self.features.own[n]) for n in bits(row & self.own_mask))


def _pack(row: int, width: int) -> int:
    return row & ((1 << width) - 1) | row >> BESIDE << width


def _unpack(mask: int, width: int) -> int:
    return mask & ((1 << width) - 1) | mask >> width << BESIDE


def point(own: int, others: Others | tuple[Profile, ...] = ()) -> Point:
    return Point(own, frozenset(others))
