"""Bringing about what an action that never ran probably needs.

Where no state at hand makes it true, a state is made up that would: for a likely precondition, arguments
under which each of its atoms may be true some day and no two of them exclude each other. Then it is searched
for. If it is found the action is tried there; if not, nothing follows.
"""

from __future__ import annotations

from itertools import combinations, islice

from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import bits_of, indices
from assay.planning.applicable import Facts
from assay.planning.mutexes import Mutexes
from assay.planning.pattern import Pattern
from assay.planning.stage import valuation
from assay.strategies.acting.board import Place
from assay.strategies.acting.prospects import Prospects
from assay.strategies.acting.readings import Reading
from assay.strategies.acting.territory import Territory

GUESSES = 20
"""Preconditions looked at."""
ARGUMENTS = 10
"""Argument tuples looked at for each."""
ATTEMPTS = 4
"""States searched for, at most."""
EFFORT = 400
"""States followed up in one search."""


class Aspiration:
    def __init__(self, setting: Setting, prospects: Prospects, territory: Territory) -> None:
        self._universe, self._prospects, self._territory = setting.universe, prospects, territory

    def place(self, reading: Reading, mutexes: Mutexes) -> Place | None:
        """A place for the action that is worth a try, now within the territory."""
        dossier = reading.dossier
        someday = Facts(self._universe, mutexes.reached)
        attempts = 0
        for true in self._prospects.guesses(dossier, GUESSES):
            pattern = Pattern(self._universe, dossier.header, [dossier.atoms[i] for i in indices(true)])
            for args in islice(pattern.matches(someday), ARGUMENTS):
                step = Step(reading.name, args)
                positions = self._universe.positions(step)
                wished = [positions[i] for i in indices(true)]
                if all(mutexes.both((a, True), (b, True)) for a, b in combinations(wished, 2)):
                    attempts += 1
                    bits = self._territory.seek(bits_of(wished), 0, EFFORT)
                    if bits is not None:
                        return Place(bits, step, valuation(self._universe, step, bits))
                    break
            if attempts == ATTEMPTS:
                break
        return None
