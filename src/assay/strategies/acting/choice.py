"""Which of the tests at hand to ask: the one that promises most for its length."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assay.strategies.acting.board import Board, Place
from assay.strategies.acting.prospects import Prospects
from assay.strategies.acting.readings import Reading
from assay.strategies.acting.territory import Territory


@dataclass(frozen=True, slots=True)
class Test:
    score: float
    chance: float
    reading: Reading
    place: Place


class Choice:
    def __init__(self, territory: Territory, board: Board, prospects: Prospects) -> None:
        self._territory, self._board, self._prospects = territory, board, prospects
        self._bests: dict[str, tuple[tuple[object, ...] | None, Test | None]] = {}
        self.barred: set[Place | None] = set()
        """Where the agent says that it cannot be asked, or has nothing more to tell."""

    def best(self, readings: Iterable[Reading]) -> Test | None:
        tests = [t for r in readings if (t := self.best_of(r)) is not None]
        return max(tests, key=lambda t: t.score, default=None)

    def best_of(self, reading: Reading) -> Test | None:
        """The action's best test, found anew only if more is known of it or more places are."""
        places = self._board.places(reading)
        mark = (reading, len(reading.dossier.precondition.failures), len(places), len(self.barred))
        if self._bests.get(reading.name, (None, None))[0] != mark:
            tests = (self.test(reading, p, self._territory.distance(p.state)) for p in places)
            best = max((t for t in tests if t is not None), key=lambda t: t.score, default=None)
            self._bests[reading.name] = mark, best
        return self._bests[reading.name][1]

    def test(self, reading: Reading, place: Place, distance: int) -> Test | None:
        """What doing the action there promises; None if nothing is left to be told."""
        doubt = reading.doubt(place.valuation, place.shared)
        if doubt is None or place in self.barred:
            return None
        chance = self._prospects.chance(reading, place.valuation, doubt)
        length = (2 + distance) ** (0.5 if reading.ran else 0.1)
        score = self._prospects.gain(reading, doubt, chance) / length
        return Test(score, chance, reading, place)
