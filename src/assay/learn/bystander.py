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
        if (yield from _same(prober, own, rest, (kind, ways[-1]), same)):
            return Quantified(kind, core, facts & core)
        low, high = 0, len(loose)
        while high - low > 1:
            middle = (low + high) // 2
            if (yield from _same(prober, own, rest, (kind, ways[middle]), same)):
                low = middle
            else:
                high = middle
        core |= 1 << loose[high - 1]


def _same(
    prober: Prober, own: int, rest: tuple[Profile, ...], profile: Profile, same: Judge
) -> Generator[Batch, Answers, bool]:
    """Impossible counts as the same: the fact is then not part of what is needed."""
    example = yield from prober.ask_alone(own, (*rest, profile))
    return example is None or same(example)
