"""The situations at hand for each action: what its atoms can be made to look like, and where.

Only the values of an action's own atoms matter for what a test tells. So of all known states and all
arguments in them the board keeps, for each action, a place for every such valuation. Places are found by
joining what the action may need with what holds; for an action that never ran, by joining preconditions drawn
at random.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import indices
from assay.planning.applicable import Facts
from assay.planning.pattern import Pattern
from assay.planning.stage import valuation
from assay.strategies.acting.prospects import Prospects
from assay.strategies.acting.readings import Reading

MATCHES = 8
"""Argument tuples looked at for one join in one state."""
GUESSES = 40
"""Preconditions drawn for which a place is looked for at a time."""
MET, FIRST = 5, 100
"""States in which is looked for what may be true together, for an action that never ran."""


class Place(NamedTuple):
    state: int
    step: Step
    valuation: int


class Board:
    def __init__(self, setting: Setting, prospects: Prospects, rng: random.Random) -> None:
        self._universe, self._prospects, self._rng = setting.universe, prospects, rng
        self._tables: dict[int, Facts] = {}
        self._seen: Counter[str] = Counter()
        self._patterns: dict[tuple[str, int], Pattern] = {}
        self._places: dict[str, dict[int, Place]] = {a.name: {} for a in setting.profile.vocabulary.actions}

    def places(self, reading: Reading) -> Collection[Place]:
        return self._places[reading.name].values()

    def look(self, bits: int, readings: Iterable[Reading], closely: bool = False) -> None:
        """Enter what one more state has to offer; closely, also where two atoms in doubt are false."""
        facts = Facts(self._universe, bits, self._rng)
        for reading in readings:
            if reading.ran:
                for place in self.at(reading, facts, closely):
                    self.enter(reading, place)
            elif self._seen[reading.name] < FIRST:
                self._seen[reading.name] += 1
                self._prospects.meet(reading, facts)

    def guess(self, reading: Reading, states: Sequence[int]) -> None:
        """Enter, for an action that never ran, a place for each of some likely preconditions."""
        anywhere = 0
        for bits in states:
            anywhere |= bits
        everything = Facts(self._universe, anywhere)
        for bits in self._rng.sample(states, min(MET, len(states))):
            self._prospects.meet(reading, self._facts(bits))
        for true in self._prospects.guesses(reading.dossier, GUESSES):
            pattern = self._pattern(reading, true)
            if next(pattern.matches(everything), None) is None:
                continue
            for bits in states:
                args = next(pattern.matches(self._facts(bits)), None)
                if args is not None:
                    step = Step(reading.name, args)
                    self.enter(reading, Place(bits, step, valuation(self._universe, step, bits)))
                    break

    def enter(self, reading: Reading, place: Place) -> None:
        self._places[reading.name].setdefault(place.valuation, place)

    def _facts(self, bits: int) -> Facts:
        if bits not in self._tables:
            self._tables[bits] = Facts(self._universe, bits, self._rng)
        return self._tables[bits]

    def at(self, reading: Reading, facts: Facts, closely: bool = False) -> Iterator[Place]:
        """What one state offers for one action that ran before."""
        found: dict[Step, None] = {}
        for probe in reading.probes(closely):
            for args in islice(self._pattern(reading, probe).matches(facts), MATCHES):
                found[Step(reading.name, args)] = None
        for step in found:
            yield Place(facts.bits, step, valuation(self._universe, step, facts.bits))

    def _pattern(self, reading: Reading, true: int) -> Pattern:
        key = (reading.name, true)
        if key not in self._patterns:
            dossier = reading.dossier
            atoms = [dossier.atoms[i] for i in indices(true)]
            self._patterns[key] = Pattern(self._universe, dossier.header, atoms)
        return self._patterns[key]
