"""Which abstract states are worth knowing: a search for novelty from the agent's start states.

Millions of states differ only in where things stand. What has been *achieved* in a state (which things there
are, what is held, what is done) is apart from that, and takes few values. The search expands next what has
been achieved least often so far, so it gets to the end of a game before it has seen every arrangement on the
way; among states with the same achievements, those come first in which something stands where it never stood
before (the idea of width-based search). It is bounded, and says whether it ran to the end: only then "this
never happens" is proved.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass

from assay.core.reach import Low
from assay.core.universe import indices
from assay.discovery.atlas import Atlas, Region

MANY = 9
"""A type with so many objects is one of places: where a thing is, is not an achievement."""

Achieved = tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class Exploration:
    regions: list[Region]
    exhausted: bool
    """Whether everything that can be reached from the starts was seen."""


class _Novelty:
    def __init__(self, atlas: Atlas) -> None:
        universe = atlas.universe
        counts: dict[str, int] = {}
        for thing in universe.objects:
            counts[thing.type] = counts.get(thing.type, 0) + 1
        self._universe = universe
        self._places = {o.name for o in universe.objects if counts[o.type] >= MANY}
        self._ignored = atlas.static | atlas.derived
        self._kinds: dict[int, tuple[bool, tuple[str, ...]]] = {}
        self._seen: dict[Achieved, set[int]] = {}

    def _kind(self, index: int) -> tuple[bool, tuple[str, ...]]:
        """Whether the fact says where something is, and what it says apart from that."""
        if index not in self._kinds:
            atom = self._universe.atom(index)
            apart = tuple(a for a in atom.args if a not in self._places)
            self._kinds[index] = len(apart) < len(atom.args), (atom.predicate, *apart)
        return self._kinds[index]

    def look(self, bits: int) -> tuple[Achieved, bool]:
        """What is achieved there, and whether something stands where it did not yet, with that achieved."""
        achieved, places = [], []
        for index in indices(bits & ~self._universe.mask(self._ignored)):
            somewhere, what = self._kind(index)
            achieved.append(what)
            if somewhere:
                places.append(index)
        flags = tuple(sorted(achieved))
        seen = self._seen.setdefault(flags, set())
        new = not seen.issuperset(places)
        seen.update(places)
        return flags, new


class _Frontier:
    """States to expand: what has been achieved least often first, and news before the rest."""

    def __init__(self) -> None:
        self._waiting: dict[Achieved, tuple[deque[Low], deque[Low]]] = {}
        self._expanded: Counter[Achieved] = Counter()

    def add(self, achieved: Achieved, new: bool, low: Low) -> None:
        queues = self._waiting.setdefault(achieved, (deque(), deque()))
        queues[not new].append(low)

    def take(self) -> Low | None:
        if not self._waiting:
            return None
        achieved = min(self._waiting, key=lambda a: (self._expanded[a], a))
        self._expanded[achieved] += 1
        queues = self._waiting[achieved]
        low = (queues[0] or queues[1]).popleft()
        if not any(queues):
            del self._waiting[achieved]
        return low


def explore(atlas: Atlas, starts: Sequence[Low], limits: Sequence[int]) -> Exploration:
    """Regions around the start states, up to a limit for each."""
    found: dict[int, Region] = {}
    exhausted = True
    for start, limit in zip(starts, limits, strict=True):
        novelty, frontier = _Novelty(atlas), _Frontier()
        queued = {atlas.bits(start)}
        frontier.add(*novelty.look(atlas.bits(start)), start)
        for _ in range(limit):
            if (low := frontier.take()) is None:
                break
            region = atlas.region(low)
            found.setdefault(region.bits, region)
            for bits, ways in region.ways.items():
                if bits not in queued:
                    queued.add(bits)
                    frontier.add(*novelty.look(bits), ways[0].after)
        exhausted = exhausted and frontier.take() is None
    return Exploration(list(found.values()), exhausted)
