"""Other objects: which part of an object's profile lets an action run, forbids it, or changes what it does.

Each procedure walks from the profile to its opposite, fact by fact, and halves the way, so that a part of k facts
of w costs about k log2(w) questions. The part found becomes a quantified feature.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from assay.learn.evidence import Example
from assay.learn.features import Profile, Quantified
from assay.learn.probe import Answers, Batch, Prober

Found = Generator[Batch, Answers, Quantified]
Judge = Callable[[Example], bool]


def needed_profile(prober: Prober, own: int, rest: tuple[Profile, ...], profile: Profile) -> Found:
    """The least part of the profile with which the action runs, the other objects being the rest."""
    return (yield from least_part(prober, own, rest, profile, lambda example: example.ran))


def harmful_profile(prober: Prober, own: int, rest: tuple[Profile, ...], profile: Profile) -> Found:
    """The least part of the profile with which the action is refused."""
    return (yield from least_part(prober, own, rest, profile, lambda example: not example.ran))


def find_harmful(
    prober: Prober, own: int, needed: tuple[Profile, ...], around: frozenset[Profile]
) -> Generator[Batch, Answers, int | None]:
    """The number of the feature that forbids what runs with the needed objects alone; None if it cannot be seen."""
    extra = [p for p in sorted(around) if p not in needed]
    points = [(own, (*needed, *extra[:n])) for n in range(len(extra) + 1)]
    last = yield from prober.ask_alone(*points[-1])
    if last is None or last.ran:
        return None
    low, high = yield from prober.change_between(points)
    if high != low + 1:
        return None
    feature = yield from harmful_profile(prober, own, points[low][1], extra[low])
    return prober.hypothesis.add_feature(feature)


def find_needed(
    prober: Prober, own: int, around: frozenset[Profile]
) -> Generator[Batch, Answers, tuple[Profile, ...]]:
    """The other objects that a run cannot do without, each with a quantified feature."""
    left = sorted(around)
    needed: list[Profile] = []
    while left:
        bare = yield from prober.ask_alone(own, needed)
        if bare is None or bare.ran:
            break
        points = [(own, (*needed, *left[:n])) for n in range(len(left), -1, -1)]
        _, high = yield from prober.change_between(points)
        # with the first n objects it runs, with one less it does not: the n-th is needed
        place = len(left) - high
        needed.append(left[place])
        left = left[:place]
    hypothesis = prober.hypothesis
    for number, profile in enumerate(needed):
        if not any(f.fits(profile) for f in hypothesis.quantified):
            rest = tuple(needed[:number] + needed[number + 1 :])
            hypothesis.add_feature((yield from needed_profile(prober, own, rest, profile)))
    return tuple(needed)


def least_part(prober: Prober, own: int, rest: tuple[Profile, ...], profile: Profile, same: Judge) -> Found:
    """The least part of the profile with which the outcome stays the same.

    Facts outside the part found so far are turned round, in order, until the outcome changes; the fact that
    changed it belongs to the part.
    """
    kind, facts = profile
    order = list(range(len(prober.hypothesis.features.profiles[kind])))
    prober.rng.shuffle(order)
    core = 0
    while True:
        loose = [place for place in order if not core >> place & 1]
        ways = [facts]
        for place in loose:
            ways.append(ways[-1] ^ 1 << place)
        if not loose or (yield from _same(prober, own, rest, (kind, ways[-1]), same)):
            found = prober.hypothesis.features.quantified(kind, core, facts & core)
            return (yield from _of_widest_type(prober, own, rest, found, same))
        low, high = 0, len(loose)
        while high - low > 1:
            middle = (low + high) // 2
            if (yield from _same(prober, own, rest, (kind, ways[middle]), same)):
                low = middle
            else:
                high = middle
        core |= 1 << loose[high - 1]


def _of_widest_type(
    prober: Prober, own: int, rest: tuple[Profile, ...], feature: Quantified, same: Judge
) -> Found:
    """The feature of the highest type whose objects make the same difference."""
    for lifted in prober.hypothesis.features.lifted(feature):
        example = yield from prober.ask_alone(own, (*rest, prober.random_profile(*lifted[:3])))
        if example is not None and same(example):
            return (yield from _of_widest_type(prober, own, rest, lifted, same))
    return feature


def _same(
    prober: Prober, own: int, rest: tuple[Profile, ...], profile: Profile, same: Judge
) -> Generator[Batch, Answers, bool]:
    """Impossible counts as the same: the fact is then not part of what is needed."""
    example = yield from prober.ask_alone(own, (*rest, profile))
    return example is None or same(example)
