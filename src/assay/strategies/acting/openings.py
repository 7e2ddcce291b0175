"""Facts that would tell some of the remaining models apart, and are not known to exclude each other.

A step tells something where one of the remaining models runs it and another does not, or both do with
different results. Every model needs what is proved; and for each refusal that is not explained yet one of
the literals that may explain it, so one of these must hold for the step to run at all. Such facts are looked
for one after the other, always with a view to what may still hold beside those chosen before: where nothing
is found for any step, no state can tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple, Protocol

from assay.core.symbols import Step
from assay.core.universe import Universe, bits_of, indices
from assay.planning.applicable import Facts
from assay.planning.pattern import Pattern
from assay.strategies.acting.readings import Reading
from assay.strategies.acting.sweep import Situation

MOST_STEPS = 20_000
"""Steps of an action that are looked at."""
ENOUGH = 3
"""Openings kept for one atom."""
PATIENCE = 100
"""Sets of facts looked at for one value of one atom of a step; after that it counts as an opening."""

Seen = frozenset[tuple[str, int, bool]]
"""Of an action that ran, slots that stood for one atom together, and whether that was true before: what they
come to together is known then."""


class Opening(NamedTuple):
    action: str
    atom: int
    """Of the action's atoms, the one that would be settled."""
    true: int
    false: int
    step: Step | None = None
    """With which it would be, if one was looked at."""


class Together(Protocol):
    """What may hold together in reachable states."""

    universe: Universe
    reached: int

    def together(self, true: int, false: int) -> tuple[int, int] | None: ...


def seen_together(situations: Iterable[Situation]) -> Seen:
    """What is known of slots that stood for one atom, from where the agent was seen to do something."""
    found: set[tuple[str, int, bool]] = set()
    for action, valuation, same in situations:
        slots: dict[int, int] = {}
        for n, first in enumerate(same):
            slots[first] = slots.get(first, 0) | 1 << n
        found.update((action, mask, bool(valuation & mask)) for mask in slots.values() if mask & mask - 1)
    return frozenset(found)


def find_openings(
    reading: Reading, facts: Together, free: Collection[str], seen: Seen, among: int = -1
) -> list[Opening]:
    """Facts under which the action may run and some atom has the value that tells, for every such atom."""
    doubtful = reading.may_true & ~reading.need_true, reading.may_false & ~reading.need_false
    in_doubt = among & (doubtful[0] | doubtful[1] | reading.add_or_keep | reading.delete_or_keep)
    if not in_doubt:
        return []
    count: Counter[int] = Counter()
    found: list[Opening] = []
    atoms = [reading.dossier.atoms[i] for i in indices(reading.need_true)]
    pattern = Pattern(facts.universe, reading.dossier.header, atoms, reading.name in free)
    steps = pattern.matches(Facts(facts.universe, facts.reached))
    for number, args in enumerate(steps):
        step = Step(reading.name, args)
        positions = facts.universe.positions(step)
        needed = bits_of(positions[i] for i in indices(reading.need_true))
        forbidden = bits_of(positions[i] for i in indices(reading.need_false))
        may = _possible(facts, positions, needed, forbidden)
        if may is None:
            continue
        hidden, saving = reading.overlap(positions)
        known = _known(reading.name, positions, seen)
        shown_false = reading.add_or_keep & ~hidden & ~known[0]
        shown_true = (reading.delete_or_keep & ~hidden | saving) & ~known[1]
        telling = (doubtful[0] | shown_false) & may[1], (doubtful[1] | shown_true) & may[0]
        wanted = [i for i in indices(in_doubt) if count[i] < ENOUGH]
        for i in wanted:
            for value in (True, False):
                if telling[value] >> i & 1:
                    true, false = needed, forbidden
                    if value:
                        true |= 1 << positions[i]
                    else:
                        false |= 1 << positions[i]
                    chosen = _Search(reading, facts, positions).complete(true, false)
                    if chosen is not None:
                        found.append(Opening(reading.name, i, *chosen, step))
                        count[i] += 1
        if not wanted or number == MOST_STEPS:
            break
    if next(steps, None) is not None:  # not all were looked at, so nothing is excluded
        found += [Opening(reading.name, i, 0, 0) for i in indices(in_doubt) if not count[i]]
    return found


def _known(action: str, positions: tuple[int, ...], seen: Seen) -> tuple[int, int]:
    """Slots of which it is known what becomes of the atom where it is false, and where it is true."""
    if len(set(positions)) == len(positions):
        return 0, 0
    slots: dict[int, int] = {}
    for n, place in enumerate(positions):
        slots[place] = slots.get(place, 0) | 1 << n
    false, true = (sum(m for m in slots.values() if (action, m, v) in seen) for v in (False, True))
    return false, true


def _possible(facts: Together, positions: tuple[int, ...], true: int, false: int) -> tuple[int, int] | None:
    """The slots whose atoms may be true beside these facts, and false; None if they exclude each other."""
    beside = facts.together(true, false)
    if beside is None:
        return None
    may_true, may_false = beside[0], beside[1] | ~facts.reached
    return (
        bits_of(n for n, place in enumerate(positions) if may_true >> place & 1),
        bits_of(n for n, place in enumerate(positions) if may_false >> place & 1),
    )


class _Search:
    """For facts beside some others that keep all earlier refusals from being repeated."""

    def __init__(self, reading: Reading, facts: Together, positions: tuple[int, ...]) -> None:
        self._clauses, self._facts, self._positions = reading.clauses, facts, positions
        self._looked = 0

    def complete(self, true: int, false: int) -> tuple[int, int] | None:
        """The facts with such others; None if there are none, or these exclude each other."""
        self._looked += 1
        if self._looked > PATIENCE:
            return true, false
        may = _possible(self._facts, self._positions, true, false)
        if may is None:
            return None
        ways: list[tuple[int, bool]] | None = None
        for need_true, need_false in self._clauses:
            if not (need_true & ~may[1] or need_false & ~may[0]):  # else one of them holds for sure
                others = [(self._positions[j], True) for j in indices(need_true & may[0])]
                others += [(self._positions[j], False) for j in indices(need_false & may[1])]
                if ways is None or len(others) < len(ways):
                    ways = others
        if ways is None:
            return true, false
        for place, value in ways:
            bit = 1 << place
            found = self.complete(true | bit, false) if value else self.complete(true, false | bit)
            if found is not None:
                return found
        return None
