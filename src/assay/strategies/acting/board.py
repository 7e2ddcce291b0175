"""The situations at hand for each action: what its atoms can be made to look like, and where.

Only the values of an action's own atoms matter for what a test tells. So of all known states and all
arguments in them the board keeps, for each action, a place for every such valuation. Places are found by
joining what the action may need with what holds; for an action that never ran, by joining preconditions drawn
at random, and where these lead to nothing new, by the arguments under which most of what it probably needs
holds. Where a step might lead into a forbidden state its place is set aside, until more is known of what
the action does.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import State, bits_of, indices
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
GUESSES = 40
"""Preconditions drawn for which a place is looked for at a time."""
MET, FIRST = 5, 100
"""States in which is looked for what may be true together, for an action that never ran."""
BEAM = 40
"""Argument tuples looked at in one state where no precondition drawn leads to anything new."""


class Place(NamedTuple):
    state: int
    step: Step
    valuation: int
    shared: int = 0
    """Slots that stand for an atom together with others, two arguments being the same."""


class Board:
    def __init__(self, setting: Setting, prospects: Prospects, rng: random.Random, fence: Fence) -> None:
        self._fence, self._matches = fence, FENCED if fence.there else MATCHES
        self._universe, self._prospects, self._rng = setting.universe, prospects, rng
        self._setting = setting
        self._tables: dict[int, Facts] = {}
        self._seen: Counter[str] = Counter()
        self._patterns: dict[tuple[str, int, bool], Pattern] = {}
        self._places: dict[str, dict[tuple[int, int], Place]] = {
            a.name: {} for a in setting.profile.vocabulary.actions
        }
        """By valuation, and by the slots that stand for an atom together."""
        self._aside: dict[str, dict[tuple[int, int], list[Place]]] = {name: {} for name in self._places}

    def places(self, reading: Reading) -> Collection[Place]:
        return self._places[reading.name].values()

    def look(self, bits: int, readings: Iterable[Reading], closely: bool = False) -> None:
        """Enter what one more state has to offer; closely, also where two atoms in doubt are false."""
        wanted = [r for r in readings if r.ran or self._seen[r.name] < FIRST]
        if not wanted:
            return
        facts = Facts(self._universe, bits, self._rng)
        for reading in wanted:
            if reading.ran:
                for step in self._steps(reading, facts, closely):
                    self.enter(reading, bits, step)
            else:
                self._seen[reading.name] += 1
                self._prospects.meet(reading, facts)

    def acquaint(self, reading: Reading, states: Sequence[int], seen: int) -> None:
        """Meet every atom of an action that never ran where it is true, if it is in any of the states."""
        facts, header = Facts(self._universe, seen), reading.dossier.header
        for atom in self._prospects.strangers(reading):
            args = next(Pattern(self._universe, header, [atom], self._free(reading)).matches(facts), None)
            if args is not None:
                bit = 1 << self._universe.index(atom.substitute(header.bind(args)))
                self._prospects.meet(reading, self._facts(next(bits for bits in states if bits & bit)))

    def guess(self, reading: Reading, states: Sequence[int]) -> None:
        """Enter, for an action that never ran, a place for each of some likely preconditions."""
        anywhere = 0
        for bits in states:
            anywhere |= bits
        everything = Facts(self._universe, anywhere)
        for bits in self._rng.sample(states, min(MET, len(states))):
            self._prospects.meet(reading, self._facts(bits))
        for true in self._prospects.guesses(reading.dossier, GUESSES):
            for free in sorted({False, self._free(reading)}):
                pattern = self._pattern(reading, true, free)
                if next(pattern.matches(everything), None) is None:
                    continue
                for bits in states:
                    args = next(pattern.matches(self._facts(bits)), None)
                    if args is not None:
                        self.enter(reading, bits, Step(reading.name, args))
                        break

    def rummage(self, reading: Reading, states: Sequence[int]) -> None:
        """Enter, for an action that never ran, what comes nearest to what it probably needs."""
        richest = Richest(self._setting, reading.dossier)
        weights = self._prospects.suspicions(reading.dossier)
        for bits in states:
            for step in richest.steps(State(self._universe, bits), weights, BEAM):
                self.enter(reading, bits, step)

    def enter(self, reading: Reading, bits: int, step: Step) -> None:
        """One state with one way to do the action."""
        shared = _shared(self._universe.positions(step)) if self._free(reading) else 0
        place = Place(bits, step, valuation(self._universe, step, bits), shared)
        places, key = self._places[reading.name], (place.valuation, place.shared)
        if key not in places:
            if self._fence.allows(bits, step):
                places[key] = place
            elif len(others := self._aside[reading.name].setdefault(key, [])) < ASIDE:
                others.append(place)

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

    def _facts(self, bits: int) -> Facts:
        if bits not in self._tables:
            self._tables[bits] = Facts(self._universe, bits, self._rng)
        return self._tables[bits]

    def _steps(self, reading: Reading, facts: Facts, closely: bool) -> Iterable[Step]:
        """What one state offers for an action that ran before."""
        found: dict[Step, None] = {}
        for probe in reading.probes(closely):
            for free in sorted({False, self._free(reading)}):
                for args in islice(self._pattern(reading, probe, free).matches(facts), self._matches):
                    found[Step(reading.name, args)] = None
        return found

    def _free(self, reading: Reading) -> bool:
        """Whether arguments are free; where they may be, both are looked for."""
        return reading.name in self._setting.profile.free_arguments

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
