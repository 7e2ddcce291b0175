"""Which abstract states are worth knowing: a search for novelty from the agent's start states.

Millions of states differ only in where things stand. What has been *achieved* in a state (which things there
are, what is held, what is done) is apart from that, and takes few values. The search expands next what has
been achieved least often so far, so it gets to the end of a game before it has seen every arrangement on the
way. Among states with the same achievements, those come first in which things are side by side that rarely
were (most of what can happen happens between neighbours), then those in which something stands where it never
stood before (the idea of width-based search). It is bounded, and says whether it ran to the end: only then
"this never happens" is proved.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from itertools import combinations

from assay.core.reach import Low
from assay.core.universe import indices
from assay.discovery.atlas import Atlas, Region

MANY = 9
"""A type with so many objects is one of places: where a thing is, is not an achievement."""

RARE = 20
"""Two things were rarely side by side if they were so in fewer situations, with the same achieved."""

What = tuple[str, ...]
Achieved = tuple[What, ...]


@dataclass(slots=True)
class Exploration:
    regions: list[Region]
    exhausted: bool
    """Whether everything that can be reached from the starts was seen."""


class _Novelty:
    """What is new in a situation, around one start: what no key changes is the same in all of them."""

    def __init__(self, atlas: Atlas, start: int) -> None:
        universe = atlas.universe
        counts: dict[str, int] = {}
        for thing in universe.objects:
            counts[thing.type] = counts.get(thing.type, 0) + 1
        self._universe = universe
        self._places = {o.name for o in universe.objects if counts[o.type] >= MANY}
        self._ignored = atlas.static | atlas.derived
        self._kinds: dict[int, tuple[str, What]] = {}
        self._seen: dict[Achieved, set[int]] = {}
        self._beside: dict[Achieved, Counter[tuple[What, What]]] = {}
        fixed = universe.atoms(start & universe.mask(atlas.static))
        self._related = {tuple(sorted(atom.args)) for atom in fixed if len(atom.args) == 2}

    def _kind(self, index: int) -> tuple[str, What]:
        """Where the fact says something is, if it does, and what it says apart from that."""
        if index not in self._kinds:
            predicate, args = self._universe.atom(index)
            apart = tuple(a for a in args if a not in self._places)
            place = next((a for a in args if a in self._places), "")
            self._kinds[index] = place, (predicate, *apart)
        return self._kinds[index]

    def look(self, bits: int) -> tuple[Achieved, int]:
        """What is achieved there, and how new it is with that achieved: 0 is newest."""
        facts = [(n, *self._kind(n)) for n in indices(bits & ~self._universe.mask(self._ignored))]
        achieved = tuple(sorted(what for _, _, what in facts))
        somewhere = {number for number, place, _ in facts if place}
        seen = self._seen.setdefault(achieved, set())
        counts = self._beside.setdefault(achieved, Counter())
        pairs = [
            (what, other)
            for (_, a, what), (_, b, other) in combinations(facts, 2)
            if ((a, b) if a < b else (b, a)) in self._related
        ]
        rank = 0 if any(counts[p] < RARE for p in pairs) else 1 if not seen.issuperset(somewhere) else 2
        counts.update(pairs)
        seen |= somewhere
        return achieved, rank


class _Frontier:
    """States to expand: what has been achieved least often first, and of that the newest."""

    def __init__(self) -> None:
        self._waiting: dict[Achieved, tuple[deque[Low], ...]] = {}
        self._expanded: Counter[Achieved] = Counter()

    def add(self, achieved: Achieved, rank: int, low: Low) -> None:
        queues = self._waiting.setdefault(achieved, (deque(), deque(), deque()))
        queues[rank].append(low)

    def take(self) -> Low | None:
        if not self._waiting:
            return None
        achieved = min(self._waiting, key=lambda a: (self._expanded[a], a))
        self._expanded[achieved] += 1
        queues = self._waiting[achieved]
        low = next(queue for queue in queues if queue).popleft()
        if not any(queues):
            del self._waiting[achieved]
        return low


def explore(atlas: Atlas, start: Low, limit: int) -> Exploration:
    """Regions around a start state, up to a limit."""
    found: dict[int, Region] = {}
    first = atlas.bits(start)
    novelty, frontier = _Novelty(atlas, first), _Frontier()
    queued = {first}
    frontier.add(*novelty.look(first), start)
    for _ in range(limit):
        if (low := frontier.take()) is None:
            break
        region = atlas.region(low)
        found.setdefault(region.bits, region)
        for bits, ways in region.ways.items():
            if bits not in queued:
                queued.add(bits)
                frontier.add(*novelty.look(bits), ways[0].after)
    return Exploration(list(found.values()), frontier.take() is None)
