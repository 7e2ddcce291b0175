"""All states that the claimed model can reach, visited one by one.

Breadth first from the initial states, with an eye on every step at which something is at stake: a situation
that tells is noted with the run that leads there, and so is every distinct situation in which the claim
refuses a step that another model might let run. With all states visited, what was not seen never happens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from assay.core.query import PlanQuery
from assay.core.symbols import Step
from assay.core.universe import bits_of, indices
from assay.proof.claims import Subject
from assay.proof.overlaps import Overlap
from assay.proof.stakes import Stake
from assay.proof.task import Condition, Task, Try, Watch

MOST_STATES = 200_000
MOST_LOOKS = 30_000_000
"""Steps looked at, over all states; a few seconds."""
CLOSER, ASKED = 10, 1000
"""What it costs, in looks, to look closer, and to ask the solver about a situation later."""

T = TypeVar("T")

Matter = Subject | str
"""A literal in doubt, or an action that never ran."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Values of an action's doubtful atoms with which the claim refuses it and all that is sure holds."""

    action: str
    valuation: int


@dataclass(slots=True)
class Sightings:
    complete: bool = False
    """Whether all reachable states were visited."""
    states: int = 0
    shown: dict[Matter, PlanQuery] = field(default_factory=dict)
    """What a reachable state tells, with the question to ask."""
    refused: dict[Refusal, tuple[Stake, PlanQuery]] = field(default_factory=dict)
    """Where the claim refuses what another model might let run, with a question that gets there."""
    overlaps: dict[Overlap, dict[Matter, PlanQuery]] = field(default_factory=dict)
    """Where effects of several slots on one atom might come to something else, taken together."""


def exhaust(
    task: Task,
    refusals: Mapping[str, Collection[int]],
    most_states: int = MOST_STATES,
    most_looks: int = MOST_LOOKS,
) -> Sightings:
    """Visits the reachable states, as far as the limits allow.

    `refusals` has, for actions that never ran, the valuations at which the journal shows them refused.
    """
    return _Search(task, refusals).run(most_states, most_looks)


class _Search:
    def __init__(self, task: Task, refusals: Mapping[str, Collection[int]]) -> None:
        self._task, self._refusals = task, refusals
        self._sightings = Sightings()
        self._looks = 0
        self._came: dict[int, tuple[int, Step] | None] = dict.fromkeys(task.initial)
        self._lookouts = Buckets[Callable[[int], None]]()
        for watch in task.watches:
            where = watch.sure if watch.stake.optional else watch.condition
            if where is not None:
                self._lookouts.add(where, _Running(self, watch).look)
        for each in task.tries:
            look = _Trying(self, each, refusals.get(each.step.action, ())).look
            self._lookouts.add(Condition(), look)

    def run(self, most_states: int, most_looks: int) -> Sightings:
        full = (1 << self._task.size) - 1
        moves = Buckets[tuple[int, int, Step]]()
        for move in self._task.moves:
            moves.add(move.condition, (full ^ move.deleted, move.added, move.step))
        moves.sort()
        self._lookouts.sort()
        came, found = self._came, self._sightings
        frontier = list(came)
        while frontier:
            reached: list[int] = []
            for bits in frontier:
                if found.states >= most_states or self._looks > most_looks:
                    return found
                found.states += 1
                true = indices(bits)
                for bucket in self._lookouts.at(true):
                    self._looks += len(bucket)
                    for care, value, look in bucket:
                        if bits & care == value:
                            self._looks += CLOSER
                            look(bits)
                for steps in moves.at(true):
                    self._looks += len(steps)
                    for care, value, (kept, added, step) in steps:
                        if bits & care == value and (after := bits & kept | added) not in came:
                            came[after] = (bits, step)
                            reached.append(after)
            frontier = reached
        found.complete = True
        return found

    def question(self, bits: int, step: Step) -> PlanQuery:
        """From an initial state through this one."""
        plan = [step]
        while (before := self._came[bits]) is not None:
            bits = before[0]
            plan.append(before[1])
        return PlanQuery(self._task.initial[bits], tuple(reversed(plan)))

    def show(self, matter: Matter, bits: int, step: Step) -> None:
        if matter not in self._sightings.shown:
            self._sightings.shown[matter] = self.question(bits, step)

    def overlap(self, where: Overlap, matter: Matter, bits: int, step: Step) -> None:
        seen = self._sightings.overlaps.setdefault(where, {})
        if matter not in seen:
            self._looks += ASKED
            seen[matter] = self.question(bits, step)

    def refuse(self, stake: Stake, valuation: int, bits: int, step: Step) -> None:
        self._looks += CLOSER
        refusal = Refusal(stake.action, valuation)
        if refusal not in self._sightings.refused:
            self._looks += ASKED
            self._sightings.refused[refusal] = (stake, self.question(bits, step))


