"""A refusal where a term says run: which fact is to blame?

The difference between the refusal and the nearest run of the term is halved until two neighbours are left, one that
runs and one that does not; what distinguishes them joins the term. First it is decided whether the other objects
matter at all: with nothing around but what the term needs, is it still refused, and does the run still run?
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from assay.learn.bystander import harmful_profile, needed_profile
from assay.learn.dnf import Term, bits
from assay.learn.evidence import Example, Point
from assay.learn.features import Profile
from assay.learn.probe import Answers, Batch, Prober

Verdict = Generator[Batch, Answers, str | None]
Place = tuple[int, tuple[Profile, ...]]


def blame(prober: Prober, refusal: Example) -> Verdict:
    """Narrows the term that foretold a run. Returns why nothing can be blamed, if so."""
    hypothesis = prober.hypothesis
    row = hypothesis.row(refusal)
    term = next(t for t in hypothesis.terms if row & t[0] == t[1])
    runs = [e for e in hypothesis.evidence.runs if hypothesis.row(e) & term[0] == term[1]]
    if not runs:
        hypothesis.terms.remove(term)
        return None
    run = min(runs, key=lambda e: _distance(e.point, refusal.point))
    neighbours = yield from _neighbours(prober, term, run.point, refusal.point)
    if neighbours is None:
        return "its answers about one and the same situation differ"
    (run_own, run_others), (refused_own, refused_others) = neighbours
    before = hypothesis.row_of(run_own, run_others)
    after = hypothesis.row_of(refused_own, refused_others)
    if before == after:
        yield from _introduce(prober, neighbours)
        before = hypothesis.row_of(run_own, run_others)
        after = hypothesis.row_of(refused_own, refused_others)
        if before == after:
            return "a refusal that no feature explains"
    # among several facts that differ, one that holds in the run: what is needed is mostly that something holds
    place = max(bits(before ^ after), key=lambda p: (before >> p & 1, -p))
    hypothesis.terms = [t for t in hypothesis.terms if t != term]
    hypothesis.terms.append((term[0] | 1 << place, term[1] | before & 1 << place))
    return None


def _distance(first: Point, second: Point) -> tuple[int, int]:
    return (first.own ^ second.own).bit_count(), len(first.others ^ second.others)


def _neighbours(
    prober: Prober, term: Term, run: Point, refusal: Point
) -> Generator[Batch, Answers, tuple[Place, Place] | None]:
    """Two situations next to each other, the first of which runs and the second of which is refused."""
    needed = _what_the_term_needs(prober, term, refusal.others)
    bare = yield from prober.ask_alone(refusal.own, needed)
    if bare is not None and bare.ran:
        return (yield from _halve(prober, way_between(refusal.own, bare.point.others, refusal.others)))
    start: Place = (run.own, needed)
    if set(needed) != run.others:
        again = yield from prober.ask_alone(*start)
        if again is None or not again.ran:
            its = _what_the_term_needs(prober, term, run.others)
            around = [p for p in sorted(run.others) if p not in its]
            points = [(run.own, (*its, *around[:n])) for n in range(len(around), -1, -1)]
            last = yield from prober.ask_alone(*points[-1])
            if last is not None and not last.ran:
                return (yield from _halve(prober, points))
            start = points[-1]
    own, way = start[0], [start]
    for place in bits(start[0] ^ refusal.own):
        own ^= 1 << place
        way.append((own, start[1]))
    for number in range(1, len(needed) + 1):
        if start[1] != needed:
            way.append((own, (*needed[:number], *start[1][number:])))
    return (yield from _halve(prober, way))


def way_between(own: int, first: frozenset[Profile], last: frozenset[Profile]) -> list[Place]:
    """From the objects around one situation to those around another: first all are added, then some taken away."""
    way, around = [(own, tuple(sorted(first)))], set(first)
    for profile in sorted(last - first):
        around.add(profile)
        way.append((own, tuple(sorted(around))))
    for profile in sorted(first - last):
        around.remove(profile)
        way.append((own, tuple(sorted(around))))
    return way


def _halve(prober: Prober, points: Sequence[Place]) -> Generator[Batch, Answers, tuple[Place, Place] | None]:
    if len(points) < 2:
        return None
    last = yield from prober.ask_alone(*points[-1])
    if last is not None and last.ran:
        return None
    low, high = yield from prober.change_between(points)
    return points[low], points[high]


def _what_the_term_needs(prober: Prober, term: Term, others: frozenset[Profile]) -> tuple[Profile, ...]:
    """One object for each quantified feature that the term requires."""
    hypothesis = prober.hypothesis
    found: list[Profile] = []
    for number, feature in enumerate(hypothesis.quantified):
        if term[1] >> (hypothesis.features.width + number) & 1 and not any(map(feature.fits, found)):
            found += [p for p in sorted(others) if feature.fits(p)][:1]
    return tuple(found)


def _introduce(prober: Prober, neighbours: tuple[Place, Place]) -> Generator[Batch, Answers, None]:
    """The neighbours differ in one other object: which part of its profile makes the difference?"""
    (own, with_it), (refused_own, without) = neighbours
    extra = [p for p in without if p not in with_it]
    if extra:
        feature = yield from harmful_profile(
            prober, refused_own, tuple(p for p in without if p != extra[-1]), extra[-1]
        )
        prober.hypothesis.add_feature(feature)
        return
    lost = [p for p in with_it if p not in without]
    if lost:
        rest = tuple(p for p in with_it if p != lost[-1])
        prober.hypothesis.add_feature((yield from needed_profile(prober, own, rest, lost[-1])))
