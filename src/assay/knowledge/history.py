"""What one question says about an atom that several of its steps, or several slots of one, may have changed.

Only the values before the first and after the last step are observed. In between, the atom's value
follows from the effects of the steps so far, some still unknown. `History.explain` tries every
assignment of the modes still possible and keeps those that end where the agent ended: what all of them
agree on is known. With many undecided actions it falls back on a forward-backward pass that treats every
step by itself, which concludes less but never something false.

Several slots of a step stand for one atom where two arguments are the same object or one is a constant; an
add then beats a delete. What they once made of an atom together they make of it again, whichever of them
it was, so an explanation has to agree with what other questions have shown of that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

JOINT = 5
"""Undecided slots up to which all assignments are tried together (3^5 at most)."""

Slot = tuple[str, int]
"""An effect slot: action and atom number."""
Touch = tuple[Slot, ...]
"""The slots of one step that stand for the atom."""


@dataclass(frozen=True, slots=True)
class Known:
    """What explanations go by."""

    modes: Callable[[Slot], str]
    """What a slot may do, as a subset of "+-0"."""
    needs: Callable[[Slot], int | None]
    """The value that the slot's action must find, if it must."""
    result: Callable[[Touch, int], int | None]
    """The value after several slots together, given the one before, if that was seen."""


@dataclass(frozen=True, slots=True)
class Explanation:
    modes: dict[Slot, str]
    """What each undecided slot may still be."""
    values: tuple[int | None, ...]
    """The atom's value before each step, and in the end, where it is certain."""


@dataclass(frozen=True, slots=True)
class History:
    entry: int
    initial: int
    touches: tuple[Touch, ...]
    """For each step that may have changed it, the slots that stand for it."""
    final: int

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(dict.fromkeys(slot for touch in self.touches for slot in touch))

    def explain(self, known: Known) -> Explanation | None:
        """The conclusions, or None if no assignment fits."""
        possible = {slot: known.modes(slot) for slot in self.slots}
        undecided = [slot for slot, modes in possible.items() if len(modes) > 1]
        if len(undecided) > JOINT:
            return self._one_by_one(possible, known)
        fits: list[tuple[dict[Slot, str], tuple[int, ...]]] = []
        for choice in product(*(possible[slot] for slot in undecided)):
            assignment = possible | dict(zip(undecided, choice, strict=True))
            if (values := self.simulate(assignment, known)) is not None:
                fits.append((assignment, values))
        if not fits:
            return None
        return Explanation(
            {
                slot: "".join(mode for mode in possible[slot] if any(a[slot] == mode for a, _ in fits))
                for slot in undecided
            },
            tuple(_only({v[place] for _, v in fits}) for place in range(len(self.touches) + 1)),
        )

    def simulate(self, assignment: Mapping[Slot, str], known: Known) -> tuple[int, ...] | None:
        """The atom's value before each step and in the end if every slot does this; None if it cannot."""
        value, values = self.initial, [self.initial]
        for touch in self.touches:
            if any(known.needs(slot) not in (None, value) for slot in touch):
                return None
            after = _apply([assignment[slot] for slot in touch], value)
            if known.result(touch, value) not in (None, after):
                return None
            value = after
            values.append(value)
        return tuple(values) if value == self.final else None

    def _one_by_one(self, possible: dict[Slot, str], known: Known) -> Explanation | None:
        forward: list[set[int]] = [{self.initial}]
        for touch in self.touches:
            forward[-1] &= {needed for slot in touch if (needed := known.needs(slot)) is not None} or {0, 1}
            modes = [possible[slot] for slot in touch]
            forward.append(
                {
                    after
                    for value in forward[-1]
                    for after in (0, 1)
                    if known.result(touch, value) in (None, after) and _ways(modes, value, after)
                }
            )
        backward: list[set[int]] = [set() for _ in self.touches] + [forward[-1] & {self.final}]
        kept = dict(possible)
        for place in reversed(range(len(self.touches))):
            touch = self.touches[place]
            modes = [kept[slot] for slot in touch]
            found = [""] * len(touch)
            for value, after in product(forward[place], backward[place + 1]):
                ways = _ways(modes, value, after) if known.result(touch, value) in (None, after) else None
                if ways is not None:
                    backward[place].add(value)
                    found = [one + other for one, other in zip(found, ways, strict=True)]
            for slot, left in zip(touch, found, strict=True):
                kept[slot] = "".join(mode for mode in kept[slot] if mode in left)
        if not all(backward):
            return None
        return Explanation(
            {slot: modes for slot, modes in kept.items() if len(possible[slot]) > 1},
            tuple(map(_only, backward)),
        )


def _apply(modes: Sequence[str], value: int) -> int:
    return 1 if "+" in modes else 0 if "-" in modes else value


def _ways(modes: Sequence[str], value: int, after: int) -> list[str] | None:
    """What each slot may do so that together they take the atom from one value to another; None if none can.

    One of them adds it; or none does and one deletes it; or all leave it alone.
    """
    found = [""] * len(modes)
    add, delete = (sum(sign in each for each in modes) for sign in "+-")
    if after and add:
        found = [each if add > ("+" in each) else "+" for each in modes]
    elif not after and delete and all(each != "+" for each in modes):
        found = [_without(each, "+" if delete > ("-" in each) else "+0") for each in modes]
    if value == after and all("0" in each for each in modes):
        found = [each + "0" for each in found]
    return found if all(found) else None


def _without(modes: str, others: str) -> str:
    return "".join(mode for mode in modes if mode not in others)


def _only(values: set[int]) -> int | None:
    return next(iter(values)) if len(values) == 1 else None
