"""Bringing about what an action that never ran probably needs.

Where no state at hand makes enough of it true, a state is made up that would: for arguments under which most
could be true some day, as many of the likely atoms as do not exclude each other. Then it is searched for. If
it is found the action is tried there; if not, nothing follows.
"""

from __future__ import annotations

import random

from assay.core.setting import Setting
from assay.core.universe import State, bits_of
from assay.planning.mutexes import Mutexes
from assay.planning.stage import valuation
from assay.strategies.acting.board import Place
from assay.strategies.acting.prospects import Prospects
from assay.strategies.acting.readings import Reading
from assay.strategies.acting.richest import Richest
from assay.strategies.acting.territory import Territory

ARGUMENTS = 60
"""Argument tuples among which one is drawn."""
ATTEMPTS = 4
"""States made up and searched for at a time."""
EFFORT = 400
"""States followed up in one search."""


class Aspiration:
    def __init__(
        self, setting: Setting, prospects: Prospects, territory: Territory, rng: random.Random
    ) -> None:
        self._setting, self._universe = setting, setting.universe
        self._prospects, self._territory, self._rng = prospects, territory, rng

    def place(self, reading: Reading, mutexes: Mutexes) -> Place | None:
        """A place for the action that is worth a try, now within the territory."""
        dossier = reading.dossier
        suspicions = self._prospects.suspicions(dossier)
        steps = Richest(self._setting, dossier).steps(
            State(self._universe, mutexes.reached), suspicions, ARGUMENTS
        )
        for step in self._rng.sample(steps, min(ATTEMPTS, len(steps))):
            positions = self._universe.positions(step)
            order = sorted(range(len(positions)), key=lambda i: -suspicions[i] * self._rng.random())
            chosen: list[int] = []
            for i in order:
                if mutexes.reached >> positions[i] & 1 and all(
                    mutexes.both((positions[i], True), (positions[j], True)) for j in chosen
                ):
                    chosen.append(i)
            wished = bits_of(chosen)
            if all(wished & ~f for f in dossier.precondition.failures):
                bits = self._territory.seek(bits_of(positions[i] for i in chosen), 0, EFFORT)
                if bits is not None:
                    return Place(bits, step, valuation(self._universe, step, bits))
        return None
