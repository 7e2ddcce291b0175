"""Which runs show most of what is still unknown about effects on shared atoms.

A question shows shared atoms at its start and its end only, and in between the last run that changes an
atom decides its value. So one question can watch many actions at once: if an atom keeps its value from true
and, in another question over the same runs, from false, none of them changes it; if it does not, some do, and
fewer runs tell which. A *reading* of an atom says what each action does to it; few actions change it, so
the readings with the fewest changes that explain all answers are weighed against each other, and the runs and
start values are chosen for which their predictions differ most: the entropy of the end, summed over atoms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import log2

from assay.core.universe import indices
from assay.knowledge.history import History
from assay.knowledge.knowledge import Knowledge
from assay.strategies.world import Test

CHANGE = 0.1
"""Chance that an action changes a shared atom, where nothing is known."""
MOST_CHANGES = 3
"""Undecided actions that a reading may take to change one atom."""
MOST_READINGS = 4000
"""Per atom."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the actions that change an atom do to it; the others leave it alone."""

    weight: float
    modes: Mapping[str, str]


def readings(knowledge: Knowledge, atom: int) -> list[Reading]:
    """The readings of one shared atom that explain every answer, with the fewest changes that do."""
    dossiers = knowledge.dossiers
    possible = {name: d.effects.modes(atom) for name, d in dossiers.items()}
    settled = {name: modes for name, modes in possible.items() if modes in ("+", "-")}
    undecided = [name for name, d in dossiers.items() if d.ran and d.open_effects >> atom & 1]
    told = [_last_runs(h) for h in knowledge.histories if {index for _, index in h.slots} == {atom}]
    found: list[Reading] = []
    for count in range(min(MOST_CHANGES, len(undecided)) + 1):
        if found and count == MOST_CHANGES:
            break
        for changing in combinations(undecided, count):
            for signs in product(*(possible[name].replace("0", "") for name in changing)):
                modes = settled | dict(zip(changing, signs, strict=True))
                if any("0" not in possible[n] for n in undecided if n not in modes):
                    continue
                if all(_ends(modes, initial, order) == final for initial, order, final in told):
                    found.append(Reading(CHANGE**count, modes))
                    if len(found) >= MOST_READINGS:
                        return found
    return found


def _last_runs(history: History) -> tuple[int, tuple[str, ...], int]:
    """A history with the last run of each action only, the latest first: earlier ones make no difference."""
    names = dict.fromkeys(touch[0][0] for touch in reversed(history.touches))
    return history.initial, tuple(names), history.final


def _ends(modes: Mapping[str, str], initial: int, latest_first: Sequence[str]) -> int:
    decisive = next((modes[name] for name in latest_first if name in modes), "0")
    return initial if decisive == "0" else int(decisive == "+")


class Watch:
    """One shared atom while runs are lined up: how likely they are to make it true, or false, or neither."""

    def __init__(self, found: list[Reading]) -> None:
        total = sum(r.weight for r in found)
        self._modes: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        self._weights = [r.weight / total for r in found]
        self._ends = ["0"] * len(found)
        for number, reading in enumerate(found):
            for name, mode in reading.modes.items():
                self._modes[name].append((number, mode))
        self.shares = {"+": 0.0, "-": 0.0, "0": 1.0}

    def after(self, name: str) -> dict[str, float]:
        """The shares of the three ends if the action ran next."""
        shares = dict(self.shares)
        for number, mode in self._modes[name]:
            shares[self._ends[number]] -= self._weights[number]
            shares[mode] += self._weights[number]
        return shares

    def run(self, name: str) -> None:
        self.shares = self.after(name)
        for number, mode in self._modes[name]:
            self._ends[number] = mode


def told(shares: Mapping[str, float], start: int) -> float:
    """How much the atom's value at the end tells, from this value at the start, in bits."""
    return entropy(min(1.0, max(0.0, shares["+"] + start * shares["0"])))


def entropy(chance: float) -> float:
    """What it tells whether something of this chance comes about, in bits."""
    return -sum(p * log2(p) for p in (chance, 1 - chance) if p > 0)


def line_up(knowledge: Knowledge, runs: Sequence[Test], mask: int) -> tuple[list[Test], int]:
    """The runs that tell most together, in order, and the values of the shared atoms to start from."""
    watches = {}
    for atom in indices(mask):
        if any(test.dossier.open_effects >> atom & 1 for test in runs):
            found = readings(knowledge, atom)
            if len(found) > 1:
                watches[atom] = Watch(found)
    chosen: list[Test] = []
    forced = wanted = 0
    best = 0.0

    def worth(test: Test) -> float:
        fixed, values = _forced(forced, wanted, test, mask)
        return sum(
            told(shares, values >> atom & 1) if fixed >> atom & 1 else max(told(shares, 0), told(shares, 1))
            for atom, watch in watches.items()
            for shares in (watch.after(test.dossier.header.name),)
        )

    left = list(runs)
    while left:
        test = max(left, key=worth)
        if (value := worth(test)) <= best + 1e-9:
            break
        best = value
        left.remove(test)
        chosen.append(test)
        forced, wanted = _forced(forced, wanted, test, mask)
        for watch in watches.values():
            watch.run(test.dossier.header.name)
    start = sum(1 << atom for atom, w in watches.items() if told(w.shares, 1) > told(w.shares, 0))
    return chosen, wanted | start & ~forced


def _forced(forced: int, wanted: int, test: Test, mask: int) -> tuple[int, int]:
    """The start values that runs need, those that come first before others."""
    care = test.care & mask & ~forced
    return forced | care, wanted | test.want & care
