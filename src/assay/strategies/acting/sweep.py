"""Looking at states one by one for a step that tells something.

What a step tells depends on the values of its own atoms alone, so for each step every valuation is looked
at once, however many states have it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from assay.core.symbols import Step
from assay.core.universe import Universe, bits_of, indices
from assay.planning.applicable import Facts
from assay.planning.filing import Filing
from assay.planning.pattern import Pattern
from assay.planning.stage import valuation
from assay.strategies.acting.readings import Reading

CLOSER = 30
"""What it costs to look closer at a step, in steps checked."""

Situation = tuple[str, int, tuple[int, ...]]
"""An action, the values of its atoms, and for each slot the first one that stands for the same atom."""


def situation(universe: Universe, step: Step, bits: int) -> Situation:
    """What the result of a step depends on."""
    positions = universe.positions(step)
    first: dict[int, int] = {}
    same = tuple([first.setdefault(p, n) for n, p in enumerate(positions)])
    return step.action, valuation(universe, step, bits), same


class _Entry:
    """A step that may run where what it needs is true and what it must not have is false."""

    __slots__ = ("doubtful", "forbidden", "needed", "reading", "step", "touched")

    def __init__(self, reading: Reading, step: Step, positions: tuple[int, ...]) -> None:
        self.reading, self.step, self.touched = reading, step, bits_of(positions)
        self.needed = bits_of(positions[i] for i in indices(reading.need_true))
        self.forbidden = bits_of(positions[i] for i in indices(reading.need_false))
        self.doubtful: dict[int, bool] = {}
        """Whether the answer is in doubt, by what is true of the step's atoms."""


class Sweep:
    """Goes through states for a step that tells something, until there is none in any of them."""

    def __init__(
        self,
        universe: Universe,
        atoms: int,
        states: Sequence[int],
        readings: Mapping[str, Reading],
        most: int,
        free: Collection[str],
    ) -> None:
        """Some states are given to judge by what is rare; nothing else is taken from them."""
        self._universe, self._looked = universe, 0
        self.complete = True
        """Whether every step is looked at."""
        self._entries: list[_Entry] = []
        facts, count = Facts(universe, atoms), 0
        for reading in readings.values():
            if reading.settled_but_for(0, 0):
                continue
            literals = [reading.dossier.atoms[i] for i in indices(reading.need_true)]
            pattern = Pattern(universe, reading.dossier.header, literals, reading.name in free)
            for args in pattern.matches(facts):
                count += 1
                if count > most:
                    self.complete = False
                    return
                step = Step(reading.name, args)
                entry = _Entry(reading, step, universe.positions(step))
                if not entry.needed & entry.forbidden:
                    self._entries.append(entry)
        self._filing = Filing([entry.needed for entry in self._entries], states)

    def pop_looked(self) -> int:
        """Steps checked since last asked."""
        looked, self._looked = self._looked, 0
        return looked

    def telling(
        self, bits: int, known: Mapping[Situation, int]
    ) -> tuple[Step | None, list[tuple[Step, int]]]:
        """A step that tells something there, if there is one.

        In a situation whose outcome is known nothing is told; then the steps with the state they lead to.
        """
        followed: list[tuple[Step, int]] = []
        for step in self.doubtful(bits):
            outcome = known.get(situation(self._universe, step, bits))
            if outcome is None:
                return step, followed
            positions = self._universe.positions(step)
            true = bits_of(positions[i] for i in indices(outcome))
            followed.append((step, bits & ~bits_of(positions) | true))
        return None, followed

    def doubtful(self, bits: int) -> Iterator[Step]:
        """Every step of which the answer there is in doubt."""
        numbers = sorted(self._filing.candidates(bits))
        self._looked += len(numbers)
        for number in numbers:
            entry = self._entries[number]
            if bits & entry.needed == entry.needed and not bits & entry.forbidden:
                doubtful = entry.doubtful.get(bits & entry.touched)
                if doubtful is None:
                    doubtful = entry.doubtful[bits & entry.touched] = self._is_doubtful(entry, bits)
                if doubtful:
                    yield entry.step

    def _is_doubtful(self, entry: _Entry, bits: int) -> bool:
        self._looked += CLOSER
        reading, positions = entry.reading, self._universe.positions(entry.step)
        overlap = reading.overlap(positions) if reading.ran else (0, 0)
        return reading.doubt(valuation(self._universe, entry.step, bits), *overlap) is not None

    def trials(self, states: Sequence[int], actions: Collection[str]) -> list[tuple[int, Step]]:
        """All ways to do actions that never ran: each step with the first state for every valuation."""
        found = []
        for entry in self._entries:
            if entry.step.action in actions:
                touched, first = entry.touched, dict[int, int]()
                for number, bits in enumerate(states):
                    first.setdefault(bits & touched, number)
                found += [(number, entry.step) for number in first.values()]
        return [(states[number], step) for number, step in sorted(found, key=lambda trial: trial[0])]
