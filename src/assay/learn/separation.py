"""Quantified features that tell apart situations which the features so far do not, and which turned out
differently."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from assay.learn.evidence import Example, Others
from assay.learn.features import Features, Quantified
from assay.learn.row_patterns import pattern_count, patterns

Pair = tuple[Example, Example]
LARGEST = 3
"""Literals about the other object."""
RIVALS = 6
"""Features that separate equally well, all kept until later answers tell them apart."""
MOST_PAIRS = 300


def separating(features: Features, pairs: Sequence[Pair]) -> list[Quantified]:
    """Features of fewest literals that separate all pairs, or else as many as one feature can; rivals
    included."""
    best: tuple[int, str, int, int] | None = None
    for size in range(1, LARGEST + 1):
        for kind in features.numbering.all_types:
            width = len(features.profiles[kind])
            if width < size:
                continue
            wanted, count = _common([_differing(pair, kind, width, size) for pair in pairs[:MOST_PAIRS]])
            if count and (best is None or count > best[0]):
                best = (count, kind, size, wanted)
        if best is not None and best[0] == len(pairs[:MOST_PAIRS]):
            break
    if best is None:
        return []
    _, kind, size, wanted = best
    return _named(features, kind, size, wanted)


def _differing(pair: Pair, kind: str, width: int, size: int) -> int:
    first, second = (_shown(example.point.others, kind, width, size) for example in pair)
    return first ^ second


def _shown(others: Others, kind: str, width: int, size: int) -> int:
    found = 0
    for its, facts in others:
        if its == kind:
            found |= patterns(facts, width, size)
    return found


def _common(sets: Sequence[int]) -> tuple[int, int]:
    """Patterns that are in as many of the sets as they come, and in how many."""
    wanted, count = -1, 0
    for one in sets:
        if wanted & one:
            wanted, count = wanted & one, count + 1
    return (wanted, count) if count else (0, 0)


def _named(features: Features, kind: str, size: int, wanted: int) -> list[Quantified]:
    width = len(features.profiles[kind])
    assert wanted < 1 << pattern_count(width, size)
    found: list[Quantified] = []
    for places in combinations(range(width), size):
        mask = sum(1 << p for p in places)
        for values in product((1, 0), repeat=size):
            value = sum(1 << p for p, bit in zip(places, values, strict=True) if bit)
            if _pattern(mask, value, width, size) & wanted:
                found.append(features.quantified(kind, mask, value))
    return sorted(found, key=lambda q: (-q.value.bit_count(), q.mask))[:RIVALS]


def _pattern(mask: int, value: int, width: int, size: int) -> int:
    """The one pattern that has these values at these places."""
    full = (1 << width) - 1
    return patterns(value, width, size) & patterns(value | full & ~mask, width, size)
