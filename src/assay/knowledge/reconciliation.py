"""The fewest effects in doubt that account for every answer.

Where several slots stand for one atom, be it that two arguments are the same object or that several steps
may have changed it, the answers may say that one of them did without saying which. If no question can tell
either, or none has told yet, one model is written: the one with the fewest such effects. Depth-first over the
first answer that is not accounted for yet, one effect more each time.

What the effects are supposed to be says how the atoms stood before later steps ran, and so what these do not
need. Where that leaves nothing to explain a refusal, each of its literals is supposed to be needed in turn,
and the effects have to agree with it: again the fewest, best first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from assay.knowledge.history import History, Known, Slot

MOST_NODES = 5000
"""Assignments looked at."""
MOST_TRIES = 100
"""Sets of supposed needs looked at."""

Rank = Callable[[Slot], tuple[object, ...]]
Refusal = Sequence[tuple[Slot, int]]
"""Needs in doubt, as slots and the values they ask for, of which one at least explains it."""


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


def reconcile(
    histories: Sequence[History], refusals: Sequence[Refusal], known: Known, rank: Rank
) -> dict[Slot, str] | None:
    """What every slot in doubt does, as little as can be such that each refusal has a reason left.

    None if nothing was found that accounts for the histories.
    """
    fewest = fewest_effects(histories, known, rank)
    queue: list[tuple[int, tuple[int, ...], dict[Slot, int], dict[Slot, str]]] = []
    if fewest is not None:
        heappush(queue, (0, (), {}, fewest))
    for _ in range(MOST_TRIES):
        if not queue:
            break
        _, path, needed, chosen = heappop(queue)
        stood = set(values_before(histories, chosen, known))
        unmet = next((r for r in refusals if all((slot, 1 - v) in stood for slot, v in r)), None)
        if unmet is None:
            return chosen
        for number, (slot, value) in enumerate(unmet):
            if slot not in needed:
                more = needed | {slot: value}
                if (found := fewest_effects(histories, _asking(known, more), rank)) is not None:
                    size = sum(mode != "0" for mode in found.values())
                    heappush(queue, (size, (*path, number), more, found))
    return fewest


def values_before(
    histories: Sequence[History], chosen: Mapping[Slot, str], known: Known
) -> list[tuple[Slot, int]]:
    """How atoms stood where actions ran, slot by slot, if the slots in doubt do what is chosen."""
    found = []
    for history in histories:
        assignment = {slot: chosen.get(slot) or known.modes(slot) for slot in history.slots}
        values = history.simulate(assignment, known) or ()
        for touch, value in zip(history.touches, values[:-1], strict=bool(values)):
            found += [(slot, value) for slot in touch]
    return found


def _asking(known: Known, needed: Mapping[Slot, int]) -> Known:
    return replace(known, needs=lambda slot: needed[slot] if slot in needed else known.needs(slot))


def fewest_effects(histories: Sequence[History], known: Known, rank: Rank) -> dict[Slot, str] | None:
    """What every slot in doubt does that these are about, as little as can be; None if nothing was found.

    Of several ways the first by the ranks of the slots that do something. Histories that have no slot in
    doubt in common are looked at by themselves.
    """
    found: dict[Slot, str] = {}
    for together in _components(histories, known):
        fewest = _fewest(together, known, rank)
        if fewest is None:
            return None
        found |= fewest
    return found


def _components(histories: Sequence[History], known: Known) -> list[list[History]]:
    """Histories with slots in doubt, those together that have some in common, directly or by others."""
    groups: list[tuple[set[Slot], list[int]]] = []
    for number, history in enumerate(histories):
        slots = {slot for slot in history.slots if len(known.modes(slot)) > 1}
        if not slots:
            continue
        numbers = [number]
        for group in [g for g in groups if not g[0].isdisjoint(slots)]:
            groups.remove(group)
            slots |= group[0]
            numbers += group[1]
        groups.append((slots, numbers))
    return [[histories[n] for n in sorted(numbers)] for _, numbers in groups]


def _fewest(histories: Sequence[History], known: Known, rank: Rank) -> dict[Slot, str] | None:
    possible = {slot: known.modes(slot) for history in histories for slot in history.slots}
    doubtful = {slot: modes for slot, modes in possible.items() if len(modes) > 1}
    least = {slot: "0" if "0" in modes else modes[0] for slot, modes in doubtful.items()}
    nodes = 0

    def search(changed: dict[Slot, str], done: frozenset[Slot], more: int) -> dict[Slot, str] | None:
        """With at most so many changes more, none of them of slots that are done with."""
        nonlocal nodes
        nodes += 1
        assignment = possible | least | changed
        unmet = [h for h in histories if h.simulate(assignment, known) is None]
        if not unmet:
            return least | changed
        left = [[slot for slot in h.slots if slot in doubtful and slot not in done] for h in unmet]
        if _apart(left) <= more and nodes < MOST_NODES:
            for slot in sorted(left[0], key=rank):
                done |= {slot}
                for mode in doubtful[slot].replace(least[slot], ""):
                    if (found := search(changed | {slot: mode}, done, more - 1)) is not None:
                        return found
        return None

    for size in range(len(doubtful) + 1):
        if (found := search({}, frozenset(), size)) is not None or nodes >= MOST_NODES:
            return found
    return None


def _apart(groups: Sequence[Sequence[Slot]]) -> int:
    """So many of these have no slot in common, at least: each takes a change of its own."""
    seen: set[Slot] = set()
    count = 0
    for group in groups:
        if seen.isdisjoint(group):
            seen.update(group)
            count += 1
    return count
