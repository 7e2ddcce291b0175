"""Counting coverage: which patterns of features the runs and the refusals of an action show.

For each term T of the precondition, with F the features that T does not name, a *requirement* is a
conjunction that some answer must show:

- runs(s): T, and a pattern of s features of F (of all, if there are fewer), in some run;
- refusals(v, t): T with the literals of V turned round, for each non-empty set V of at most v of them, and
  a pattern of t features of F (t - 1 if V has two or more), in some refusal.

A pattern that no state can show, or where the precondition always holds once V is turned round, is not
required.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import NamedTuple

from assay.proof.recount.features import Cube, Features, single
from assay.proof.recount.gaps import gaps
from assay.proof.recount.listing import NOT_LISTED, Listing
from assay.proof.recount.logic import Logic

SHOWN = 20
"""Missing patterns that are kept to be shown; the others are counted."""


class Class(NamedTuple):
    """What is ruled out: see the module `levels`."""

    turned: int
    """Most literals of a term that are turned round together (v)."""
    beside: int
    """Features besides these in a refusal (t)."""
    runs: int
    """Features in a run (s)."""


class Requirement(NamedTuple):
    """A conjunction that must be shown, and the term that it is about."""

    term: int
    turned: int
    """Bits of the literals turned round; none for a run."""
    pattern: Cube


@dataclass
class Tally:
    """How many of the required patterns there are answers for."""

    covered: int = 0
    required: int = 0
    excused: int = 0
    """Not covered, and listed as patterns that could not be realised."""
    missing: list[Requirement] = field(default_factory=list)
    """Some of those neither covered nor excused."""

    @property
    def complete(self) -> bool:
        return self.covered + self.excused == self.required

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.covered + other.covered,
            self.required + other.required,
            self.excused + other.excused,
            [*self.missing, *other.missing][:SHOWN],
        )


class Counter:
    """Counts the coverage of one action's rows."""

    def __init__(
        self,
        features: Features,
        terms: Sequence[Cube],
        runs: Iterable[int],
        refusals: Iterable[int],
        listed: dict[tuple[int, int], Listing],
    ) -> None:
        self.features, self.terms, self._listed = features, tuple(terms), listed
        self.logic = Logic(features, terms)
        run_rows, self._refusals = list(runs), list(refusals)
        self._runs = [[row for row in run_rows if term.covers(row)] for term in self.terms]
        self._turned = [self._by_turned(term) for term in self.terms]
        self._tallies: dict[tuple[int, int], Tally] = {}

    def _by_turned(self, term: Cube) -> dict[int, list[int]]:
        """The refusals by which literals of the term are turned round in them."""
        found: dict[int, list[int]] = {}
        for row in self._refusals:
            found.setdefault((row ^ term.true) & term.named, []).append(row)
        return found

    def runs(self, size: int) -> Tally:
        """Over all terms, runs with each pattern of so many features."""
        if (0, size) not in self._tallies:
            found = Tally()
            for number, term in enumerate(self.terms):
                found += self._count(number, term, 0, self._runs[number], size, self.logic.possible)
            self._tallies[0, size] = found
        return self._tallies[0, size]

    def refusals(self, turned: int, size: int) -> Tally:
        """Over all terms and sets of `turned` literals, refusals with each pattern of so many features."""
        if (turned, size) not in self._tallies:
            found = Tally()
            for number, term in enumerate(self.terms):
                for chosen in combinations(list(single(term.named)), turned):
                    bits = sum(chosen)
                    rows = self._turned[number].get(bits, [])
                    base = term.turned(bits)
                    found += self._count(number, base, bits, rows, size, self.logic.may_be_refused)
            self._tallies[turned, size] = found
        return self._tallies[turned, size]

    def _count(
        self,
        term: int,
        base: Cube,
        turned: int,
        rows: Collection[int],
        size: int,
        can_be: Callable[[Cube], bool],
    ) -> Tally:
        """One term, one set of literals turned round: `base`, and beside it every pattern."""
        free = [bit for n in range(self.features.size) if not (bit := 1 << n) & base.named]
        size = min(size, len(free))
        if not can_be(base):
            return Tally()
        listing = self._listed.get((term, turned), NOT_LISTED)
        total = comb(len(free), size) << size
        found = Tally(total, total)
        if size == 0:
            if not rows:
                listed = listing.excused(Cube()) == (-1, -1)
                missing = [] if listed else [Requirement(term, turned, Cube())]
                found = Tally(0, 1, int(listed), missing)
            return found
        relevant = self.logic.relevant(base)
        for gap in gaps(set(rows), free, size):
            excuses = listing.excused(gap.prefix)
            for value, bits in ((0, gap.false), (1, gap.true)):
                bits = self._required(base.join(gap.prefix), bits, value, relevant, can_be, found)
                found.covered -= bits.bit_count()
                excused = bits & excuses[value]
                found.excused += excused.bit_count()
                for bit in single(bits & ~excused):
                    if len(found.missing) >= SHOWN:
                        break
                    pattern = gap.prefix.join(Cube(bit, bit * value))
                    found.missing.append(Requirement(term, turned, pattern))
        return found

    def _required(
        self,
        prefix: Cube,
        bits: int,
        value: int,
        relevant: int,
        can_be: Callable[[Cube], bool],
        tally: Tally,
    ) -> int:
        """The features of these that, with this value beside the prefix, some answer could show."""
        if not bits:
            return 0
        never = 0
        if bits & ~relevant and not can_be(prefix):
            never = bits & ~relevant
        for bit in single(bits & relevant):
            if not can_be(prefix.join(Cube(bit, bit * value))):
                never |= bit
        tally.required -= never.bit_count()
        tally.covered -= never.bit_count()
        return bits & ~never

    def close(self) -> None:
        self.logic.close()
