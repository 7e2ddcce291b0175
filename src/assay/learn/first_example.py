"""A first run of an action: everything true, what the agent offers, else samples from a version space.

The version space is that of conjunctions: each particle is a random conjunction that explains every refusal so far.
The next probe is the one that satisfies most of their weight, found by hill climbing. One more bit says whether
other objects are around.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence

from assay.learn.probe import CROWD, Answers, Batch, Impossible, Probe, Prober, Steps

TRIES = 300
"""Refused tries after which an action counts as never run. A random try meets a given conjunction of eight
literals, longer than any in the benchmarks with a negative majority, once in 256."""
PARTICLES = 80
STARTS = 4


def first_example(prober: Prober, offered: Sequence[int]) -> Steps:
    """Asks until something ran, or TRIES times. More may be offered while it asks."""
    hypothesis = prober.hypothesis
    width = hypothesis.features.width
    refused: list[int] = [e.point.own | bool(e.point.others) << width for e in hypothesis.evidence.refusals]
    seen: set[int] = set()
    row = (1 << width + 1) - 1
    tries = 0
    while not any(e.ran for e in hypothesis.evidence.examples) and tries < TRIES:
        crowded = bool(row >> width & 1)
        others = (prober.surroundings(0, CROWD) if crowded else ()) or ()
        probe = Probe(row & hypothesis.own_mask, others, alone=not crowded)
        answers = yield Batch([probe], ordered=True)
        if 0 not in answers:
            continue
        tries += 1
        if isinstance(answers[0], Impossible) and not offered:
            tries += yield from _grow(prober, refused)
        elif isinstance(answers[0], Impossible) or not answers[0].ran:
            refused.append(row)
        pool = [own for own in dict.fromkeys(offered) if own not in seen]
        row = _next(prober, refused, pool, width) if tries > 1 or pool else (1 << width) - 1
        seen.add(row & hypothesis.own_mask)


def _grow(prober: Prober, refused: list[int]) -> Generator[Batch, Answers, int]:
    """A situation that is possible and as full as can be: facts are added, half of the rest at a time.

    For agents whose worlds exclude most situations. Every situation on the way is a try; returns their number.
    """
    hypothesis = prober.hypothesis
    todo = [list(range(hypothesis.features.width))]
    prober.rng.shuffle(todo[0])
    own = tries = 0
    while todo:
        group = todo.pop()
        more = sum(1 << place for place in group)
        example = yield from prober.ask_alone(own | more)
        tries += 1
        if example is not None and example.ran:
            return tries
        if example is not None:
            own |= more
            refused.append(own)
        elif len(group) > 1:
            half = len(group) // 2
            todo += [group[half:], group[:half]]
    return tries


def _next(prober: Prober, refused: list[int], pool: list[int], width: int) -> int:
    """The row that satisfies most of the version space; among those offered, if any are left."""
    particles = [p for _ in range(PARTICLES) if (p := particle(prober.rng, refused, width + 1)) is not None]

    def weight(row: int) -> float:
        return sum(w for mask, value, w in particles if row & mask == value)

    if pool:
        best = max(range(len(pool)), key=lambda n: (weight(pool[n]), -n))
        return pool[best] | prober.rng.getrandbits(1) << width
    rng, best_row, best_weight = prober.rng, prober.rng.getrandbits(width + 1), 0.0
    for start in range(STARTS):
        row = rng.getrandbits(width + 1)
        if start % 2 == 0:
            row = _majority(particles, row, width)
        here = weight(row)
        for place in rng.sample(range(width + 1), width + 1):
            there = weight(row ^ 1 << place)
            if there > here:
                row, here = row ^ 1 << place, there
        if here > best_weight:
            best_row, best_weight = row, here
    return best_row


Particle = tuple[int, int, float]


def particle(rng: random.Random, refused: Sequence[int], places: int) -> Particle | None:
    """A random conjunction, lengthened until it is false at every refusal; shorter ones weigh more."""
    mask = value = 0
    for place in range(places):
        luck = rng.random() * max(8, places - 1)
        if luck < 1.5:
            mask, value = mask | 1 << place, value | 1 << place
        elif luck < 2:
            mask |= 1 << place
    for row in rng.sample(refused, len(refused)):
        if row & mask != value:
            continue
        free = [place for place in range(places) if not mask >> place & 1]
        if not free:
            return None
        place = rng.choices(free, [1 if row >> p & 1 else 3 for p in free])[0]
        mask, value = mask | 1 << place, value | ~row & 1 << place
    return mask, value, 0.5 ** mask.bit_count()


def _majority(particles: list[Particle], row: int, width: int) -> int:
    for place in range(width + 1):
        votes = sum((w if value >> place & 1 else -w) for mask, value, w in particles if mask >> place & 1)
        if votes:
            row = row | 1 << place if votes > 0 else row & ~(1 << place)
    return row
