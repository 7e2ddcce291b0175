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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, product
from math import log2
from operator import itemgetter, or_

from assay.core.universe import bits_of, indices
from assay.knowledge.history import History
from assay.knowledge.knowledge import Knowledge
from assay.strategies.world import Shared, Test, World, generous

Way = Callable[[Shared, Test], list[Test] | None]
"""Runs after which the shared atoms are as a test wants them, if there are such."""

CHANGE = 0.1
"""Chance that an action changes a shared atom, where nothing is known."""
MOST_CHANGES = 3
"""Undecided actions that a reading may take to change one atom."""
MOST_READINGS = 4000
"""Per atom."""
FIRSTS = 8
"""Runs that are tried as the first."""


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

    def after(self, names: Sequence[str]) -> dict[str, float]:
        """The shares of the three ends if these actions ran next."""
        shares, ends = dict(self.shares), {n: mode for name in names for n, mode in self._modes[name]}
        for number, mode in ends.items():
            shares[self._ends[number]] -= self._weights[number]
            shares[mode] += self._weights[number]
        return shares

    def run(self, name: str) -> None:
        self.shares = self.after([name])
        for number, mode in self._modes[name]:
            self._ends[number] = mode


def told(shares: Mapping[str, float], start: int) -> float:
    """How much the atom's value at the end tells, from this value at the start, in bits."""
    return entropy(min(1.0, max(0.0, shares["+"] + start * shares["0"])))


def entropy(chance: float) -> float:
    """What it tells whether something of this chance comes about, in bits."""
    return -sum(p * log2(p) for p in (chance, 1 - chance) if p > 0)


def line_up(knowledge: Knowledge, runs: Sequence[Test], world: World, way: Way) -> tuple[list[Test], int]:
    """The runs that tell most together, in order, with those that lead from one to the next, and the values
    of the shared atoms to start from."""
    mask = world.shared_mask
    undecided = reduce(or_, (test.dossier.open_effects for test in runs), 0)
    found = {atom: readings(knowledge, atom) for atom in indices(undecided & mask)}
    watched = {atom: several for atom, several in found.items() if len(several) > 1}
    best: tuple[float, list[Test], int] = 0.0, [], 0
    for first in runs[:FIRSTS]:
        same = [Test(first.dossier, want, bits_of(watched)) for want in (0, bits_of(watched))]
        for wishes in ([*runs], [same[0], *runs], [same[1], *runs]):
            start = generous(first, wishes, mask)
            worth, chosen = _line(watched, first, runs, world, way, start)
            best = max(best, (worth, chosen, start), key=itemgetter(0))
    return best[1:]


def _line(
    watched: Mapping[int, list[Reading]],
    first: Test,
    runs: Sequence[Test],
    world: World,
    way: Way,
    start: int,
) -> tuple[float, list[Test]]:
    """Runs from one start, after the first always those that tell most together with it; ways that have to be
    led there by others are looked at when nothing else tells more."""
    watches = {atom: Watch(found) for atom, found in watched.items()}
    shared: Shared = world.shared_mask, start
    chosen: list[Test] = []
    best, left, steps = 0.0, list(runs), [first]

    def worth(steps: list[Test]) -> float:
        names = [step.dossier.header.name for step in steps]
        return sum(told(watch.after(names), start >> atom & 1) for atom, watch in watches.items())

    while steps and (value := worth(steps)) > best + 1e-9:
        best = value
        left.remove(steps[-1])
        chosen += steps
        for step in steps:
            shared = world.predict(step.dossier, shared)
            for watch in watches.values():
                watch.run(step.dossier.header.name)
        possible = [[test] for test in left if world.meets(shared, test)]
        steps = max(possible, key=worth, default=[])
        if not steps or worth(steps) <= best + 1e-9:
            led = [[*path, test] for test in left if (path := way(shared, test))]
            steps = max(led, key=worth, default=[])
    return best, chosen
