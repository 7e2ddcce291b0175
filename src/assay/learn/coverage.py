"""Coverage: which probes are missing until a strength is reached.

For each term T of the precondition, F the features that T does not name:

- *runs*: T runs in every row of CA(s, F), with nothing else around and in a crowd;
- *refusals*: for every one to v literals of T turned round, a refusal for every pattern of t further features (for
  two literals t - 1), unless the pattern implies another term. One more feature of a refusal is whether a crowd is
  around, in which every two facts are true of some other object.

Patterns that cannot be realised are listed, with the reason, and never count as covered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

from assay.learn.covering import Pattern, covering_array, missing_patterns, spread
from assay.learn.dnf import Term, bits, covers, subsumes
from assay.learn.evidence import Point
from assay.learn.features import OTHER, Features, Quantified
from assay.learn.finding import Level
from assay.learn.probe import ALIKE, BARE, CROWD, FEW, Probe, Prober

WIDE = 160
"""With more free features than this, runs cover pairs and not triples; the certificate says so."""
UNREALISED = "no situation could be made up that shows it"
IMPOSSIBLE = "the agent calls such situations impossible"
ATTEMPTS = 3
"""Impossible rows for one pattern after which it is listed."""
HOLES = 40
"""Lost patterns that are tried in one batch."""
TRIES = 60
"""How often a row is drawn for a pattern until the pattern counts as impossible."""


class Missing(NamedTuple):
    """A pattern of refusals that could not be realised."""

    term: Term
    turned: tuple[int, ...]
    pattern: Pattern


Key = tuple[Term, int, int, bool]
"""A term, the number of quantified features, a strength, and whether nothing else is to be around."""


class Coverage:
    """The rows planned for each term, and what could not be realised."""

    def __init__(self, prober: Prober) -> None:
        self.prober = prober
        self._planned: dict[Key, list[Probe]] = {}
        self.not_realised: dict[Missing, str] = {}
        self.impossible: set[Point] = set()
        self.shown_alone: set[Point] = set()
        """Probes that were asked alone, as they were wanted."""
        self._holes: set[Term] = set()
        """Terms of which a planned row was lost."""
        self._aims: dict[Point, list[Missing]] = {}
        """The patterns that a probe of a refusal is to show."""
        self._refused_in_vain: dict[Missing, int] = {}
        self._attempts: dict[tuple[Term, Pattern], int] = {}

    def rule_out(self, probe: Probe) -> None:
        """The probe is impossible: it is not asked again, and what it was for is given up after some more."""
        point = Point(probe.own, frozenset(probe.others))
        self.impossible.add(point)
        for missing in self._aims.pop(point, ()):
            self._refused_in_vain[missing] = self._refused_in_vain.get(missing, 0) + 1
            if self._refused_in_vain[missing] > ATTEMPTS:
                self.not_realised[missing] = IMPOSSIBLE

    def missing(self, level: Level) -> list[Probe]:
        """What is to be asked next for this strength; nothing if it is reached."""
        return [*self._runs(level), *self._refusals(level)]

    # ---- runs

    def run_strength(self, term: Term, run: int) -> int:
        free = self.prober.hypothesis.width - term[0].bit_count()
        return min(run, 2) if free > WIDE else run

    def _runs(self, level: Level) -> list[Probe]:
        strength = level.run
        if not strength:
            return []
        hypothesis = self.prober.hypothesis
        seen = {hypothesis.row(e) for e in hypothesis.evidence.runs}
        found: list[Probe] = []
        for term in hypothesis.terms:
            wanted = [
                *self._plan((term, len(hypothesis.quantified), strength, False), self._run_plan, seen),
                *self._plan((term, len(hypothesis.quantified), level.refused, True), self._bare_plan, seen),
            ]
            found += wanted or self._fill_holes(term, strength, seen)
        return found

    def _plan(self, key: Key, make: Callable[[Term, int], Iterator[Probe]], seen: set[int]) -> list[Probe]:
        """What is left of the rows planned for a term."""
        if key not in self._planned:
            self._planned[key] = list(make(key[0], key[2]))
        self._planned[key] = [p for p in self._planned[key] if not self._shown(p, key[0], seen)]
        return self._planned[key]

    def _fill_holes(self, term: Term, strength: int, seen: set[int]) -> list[Probe]:
        """Rows for patterns that were lost with rows that could not be made up or were impossible."""
        if term not in self._holes:
            return []
        hypothesis = self.prober.hypothesis
        places = [p for p in range(hypothesis.width) if not term[0] >> p & 1]
        rows = [row for row in seen if row & term[0] == term[1]]
        lacking = [
            pattern
            for pattern in missing_patterns(rows, places, self.run_strength(term, strength))
            if Missing(term, (), pattern) not in self.not_realised
        ]
        found: list[Probe] = []
        for pattern in lacking:
            self._attempts[term, pattern] = self._attempts.get((term, pattern), 0) + 1
            probe = self._hole_probe(term, pattern) if self._attempts[term, pattern] <= ATTEMPTS else None
            if probe is None:
                self.not_realised[Missing(term, (), pattern)] = UNREALISED
            elif len(found) < HOLES:
                found.append(probe)
        return found or (self._fill_holes(term, strength, seen) if lacking else [])

    def _hole_probe(self, term: Term, pattern: Pattern) -> Probe | None:
        """A known run with the pattern put in: what else is so was possible before."""
        prober, hypothesis = self.prober, self.prober.hypothesis
        known = [row for e in hypothesis.evidence.runs if (row := hypothesis.row(e)) & term[0] == term[1]]
        mask = sum(1 << place for place in pattern[0])
        wanted = sum(bit << place for place, bit in zip(*pattern, strict=True))
        known.sort(key=lambda row: ((row ^ wanted) & mask).bit_count())
        for number in range(TRIES // 3):
            row = known[number % len(known)] & ~mask | wanted
            probe = prober.probe(row, BARE, True)
            if probe is None or Point(probe.own, frozenset(probe.others)) in self.impossible:
                continue
            if hypothesis.row_of(probe.own, probe.others) == row:
                return probe
        return None

    def _shown(self, probe: Probe, term: Term, seen: set[int]) -> bool:
        row = probe.own | (probe.quantified or 0) << self.prober.hypothesis.features.width
        point = Point(probe.own, frozenset(probe.others))
        if point in self.impossible:
            self._holes.add(term)
            return True
        return row in seen and (not probe.alone or point in self.shown_alone)

    def _run_plan(self, term: Term, strength: int) -> Iterator[Probe]:
        prober, hypothesis = self.prober, self.prober.hypothesis
        places = [p for p in range(hypothesis.width) if not term[0] >> p & 1]
        if prober.cautious:
            self._holes.add(term)
            return
        rows = covering_array(len(places), self.run_strength(term, strength), prober.rng)
        prober.rng.shuffle(rows)
        while len(rows) < FEWEST_RUNS and len(rows) < 1 << len(places):
            rows.append(prober.rng.getrandbits(len(places)))
        for number, row in enumerate(rows):
            style = CROWD if number == 1 else FEW if number % 2 else BARE
            yield from self._run_probe(term, row, places, style, alone=False)

    def _bare_plan(self, term: Term, strength: int) -> Iterator[Probe]:
        """Runs with nothing else around.

        Some object, be it another one or an argument, may be needed: one of which something holds cannot be there
        if all free facts are false, one of which something does not hold cannot if all are true.
        """
        prober = self.prober
        places = [p for p in range(prober.hypothesis.width) if not term[0] >> p & 1]
        rows = [0, (1 << len(places)) - 1]
        if strength > 1:
            rows += covering_array(len(places), strength, prober.rng)
        for row in dict.fromkeys(rows):
            yield from self._run_probe(term, row, places, BARE, alone=True)
        if any(prober.residents.values()):
            yield from self._run_probe(term, rows[-1], places, ALIKE, alone=True)

    def _run_probe(self, term: Term, row: int, places: list[int], style: str, alone: bool) -> Iterator[Probe]:
        wanted = term[1] | spread(row, places)
        probe = self.prober.probe(wanted, style, True, alone=alone)
        if probe is None or self.prober.hypothesis.row_of(probe.own, probe.others) != wanted:
            self._holes.add(term)
        else:
            yield probe

    # ---- refusals

    def _refusals(self, level: Level) -> list[Probe]:
        hypothesis = self.prober.hypothesis
        around = 1 << hypothesis.width
        rows = []
        for example in hypothesis.evidence.refusals:
            row = hypothesis.row(example)
            if example.crowd:
                rows.append(row | around)
            if not example.crowd or not example.point.others:  # where there is nothing to crowd, both at once
                rows.append(row)
        found: list[Probe] = []
        for term in list(hypothesis.terms):
            for count in range(1, level.turned + 1):
                strength = level.refused if count == 1 else max(0, level.refused - 1)
                for turned in combinations(bits(term[0]), count):
                    found += self._for_turned(term, turned, strength, rows)
            if level.refused:
                found += self._named_as_others(term, rows)
        return found

    def _for_turned(
        self, term: Term, turned: tuple[int, ...], strength: int, refused: list[int]
    ) -> list[Probe]:
        hypothesis = self.prober.hypothesis
        value = term[1] ^ sum(1 << p for p in turned)
        there = [row for row in refused if row & term[0] == value]
        if strength == 0 and there:
            return []
        places = [p for p in range(hypothesis.width + 1) if not term[0] >> p & 1]
        todo = [
            pattern
            for pattern in missing_patterns(there, places, strength)
            if not self._implied(term[0], value, pattern)
            and Missing(term, turned, pattern) not in self.not_realised
        ]
        ready = self._ready_rows(places, strength, value, there)
        found: list[Probe] = []
        tries = 0
        while todo and tries < TRIES:
            tries += 1
            row = ready.pop() if ready else self._row_for(todo, term, value)
            repaired = self._outside_other_terms(row, set(todo[0][0]), term)
            if repaired is None:
                continue
            probe = self._refusal_probe(repaired, strength)
            if probe is None:
                continue
            row = repaired
            left = [p for p in todo if not _shows(row, p)]
            if len(left) < len(todo):
                aims = [Missing(term, turned, p) for p in todo if p not in left]
                self._aims[Point(probe.own, frozenset(probe.others))] = aims
                todo = left
                found.append(probe)
        for pattern in todo:
            self.not_realised[Missing(term, turned, pattern)] = UNREALISED
        return found

    def _ready_rows(self, places: list[int], strength: int, value: int, there: list[int]) -> list[int]:
        """A covering array, moved so that a refusal seen is its first row."""
        if strength < 2:
            return []
        rows = [value | spread(row, places) for row in covering_array(len(places), strength, self.prober.rng)]
        if there:
            mask = sum(1 << p for p in places)
            shift = (rows[0] ^ there[0]) & mask
            rows = [row ^ shift for row in rows][1:]
        return rows

    def _row_for(self, todo: list[Pattern], term: Term, value: int) -> int:
        """A random row that shows the first pattern, and of the others what goes with it.

        The order is random, or whole families of functions would never be met by these regular rows.
        """
        hypothesis = self.prober.hypothesis
        width = hypothesis.width
        row = self.prober.rng.getrandbits(width + 1)
        if self.prober.cautious and (runs := hypothesis.evidence.runs):
            row = hypothesis.row(self.prober.rng.choice(runs))
        row = row & ~term[0] | value
        order = todo[1:]
        self.prober.rng.shuffle(order)
        for places, wanted in [*order, todo[0]]:
            for place, bit in zip(places, wanted, strict=True):
                row = row & ~(1 << place) | bit << place
        return row

    def _outside_other_terms(self, row: int, fixed: set[int], term: Term) -> int | None:
        """The row with facts turned until no term says that it runs; None if that fails."""
        hypothesis, rng = self.prober.hypothesis, self.prober.rng
        for _ in range(20):
            other = next((t for t in hypothesis.terms if row & t[0] == t[1]), None)
            if other is None:
                return row
            loose = bits(other[0] & ~term[0])
            choice = [p for p in loose if p not in fixed] or loose
            if not choice:
                return None
            row ^= 1 << rng.choice(choice)
        return None

    def _refusal_probe(self, row: int, strength: int) -> Probe | None:
        hypothesis = self.prober.hypothesis
        crowd = row >> hypothesis.width & 1
        clean = row & ((1 << hypothesis.width) - 1)
        style = CROWD if crowd else BARE if strength else FEW
        probe = self.prober.probe(clean, style, False)
        if probe is None or Point(probe.own, frozenset(probe.others)) in self.impossible:
            return None
        made = hypothesis.row_of(probe.own, probe.others)
        return probe if made == clean and not covers(hypothesis.terms, made) else None

    def _implied(self, mask: int, value: int, pattern: Pattern) -> bool:
        for place, bit in zip(*pattern, strict=True):
            mask, value = mask | 1 << place, value | bit << place
        return any(subsumes(t, (mask, value)) for t in self.prober.hypothesis.terms)

    def _named_as_others(self, term: Term, refused: list[int]) -> Iterator[Probe]:
        """A term needs some other object: with none around, may an argument or a constant be it? One probe each."""
        hypothesis, features = self.prober.hypothesis, self.prober.hypothesis.features
        for number, feature in enumerate(hypothesis.quantified):
            bit = 1 << features.width + number
            if not term[1] & bit:
                continue
            for name, kind in features.named:
                wanted = profile_of_named(features, feature, name, kind)
                if wanted is None or (term[1] ^ wanted[1]) & term[0] & wanted[0]:
                    continue
                mask, value = term[0] | wanted[0], term[1] & ~bit | wanted[1]
                missing = Missing(term, (features.width + number,), (tuple(bits(wanted[0])), ()))
                if (
                    missing in self.not_realised
                    or any(row & mask == value for row in refused)
                    or any(subsumes(t, (mask, value)) for t in hypothesis.terms)
                ):
                    continue
                probe = self._role_probe(mask, value)
                if probe is None:
                    self.not_realised[missing] = UNREALISED
                else:
                    yield probe

    def _role_probe(self, mask: int, value: int) -> Probe | None:
        for _ in range(TRIES // 2):
            row = value | self.prober.rng.getrandbits(self.prober.hypothesis.width) & ~mask
            probe = self.prober.probe(row, BARE, False, alone=True)
            if probe is not None and not covers(self.prober.hypothesis.terms, row):
                return probe
        return None


FEWEST_RUNS = 16
"""Terms with few free features are run at least so often, because other objects vary even then."""


def profile_of_named(features: Features, feature: Quantified, name: str, kind: str) -> Term | None:
    """The own facts that an argument or constant shows if it has the feature's profile; None if it cannot."""
    if not features.numbering.vocabulary.fits(kind, (feature.type,)):
        return None
    own_mask = own_value = 0
    for place in bits(feature.mask):
        atom = features.profiles[feature.type][place].substitute({OTHER: name})
        bit = 1 << features.index[atom]
        wanted = bit if feature.value >> place & 1 else 0
        if own_mask & bit and own_value & bit != wanted:
            return None
        own_mask, own_value = own_mask | bit, own_value | wanted
    return own_mask, own_value


def _shows(row: int, pattern: Pattern) -> bool:
    return all(row >> place & 1 == bit for place, bit in zip(*pattern, strict=True))
