"""Probes: single steps that a learner wants to see tried, and the small procedures that are made of them.

A probe says which facts hold of the arguments and which other objects are around. It is *packed* with others into
one question unless it is `alone`; then the question holds nothing else. What was really around a packed probe is
read from the question afterwards, so packing changes costs and never evidence.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field

from assay.learn.covering import covering_array
from assay.learn.evidence import Example, Point
from assay.learn.features import Profile
from assay.learn.hypothesis import Hypothesis


@dataclass(frozen=True, slots=True)
class Probe:
    own: int
    others: tuple[Profile, ...] = ()
    """Objects to place around the step."""
    expect: bool | None = None
    """Whether it is foretold to run; None if nothing is foretold."""
    free: int = 0
    """Shared facts that may be as they come."""
    alone: bool = False
    quantified: int | None = None
    """The values that all quantified features must have, if they matter."""
    crowd: bool = False
    """Whether every two facts are true of some object among the others."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Probes wanted next. The learner is resumed when all are answered, or one against what was foretold."""

    probes: Sequence[Probe]
    ordered: bool = False
    """Each is wanted only if those before it ran; the learner is resumed at the first refusal."""


@dataclass(frozen=True, slots=True)
class Impossible:
    """The agent's world has no such state, or too few objects for it."""


Answers = Mapping[int, Example | Impossible]
"""By the number of the probe in its batch."""
Steps = Generator[Batch, Answers, None]

BARE, FEW, CROWD, ALIKE = "bare", "few", "crowd", "alike"
"""Nothing around but what is asked for; one to three random objects; every two facts true of some other object;
residents of which everything holds, so that no other object lacks a fact."""


@dataclass(slots=True)
class Prober:
    """A hypothesis, a source of chance, and what the agent's world always holds."""

    hypothesis: Hypothesis
    rng: random.Random
    residents: Mapping[str, int] = field(default_factory=dict)
    """How many objects of each type are there in any question."""
    answered: dict[Point, Example | Impossible] = field(default_factory=dict)
    """Probes that were asked alone, by the point that was wanted."""
    possible: int = 0
    impossible: int = 0
    """How many probes the agent took, and how many it called impossible."""

    @property
    def cautious(self) -> bool:
        """Whether random situations are mostly impossible: then those that are known are changed a little."""
        return self.impossible >= 8 and self.impossible > 3 * self.possible

    # ---- surroundings

    def random_profile(self, type_name: str, mask: int = 0, value: int = 0) -> Profile:
        width = len(self.hypothesis.features.profiles[type_name])
        return type_name, (self.rng.getrandbits(width) if width else 0) & ~mask | value

    def surroundings(self, row: int, style: str = BARE) -> tuple[Profile, ...] | None:
        """Other objects that give the quantified features the row's values, and more as the style says."""
        hypothesis = self.hypothesis
        wanted = row >> hypothesis.features.width
        unwanted = [f for n, f in enumerate(hypothesis.quantified) if not wanted >> n & 1]

        def allowed(profile: Profile) -> bool:
            return not any(f.fits(profile) for f in unwanted)

        found: list[Profile] = []
        for number, feature in enumerate(hypothesis.quantified):
            if wanted >> number & 1 and not any(map(feature.fits, found)):
                for _ in range(DRAWS):
                    profile = self.random_profile(*feature[:3])
                    if allowed(profile):
                        found.append(profile)
                        break
                else:
                    return None
        kinds = hypothesis.features.others
        if style == FEW and kinds:
            drawn = [self.random_profile(self.rng.choice(kinds)) for _ in range(self.rng.randint(1, 3))]
            found += filter(allowed, drawn)
        if style == CROWD:
            for kind in kinds:
                width = len(hypothesis.features.profiles[kind])
                crowd = [(kind, facts) for facts in covering_array(width, 2, self.rng)]
                found += filter(allowed, crowd)
        if style == ALIKE:
            for kind, number in self.residents.items():
                full = (kind, (1 << len(hypothesis.features.profiles[kind])) - 1)
                found += [full] * number if allowed(full) else []
        return (*found, *self._disguised(found, allowed))

    def _disguised(self, found: Sequence[Profile], allowed: object) -> list[Profile]:
        """Residents of which nothing holds may themselves be unwanted: they get facts that are not."""
        assert callable(allowed)
        more: list[Profile] = []
        for kind, number in self.residents.items():
            if not number or allowed((kind, 0)):
                continue
            placed = sum(1 for type_name, _ in found if type_name == kind)
            for _ in range(number - placed):
                drawn = (self.random_profile(kind) for _ in range(DRAWS))
                profile = next(filter(allowed, drawn), None)
                if profile is not None:
                    more.append(profile)
        return more

    def probe(self, row: int, style: str, expect: bool | None, *, alone: bool = False) -> Probe | None:
        """A probe at a row over own facts and quantified features."""
        hypothesis = self.hypothesis
        others = self._anchored(row) if self.cautious else None
        if others is None:
            others = self.surroundings(row, style)
        if others is None:
            return None
        quantified = row >> hypothesis.features.width & ((1 << len(hypothesis.quantified)) - 1)
        return Probe(row & hypothesis.own_mask, others, expect, 0, alone, quantified, style == CROWD)

    def _anchored(self, row: int) -> tuple[Profile, ...] | None:
        """The other objects of the run that is nearest to the row."""
        hypothesis = self.hypothesis
        quantified = row >> hypothesis.features.width
        near = [
            e
            for e in hypothesis.evidence.runs
            if hypothesis.row(e) >> hypothesis.features.width == quantified
        ]
        if not near:
            return None
        nearest = min(near, key=lambda e: (e.point.own ^ row & hypothesis.own_mask).bit_count())
        return tuple(sorted(nearest.point.others))

    # ---- procedures

    def ask_alone(
        self, own: int, others: Sequence[Profile] = ()
    ) -> Generator[Batch, Answers, Example | None]:
        """What comes of it with just these objects around; None if that is impossible.

        Residents are there in any case: those that are not among the objects wanted look like one of these.
        """
        wanted = Point(own, frozenset(others))
        while wanted not in self.answered:
            answers = yield Batch([Probe(own, self._with_residents(wanted.others), alone=True)], ordered=True)
            if 0 in answers:
                self.answered[wanted] = answers[0]
        found = self.answered[wanted]
        return None if isinstance(found, Impossible) else found

    def _with_residents(self, wanted: frozenset[Profile]) -> tuple[Profile, ...]:
        found = sorted(wanted)
        for kind, number in self.residents.items():
            its = [p for p in found if p[0] == kind]
            if its and (kind, 0) not in wanted:
                idle = number - len(its) - self.hypothesis.features.types.count(kind)
                found += [its[0]] * idle
        return tuple(found)

    def change_between(
        self, points: Sequence[tuple[int, tuple[Profile, ...]]]
    ) -> Generator[Batch, Answers, tuple[int, int]]:
        """Neighbours on the way of which the first runs and the second is refused, by halving.

        The first point is known to run and the last to be refused. Impossible points are passed over, so the
        neighbours may lie some way apart.
        """
        low, high = 0, len(points) - 1
        open_points = set(range(low + 1, high))
        while inside := sorted(
            (p for p in open_points if low < p < high), key=lambda p: abs(2 * p - low - high)
        ):
            middle = inside[0]
            open_points.remove(middle)
            example = yield from self.ask_alone(*points[middle])
            if example is not None and example.ran:
                low = middle
            elif example is not None:
                high = middle
        return low, high


DRAWS = 60
"""How often a random object is drawn until it has no unwanted feature; then the pattern counts as impossible."""