class Buckets(Generic[T]):
    """Things that are of interest where a condition holds, found by one atom that the condition needs."""

    def __init__(self) -> None:
        self._things: list[tuple[int, int, T]] = []
        self._buckets: dict[int, list[tuple[int, int, T]]] = {}

    def add(self, where: Condition, thing: T) -> None:
        self._things.append((where.care, where.needed, thing))

    def sort(self) -> None:
        """Each goes with its rarest needed atom; those that need none are always looked at."""
        common = Counter(i for _, needed, _ in self._things for i in indices(needed))
        for each in self._things:
            place = min(indices(each[1]), key=lambda i: (common[i], i), default=-1)
            self._buckets.setdefault(place, []).append(each)

    def at(self, true: Iterable[int]) -> Iterator[list[tuple[int, int, T]]]:
        return (self._buckets[i] for i in (-1, *true) if i in self._buckets)


class _Running:
    """Watches a step of an action that ran."""

    def __init__(self, search: _Search, watch: Watch) -> None:
        self._search, self._watch = search, watch
        self._seen: set[int] = set()
        self._ready = False

    def _prepare(self) -> None:
        """Put off until the first look: most steps are never looked at closer."""
        watch, self._ready = self._watch, True
        self._true: dict[int, tuple[Subject, ...]] = {}
        self._false: dict[int, tuple[Subject, ...]] = {}
        for (n, value), about in watch.stake.tells.items():  # several slots may stand for one atom
            told, place = self._true if value else self._false, watch.places[n]
            told[place] = (*told.get(place, ()), *about)
        self._when_true, self._when_false = bits_of(self._true), bits_of(self._false)
        self._company = {watch.places[n]: together for n, together in watch.company.items()}
        self._doubtful = [watch.places[n] for n in watch.stake.doubtful]
        self._mask = bits_of(self._doubtful)

    def look(self, bits: int) -> None:
        if not self._ready:
            self._prepare()
        watch, condition = self._watch, self._watch.condition
        if condition is not None and bits & condition.care == condition.needed:
            if hits := bits & self._when_true:
                self._tell(bits, hits, self._true)
                self._when_true ^= hits
            if hits := ~bits & self._when_false:
                self._tell(bits, hits, self._false)
                self._when_false ^= hits
        elif (values := bits & self._mask) not in self._seen:
            self._seen.add(values)
            self._search.refuse(watch.stake, valuation(bits, self._doubtful), bits, watch.step)

    def _tell(self, bits: int, hits: int, about: Mapping[int, tuple[Subject, ...]]) -> None:
        for place, subjects in about.items():
            for subject in subjects if hits >> place & 1 else ():
                if subject.part == "effect" and place in self._company:
                    action, value = self._watch.stake.action, bool(bits >> place & 1)
                    self._search.overlap(
                        Overlap(action, self._company[place], value), subject, bits, self._watch.step
                    )
                else:
                    self._search.show(subject, bits, self._watch.step)


class _Trying:
    """Watches a step of an action that never ran: known are only the situations that were refused."""

    def __init__(self, search: _Search, each: Try, refused: Collection[int]) -> None:
        self._search, self._try, self._refused = search, each, refused
        self._mask = bits_of(each.places)
        self._seen: set[int] = set()

    def look(self, bits: int) -> None:
        if (values := bits & self._mask) in self._seen:
            return
        self._seen.add(values)
        condition = self._try.condition
        runs = condition is not None and bits & condition.care == condition.needed
        if runs or valuation(bits, self._try.places) not in self._refused:
            self._search.show(self._try.step.action, bits, self._try.step)


def valuation(bits: int, places: Collection[int]) -> int:
    """The values at these places, the first one lowest."""
    return sum((bits >> place & 1) << n for n, place in enumerate(places))
