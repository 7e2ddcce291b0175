"""The fewest effects in doubt that account for every answer.

Where several slots stand for one atom, be it that two arguments are the same object or that several steps
may have changed it, the answers may say that one of them did without saying which. If no question can tell
either, one model is written: the one with the fewest such effects. Depth-first over the first answer that is
not accounted for yet, one effect more each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assay.knowledge.history import History, Known, Slot

MOST_NODES = 5000
"""Assignments looked at."""


@dataclass(slots=True)
class Choice:
    """Effects of an action that are in doubt and written all the same, because the answers ask for one."""

    adds: int = 0
    deletes: int = 0
    was_true: int = 0
    """Atoms that were true before it ran, if so it is, and such as were false."""
    was_false: int = 0
    together: int = 0
    """Atoms that were one with others where it ran, and of which it is not known what it does to each."""

    def effect(self, index: int, mode: str) -> None:
        self.adds |= (mode == "+") << index
        self.deletes |= (mode == "-") << index

    def ran_with(self, index: int, value: int) -> None:
        self.was_true |= value << index
        self.was_false |= (1 - value) << index


def fewest_effects(
    histories: Sequence[History], known: Known, rank: Callable[[Slot], tuple[object, ...]]
) -> dict[Slot, str] | None:
    """What every slot in doubt does that these are about, as little as can be; None if nothing was found.

    Of several ways the first by the ranks of the slots that do something.
    """
    possible = {slot: known.modes(slot) for history in histories for slot in history.slots}
    doubtful = {slot: modes for slot, modes in possible.items() if len(modes) > 1}
    least = {slot: "0" if "0" in modes else modes[0] for slot, modes in doubtful.items()}
    concerned = [h for h in histories if not doubtful.keys().isdisjoint(h.slots)]
    nodes = 0

    def search(changed: dict[Slot, str], more: int) -> dict[Slot, str] | None:
        nonlocal nodes
        nodes += 1
        assignment = possible | least | changed
        unmet = next((h for h in concerned if h.simulate(assignment, known) is None), None)
        if unmet is None:
            return least | changed
        for slot in sorted(unmet.slots, key=rank) if more and nodes < MOST_NODES else ():
            if slot in doubtful and slot not in changed:
                for mode in doubtful[slot].replace(least[slot], ""):
                    if (found := search(changed | {slot: mode}, more - 1)) is not None:
                        return found
        return None

    for size in range(len(doubtful) + 1):
        if (found := search({}, size)) is not None or nodes >= MOST_NODES:
            return found
    return None
