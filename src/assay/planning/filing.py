"""Many conditions over the atoms of a state, filed so that only a few need be looked at in each state.

Each is filed under the one of its atoms that is true most seldom, going by some states; it can hold only
where that atom does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assay.core.universe import bits_of, indices

SAMPLE = 64
"""States from which it is judged how seldom an atom is true."""


class Filing:
    def __init__(self, needed: Sequence[int], states: Sequence[int]) -> None:
        """For each condition, the atoms that must be true."""
        often = Counter(i for bits in states[:: len(states) // SAMPLE + 1] for i in indices(bits))
        self._unfiled: list[int] = []
        self._files: dict[int, list[int]] = {}
        for number, atoms in enumerate(needed):
            if atoms:
                seldom = min(indices(atoms), key=lambda i: (often[i], i))
                self._files.setdefault(seldom, []).append(number)
            else:
                self._unfiled.append(number)
        self._keys = bits_of(self._files)

    def candidates(self, bits: int) -> list[int]:
        """The numbers of the conditions that may hold in the state; all others do not."""
        found = list(self._unfiled)
        for key in indices(bits & self._keys):
            found += self._files[key]
        return found
