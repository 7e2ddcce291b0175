"""The situations at hand for each action: what its atoms can be made to look like, and where.

Only the values of an action's own atoms matter for what a test tells. So of all known states and all
arguments in them the board keeps, for each action, a place for every such valuation. Places are found by
joining what the action may need with what holds; for an action that never ran, by joining guesses of what it
needs and, in the first states, by trying the arguments under which most atoms hold.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import State, indices
from assay.planning.applicable import Facts
from assay.planning.grounding import Grounding, Situation
from assay.planning.pattern import Pattern
from assay.planning.stage import valuation
from assay.strategies.acting.prospects import Prospects
from assay.strategies.acting.readings import Reading

MATCHES = 8
"""Argument tuples looked at for one join in one state."""
TRIES, FIRST = 400, 25
"""Argument tuples looked at for an action that never ran, in each of the first states."""


class Place(NamedTuple):
    state: int
    step: Step
    valuation: int


class Board:
    def __init__(self, setting: Setting, prospects: Prospects, rng: random.Random) -> None:
        self._universe, self._prospects, self._rng = setting.universe, prospects, rng
        self._seen: Counter[str] = Counter()
        self._objects = setting.profile.objects
        self._patterns: dict[tuple[str, int], Pattern] = {}
        self._grounding = Grounding(setting.profile.vocabulary, TRIES)
        self._places: dict[str, dict[int, Place]] = {a.name: {} for a in setting.profile.vocabulary.actions}

    def places(self, reading: Reading) -> Collection[Place]:
        return self._places[reading.name].values()

    def look(self, bits: int, readings: Iterable[Reading]) -> None:
        """Enter what one more state has to offer."""
        facts = Facts(self._universe, bits, self._rng)
        for reading in readings:
            places = self._places[reading.name]
            for place in self.at(reading, facts):
                places.setdefault(place.valuation, place)
                if not reading.ran:
                    self._prospects.saw(reading, place.valuation)

    def at(self, reading: Reading, facts: Facts) -> Iterator[Place]:
        """What one state offers for one action."""
        for step in self._steps(reading, facts):
            yield Place(facts.bits, step, valuation(self._universe, step, facts.bits))

    def _steps(self, reading: Reading, facts: Facts) -> Iterable[Step]:
        found: dict[Step, None] = {}
        if reading.ran:
            probes = reading.probes()
        else:
            probes = self._prospects.guesses(reading)
            self._seen[reading.name] += 1
            if self._seen[reading.name] <= FIRST:
                situation = Situation(State(self._universe, facts.bits), self._objects)
                found.update(dict.fromkeys(self._grounding.steps(situation, reading.name).steps))
        for probe in probes:
            for args in islice(self._pattern(reading, probe).matches(facts), MATCHES):
                found[Step(reading.name, args)] = None
        return found

    def _pattern(self, reading: Reading, true: int) -> Pattern:
        key = (reading.name, true)
        if key not in self._patterns:
            dossier = reading.dossier
            atoms = [dossier.atoms[i] for i in indices(true)]
            self._patterns[key] = Pattern(self._universe, dossier.header, atoms)
        return self._patterns[key]
