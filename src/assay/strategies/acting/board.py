"""The situations at hand for each action: what its atoms can be made to look like, and where.

Only the values of an action's own atoms matter for what a test tells. So of all known states and all
arguments in them the board keeps, for each action, a place for every such valuation. Places are found by
joining what the action may need with what holds; for an action that never ran, by trying the arguments under
which most of what it probably needs holds. Where a step might lead into a forbidden state its place is set
aside, until more is known of what the action does.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import State, bits_of, indices
from assay.knowledge.dossier import Dossier
from assay.planning.applicable import Facts
from assay.planning.pattern import Pattern
from assay.planning.stage import valuation
from assay.strategies.acting.fence import Fence
from assay.strategies.acting.prospects import Prospects
from assay.strategies.acting.readings import Reading
from assay.strategies.acting.richest import Richest

MATCHES, FENCED = 8, 64
"""Argument tuples looked at for one join in one state; and where some may be forbidden."""
ASIDE = 8
"""Places set aside for one valuation."""
TRIES, FIRST, FEWER = 400, 25, 40
"""Argument tuples looked at for an action that never ran, in each of the first states and in later ones."""


class Place(NamedTuple):
    state: int
    step: Step
    valuation: int
    shared: int = 0
    """Slots that stand for an atom together with others, two arguments being the same."""


class Board:
    def __init__(
        self,
        setting: Setting,
        dossiers: Mapping[str, Dossier],
        prospects: Prospects,
        rng: random.Random,
        fence: Fence,
    ) -> None:
        self._fence, self._matches = fence, FENCED if fence.there else MATCHES
        self._universe, self._prospects, self._rng = setting.universe, prospects, rng
        self._free = setting.profile.free_arguments
        self._seen: Counter[str] = Counter()
        self._patterns: dict[tuple[str, int, bool], Pattern] = {}
        self._richest = {name: Richest(setting, dossier) for name, dossier in dossiers.items()}
        self._places: dict[str, dict[tuple[int, int], Place]] = {
            a.name: {} for a in setting.profile.vocabulary.actions
        }
        """By valuation, and by the slots that stand for an atom together."""
        self._aside: dict[str, dict[tuple[int, int], list[Place]]] = {name: {} for name in self._places}

    def places(self, reading: Reading) -> Collection[Place]:
        return self._places[reading.name].values()

    def look(self, bits: int, readings: Iterable[Reading]) -> None:
        """Enter what one more state has to offer."""
        facts = Facts(self._universe, bits, self._rng)
        for reading in readings:
            for step in self._steps(reading, facts):
                self.enter(reading, bits, step)

    def enter(self, reading: Reading, bits: int, step: Step) -> None:
        """One state with one way to do the action."""
        shared = _shared(self._universe.positions(step)) if self._free else 0
        place = Place(bits, step, valuation(self._universe, step, bits), shared)
        places, key = self._places[reading.name], (place.valuation, place.shared)
        if key not in places:
            if self._fence.allows(bits, step):
                places[key] = place
            elif len(others := self._aside[reading.name].setdefault(key, [])) < ASIDE:
                others.append(place)
            if not reading.ran:
                self._prospects.saw(reading, place.valuation)

    def forbidden(self, reading: Reading) -> Iterator[Place]:
        """Places set aside, of which none is allowed instead."""
        for key, others in self._aside[reading.name].items():
            if key not in self._places[reading.name]:
                yield others[0]

    def reconsider(self, reading: Reading) -> None:
        """More is known of the action: what was set aside may be allowed now."""
        places, aside = self._places[reading.name], self._aside[reading.name]
        for key in list(aside):
            allowed = (p for p in aside[key] if self._fence.allows(p.state, p.step))
            if key not in places and (place := next(allowed, None)) is not None:
                places[key] = place
                del aside[key]

    def _steps(self, reading: Reading, facts: Facts) -> Iterable[Step]:
        if not reading.ran:
            self._seen[reading.name] += 1
            beam = TRIES if self._seen[reading.name] <= FIRST else FEWER
            weights = self._prospects.suspicions(reading.dossier)
            return self._richest[reading.name].steps(State(self._universe, facts.bits), weights, beam)
        found: dict[Step, None] = {}
        for probe in reading.probes():
            for free in (False, True) if self._free else (False,):
                for args in islice(self._pattern(reading, probe, free).matches(facts), self._matches):
                    found[Step(reading.name, args)] = None
        return found

    def _pattern(self, reading: Reading, true: int, free: bool) -> Pattern:
        key = (reading.name, true, free)
        if key not in self._patterns:
            dossier = reading.dossier
            atoms = [dossier.atoms[i] for i in indices(true)]
            self._patterns[key] = Pattern(self._universe, dossier.header, atoms, free)
        return self._patterns[key]


def _shared(positions: tuple[int, ...]) -> int:
    if len(set(positions)) == len(positions):
        return 0
    count = Counter(positions)
    return bits_of(i for i, p in enumerate(positions) if count[p] > 1)
