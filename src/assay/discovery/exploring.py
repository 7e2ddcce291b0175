"""Which abstract states are worth knowing: a search for novelty from the agent's start states.

Millions of states differ only in where things stand. A state is *novel* when two facts hold in it together for
the first time: first among those that say what has been achieved (which things exist, what is held, what is
done) together with one other fact; then pairs of places. States of the first kind are expanded first, so the
search gets to the end of a game before it has seen every arrangement on the way (this is the idea of
width-based search). It is bounded, and says whether it ran to the end: only then "this never happens" is proved.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import combinations

from assay.core.reach import Low
from assay.core.universe import indices
from assay.discovery.atlas import Atlas, Region

MANY = 9
"""A type with so many objects is one of places: where a thing is, is not an achievement."""


@dataclass(slots=True)
class Exploration:
    regions: list[Region]
    exhausted: bool
    """Whether everything that can be reached from the starts was seen."""


class _Novelty:
    def __init__(self, atlas: Atlas) -> None:
        universe, vocabulary = atlas.universe, atlas.universe.vocabulary
        counts: dict[str, int] = {}
        for thing in universe.objects:
            counts[thing.type] = counts.get(thing.type, 0) + 1
        self._atlas = atlas
        self._places = {o.name for o in universe.objects if counts[o.type] >= MANY}
        self._ignored = {p.name for p in vocabulary.predicates if p.name in atlas.static | atlas.derived}
        self._kinds: dict[int, tuple[bool, tuple[str, ...]]] = {}
        self._seen: set[tuple[object, int]] = set()
        self._pairs: set[tuple[object, int, int]] = set()

    def _kind(self, index: int) -> tuple[bool, tuple[str, ...]] | None:
        """Whether the fact says where something is, and what it says apart from that."""
        atom = self._atlas.universe.atom(index)
        if atom.predicate in self._ignored:
            return None
        if index not in self._kinds:
            apart = tuple(a for a in atom.args if a not in self._places)
            self._kinds[index] = len(apart) < len(atom.args), (atom.predicate, *apart)
        return self._kinds[index]

    def rank(self, bits: int) -> int | None:
        """0 or 1 for a new pair of the first or the second sort; None for nothing new."""
        achieved, places = [], []
        for index in indices(bits):
            if (kind := self._kind(index)) is not None:
                achieved.append(kind[1])
                if kind[0]:
                    places.append(index)
        flags = tuple(sorted(achieved))
        new = [(flags, index) for index in places if (flags, index) not in self._seen]
        if not places and (flags, -1) not in self._seen:
            new = [(flags, -1)]
        self._seen.update(new)
        pairs = [(flags, a, b) for a, b in combinations(places, 2) if (flags, a, b) not in self._pairs]
        self._pairs.update(pairs)
        return 0 if new else 1 if pairs else None


def explore(atlas: Atlas, starts: list[Low], limit: int) -> Exploration:
    """Regions around the start states, novel ones first, up to a limit for each start."""
    found: dict[int, Region] = {}
    exhausted = True
    for start in starts:
        novelty, ranks = _Novelty(atlas), (deque([start]), deque[Low]())
        pruned: deque[Low] = deque()
        queued = {atlas.bits(start)}
        novelty.rank(atlas.bits(start))
        count = 0
        while count < limit and (queue := next((q for q in (*ranks, pruned) if q), None)):
            region = atlas.region(queue.popleft())
            found.setdefault(region.bits, region)
            count += 1
            for bits, ways in region.ways.items():
                if bits not in queued:
                    queued.add(bits)
                    rank = novelty.rank(bits)
                    (pruned if rank is None else ranks[rank]).append(ways[0].after)
        exhausted = exhausted and not any((*ranks, pruned))
    return Exploration(list(found.values()), exhausted)
