"""All ground steps of one action over the agent's own objects, and how a state looks to each of them.

States are bit masks of one universe. A step's own facts are kept for a reference state; another state is
read off from the facts in which it differs, so that a state costs what changed and not what there is.
Points are numbered; their numbers do not depend on any hypothesis.

Other objects are looked at only if their type is *watched*: profiles of hundreds of objects are dear, and
most actions do not mind them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from assay.core.symbols import Step
from assay.core.universe import Universe, indices
from assay.learn.dnf import bits
from assay.learn.evidence import Others, Point
from assay.learn.features import OTHER, Features, Profile

FEW_OBJECTS, FEW_OF_TYPE = 12, 4
"""Types are watched from the start in a world with so few objects, or if they have so few."""


class Neighbour:
    """Another object as one of a type, its own or one above, and where the facts of its profile stand."""

    __slots__ = ("_known", "kind", "mask", "own", "places")

    def __init__(self, kind: str, own: bool, places: tuple[int, ...]) -> None:
        self.kind, self.own, self.places = kind, own, places
        self.mask = sum(1 << p for p in set(places))
        self._known: dict[int, Profile] = {}

    def profile(self, state: int) -> Profile:
        seen = state & self.mask
        found = self._known.get(seen)
        if found is None:
            facts = sum((seen >> place & 1) << n for n, place in enumerate(self.places))
            found = self._known[seen] = self.kind, facts
        return found


class GroundSteps:
    def __init__(self, features: Features, universe: Universe, reference: int) -> None:
        self.features, self.universe = features, universe
        vocabulary = features.numbering.vocabulary
        constants = {c.name for c in vocabulary.constants}
        self._objects = [o for o in universe.objects if o.name in universe.own and o.name not in constants]
        self._kinds = {o.type: self._kinds_of(o.type) for o in self._objects}
        self.steps = list(self._enumerate())
        self.number = {step: n for n, step in enumerate(self.steps)}
        self._names = [self._distinct(step) for step in self.steps]
        self.places = [self._own_places(names) for names in self._names]
        self.mask = [sum(1 << p for p in set(places)) for places in self.places]
        self._around: list[list[Neighbour] | None] = [None] * len(self.steps)
        self._reference = reference
        self._index()
        self.watched = self._few()
        self._forget()

    # ---- steps

    def _enumerate(self) -> Iterator[Step]:
        features, vocabulary = self.features, self.features.numbering.vocabulary
        header = vocabulary.action[features.shape.action]
        wanted: dict[str, list[tuple[str, ...]]] = {}
        for parameter, leader in zip(header.parameters, features.shape.parameters, strict=True):
            wanted.setdefault(leader, []).append(parameter.types)
        choices = [
            [o.name for o in self._objects if all(vocabulary.fits(o.type, t) for t in wanted[p])]
            for p in features.parameters
        ]
        for names in product(*choices):
            if len(set(names)) == len(names):
                yield features.arguments(names)

    def _distinct(self, step: Step) -> tuple[str, ...]:
        of = dict(zip(self.features.shape.parameters, step.args, strict=True))
        return tuple(of[p] for p in self.features.parameters)

    def _own_places(self, names: Sequence[str]) -> tuple[int, ...]:
        binding = dict(zip(self.features.parameters, names, strict=True))
        return tuple(self.universe.index(atom.substitute(binding)) for atom in self.features.own)

    # ---- own facts

    def _index(self) -> None:
        """By the number of a fact in states, the steps whose own facts it is among; shared facts apart."""
        shared = self.features.shared
        self._users: dict[int, list[tuple[int, int]]] = {}
        self._shared: dict[int, int] = {}
        for number, places in enumerate(self.places):
            for own, place in enumerate(places):
                if shared >> own & 1:
                    self._shared[place] = 1 << own
                else:
                    self._users.setdefault(place, []).append((number, 1 << own))
        self._vectors = [0] * len(self.steps)
        for place in indices(self._reference):
            for number, bit in self._users.get(place, ()):
                self._vectors[number] |= bit
        self._groups: dict[int, list[int]] = {}
        for number, vector in enumerate(self._vectors):
            self._groups.setdefault(vector, []).append(number)

    def own(self, state: int, number: int) -> int:
        return sum((state >> place & 1) << own for own, place in enumerate(self.places[number]))

    def _by_own(self, state: int) -> dict[int, list[int]]:
        """The steps of a state by their own facts."""
        moved: dict[int, int] = {}
        for place in indices(state ^ self._reference):
            for number, bit in self._users.get(place, ()):
                moved[number] = moved.get(number, self._vectors[number]) ^ bit
        shared = sum(own for place, own in self._shared.items() if state >> place & 1)
        touched = {self._vectors[number] for number in moved}
        found: dict[int, list[int]] = {}
        for vector, numbers in self._groups.items():
            left = [n for n in numbers if n not in moved] if vector in touched else numbers
            if left:
                found[vector | shared] = left
        for number in sorted(moved):
            key = moved[number] | shared
            if key in found and found[key] is self._groups.get(moved[number]):
                found[key] = [*found[key]]
            found.setdefault(key, []).append(number)
        return found

    # ---- other objects

    def _few(self) -> frozenset[str]:
        counts: dict[str, int] = {}
        for thing in self._objects:
            counts[thing.type] = counts.get(thing.type, 0) + 1
        kinds = frozenset(kind for above in self._kinds.values() for kind in above)
        if len(self._objects) <= FEW_OBJECTS:
            return kinds
        return frozenset(
            k for k in kinds if sum(k in self._kinds[t] and c for t, c in counts.items()) <= FEW_OF_TYPE
        )

    @property
    def watches_all(self) -> bool:
        return all(self.watched.issuperset(above) for above in self._kinds.values())

    def watch_all(self) -> None:
        self.watched = frozenset(kind for above in self._kinds.values() for kind in above)
        self._forget()

    def _forget(self) -> None:
        self._points: dict[int, dict[int, list[int]]] = {}
        self.point: list[Point] = []
        self._pid: dict[Point, int] = {}
        self._bags: list[dict[int, Others]] = [{} for _ in self.steps]
        self._near: list[tuple[int, list[Neighbour]] | None] = [None] * len(self.steps)

    def around(self, number: int) -> list[Neighbour]:
        """All other objects, as a step sees them; once as of their own type, and once for each type above
        it."""
        found = self._around[number]
        if found is None:
            names = self._names[number]
            binding = dict(zip(self.features.parameters, names, strict=True))
            found = self._around[number] = [
                self._neighbour(o.name, kind, kind == o.type, binding)
                for o in self._objects
                if o.name not in names
                for kind in self._kinds[o.type]
            ]
        return found

    def _neighbour(self, name: str, kind: str, own: bool, binding: dict[str, str]) -> Neighbour:
        atoms, index = self.features.profiles[kind], self.universe.index
        return Neighbour(kind, own, tuple(index(a.substitute({**binding, OTHER: name})) for a in atoms))

    def _kinds_of(self, declared: str) -> list[str]:
        """The type and those above it of which anything can be said."""
        above = self.features.numbering.vocabulary.supertypes(declared)
        return [t for t in sorted(above | {declared}) if t == declared or self.features.profiles[t]]

    def others(self, state: int, number: int) -> Others:
        """The profiles of the watched objects."""
        near = self._near[number]
        if near is None:
            watched = [n for n in self.around(number) if n.kind in self.watched] if self.watched else []
            mask = 0
            for neighbour in watched:
                mask |= neighbour.mask
            near = self._near[number] = mask, watched
        mask, watched = near
        seen = state & mask
        found = self._bags[number].get(seen)
        if found is None:
            found = self._bags[number][seen] = frozenset([n.profile(seen) for n in watched])
        return found

    # ---- points

    def points(self, state: int) -> dict[int, list[int]]:
        """By the number of the point, the steps that are at it."""
        found = self._points.get(state)
        if found is None:
            found = {}
            for own, numbers in self._by_own(state).items():
                if not self.watched:
                    found[self._numbered(Point(own))] = numbers
                    continue
                for number in numbers:
                    pid = self._numbered(Point(own, self.others(state, number)))
                    found.setdefault(pid, []).append(number)
            self._points[state] = found
        return found

    def point_at(self, state: int, number: int) -> int:
        return self._numbered(Point(self.own(state, number), self.others(state, number)))

    def _numbered(self, point: Point) -> int:
        found = self._pid.get(point)
        if found is None:
            found = self._pid[point] = len(self.point)
            self.point.append(point)
        return found

    def turned(self, number: int, own: int) -> int:
        """These own facts, as facts of a state."""
        places, found = self.places[number], 0
        for place in bits(own):
            found |= 1 << places[place]
        return found
