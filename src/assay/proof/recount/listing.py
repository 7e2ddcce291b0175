"""Patterns that are listed as not realised: each excuses all patterns that contain it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from assay.proof.recount.features import Cube, single


class Listing:
    """Patterns of one term and one V that are listed as not realised; each excuses all that contain it."""

    def __init__(self, cubes: Iterable[Cube]) -> None:
        self.cubes = tuple(cubes)
        self._whole: set[Cube] = set()
        self._last: dict[Cube, tuple[int, int]] = {}
        """What excuses a prefix if one more feature is false, or true."""
        for cube in self.cubes:
            self._whole.add(cube)
            for bit in single(cube.named):
                rest = Cube(cube.named & ~bit, cube.true & ~bit)
                false, true = self._last.get(rest, (0, 0))
                self._last[rest] = (false | bit & ~cube.true, true | bit & cube.true)

    def excused(self, prefix: Cube) -> tuple[int, int]:
        """The features that, false or true beside this prefix, are excused; -1 for all."""
        if not self.cubes:
            return 0, 0
        false = true = 0
        bits = list(single(prefix.named))
        for size in range(len(bits) + 1):
            for chosen in combinations(bits, size):
                named = sum(chosen)
                part = Cube(named, prefix.true & named)
                if part in self._whole:
                    return -1, -1
                more = self._last.get(part, (0, 0))
                false, true = false | more[0], true | more[1]
        return false, true


NOT_LISTED = Listing(())
