"""What one question says about an atom that several of its steps, or several slots of one, may have changed.

Only the values before the first and after the last step are observed. In between, the atom's value
follows from the effects of the steps so far, some still unknown. `History.explain` tries every
assignment of the modes still possible and keeps those that end where the agent ended: what all of them
agree on is known. With many undecided actions it falls back on a forward-backward pass that treats every
step by itself, which concludes less but never something false. Several slots of a step stand for one atom
where two arguments are the same object or one is a constant; an add then beats a delete.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

JOINT = 5
"""Undecided slots up to which all assignments are tried together (3^5 at most)."""

Slot = tuple[str, int]
"""An effect slot: action and atom number."""


@dataclass(frozen=True, slots=True)
class Explanation:
    modes: dict[Slot, str]
    """What each undecided slot may still be."""
    before: tuple[int | None, ...]
    """The atom's value before each step, where it is certain."""


@dataclass(frozen=True, slots=True)
class History:
    entry: int
    initial: int
    touches: tuple[tuple[Slot, ...], ...]
    """For each step that may have changed it, the slots that stand for it."""
    final: int

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(dict.fromkeys(slot for touch in self.touches for slot in touch))

    def explain(
        self, modes_of: Callable[[Slot], str], holds: Callable[[Slot], int | None]
    ) -> Explanation | None:
        """The conclusions, or None if no assignment fits; `holds` is the value a slot's action must find."""
        possible = {slot: modes_of(slot) for slot in self.slots}
        undecided = [slot for slot, modes in possible.items() if len(modes) > 1]
        if len(undecided) > JOINT:
            return self._one_by_one(possible, holds)
        fits: list[tuple[dict[Slot, str], tuple[int, ...]]] = []
        for choice in product(*(possible[slot] for slot in undecided)):
            assignment = possible | dict(zip(undecided, choice, strict=True))
            if (values := self.simulate(assignment, holds)) is not None:
                fits.append((assignment, values))
        if not fits:
            return None
        return Explanation(
            {
                slot: "".join(mode for mode in possible[slot] if any(a[slot] == mode for a, _ in fits))
                for slot in undecided
            },
            tuple(
                values.pop() if len(values) == 1 else None
                for values in ({v[place] for _, v in fits} for place in range(len(self.touches)))
            ),
        )

    def simulate(
        self, assignment: Mapping[Slot, str], holds: Callable[[Slot], int | None]
    ) -> tuple[int, ...] | None:
        """The atom's value before each step if every slot does this; None if it then ends otherwise."""
        value, values = self.initial, []
        for touch in self.touches:
            if any(holds(slot) not in (None, value) for slot in touch):
                return None
            values.append(value)
            value = _apply([assignment[slot] for slot in touch], value)
        return tuple(values) if value == self.final else None

    def _one_by_one(
        self, possible: dict[Slot, str], holds: Callable[[Slot], int | None]
    ) -> Explanation | None:
        forward: list[set[int]] = [{self.initial}]
        for touch in self.touches:
            forward[-1] &= {needed for slot in touch if (needed := holds(slot)) is not None} or {0, 1}
            ways = list(product(*(possible[slot] for slot in touch)))
            forward.append({_apply(modes, value) for value in forward[-1] for modes in ways})
        backward: list[set[int]] = [set() for _ in self.touches] + [forward[-1] & {self.final}]
        kept = dict(possible)
        for place in reversed(range(len(self.touches))):
            touch = self.touches[place]
            fits = [
                (value, modes)
                for value in forward[place]
                for modes in product(*(kept[slot] for slot in touch))
                if _apply(modes, value) in backward[place + 1]
            ]
            backward[place] = {value for value, _ in fits}
            for number, slot in enumerate(touch):
                kept[slot] = "".join(m for m in kept[slot] if any(modes[number] == m for _, modes in fits))
        if not all(backward):
            return None
        return Explanation(
            {slot: modes for slot, modes in kept.items() if len(possible[slot]) > 1},
            tuple(next(iter(v)) if len(v) == 1 else None for v in backward[:-1]),
        )


def _apply(modes: Sequence[str], value: int) -> int:
    return 1 if "+" in modes else 0 if "-" in modes else value
