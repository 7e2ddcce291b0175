"""Which patterns of t features a row shows, as one integer with a bit per pattern.

Patterns are laid out so that those among the features above any one come first; a set of (t + 1)-patterns
is then the sets of t-patterns, each shifted to the block of one more feature. The union of such integers is
coverage, and `needed & ~shown` is what is missing.
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=64)
def _blocks(width: int, strength: int) -> tuple[tuple[int, int], ...]:
    """For each feature, how many patterns there are above it, and where its own block begins."""
    if strength == 0:
        return tuple((1, 0) for _ in range(width))
    sizes = [_above(width, strength - 1, feature) for feature in range(width)]
    return tuple((sizes[feature], sum(2 * s for s in sizes[feature + 1 :])) for feature in range(width))


@lru_cache(maxsize=4096)
def _above(width: int, strength: int, feature: int) -> int:
    """How many patterns of the strength there are among the features above this one."""
    if strength == 0:
        return 1
    return sum(2 * _above(width, strength - 1, f) for f in range(feature + 1, width))


def pattern_count(width: int, strength: int) -> int:
    return _above(width, min(strength, width), -1)


def patterns(row: int, width: int, strength: int) -> int:
    """The patterns of so many features that the row shows; one bit if none are asked for."""
    found = 1
    for size in range(1, min(strength, width) + 1):
        joined = 0
        for feature, (count, base) in enumerate(_blocks(width, size)):
            if count:
                joined |= (found & ((1 << count) - 1)) << base + (row >> feature & 1) * count
        found = joined
    return found
