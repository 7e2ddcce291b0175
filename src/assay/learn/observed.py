"""What is known of one action from acting: every transition seen, and the hypothesis that explains them.

The hypothesis is fitted anew after each surprise, so there is no state to repair. Where rows that are equal
turned out differently, quantified features are chosen that tell them apart; if none does, the action has a
trouble.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assay.learn.dnf import Term, covers
from assay.learn.evidence import Change, Example
from assay.learn.features import Features
from assay.learn.finding import Status
from assay.learn.ground_steps import GroundSteps
from assay.learn.hypothesis import Hypothesis
from assay.learn.induction import induce, shared_by_runs
from assay.learn.separation import Pair, separating

MOST_QUANTIFIED = 12
"""Quantified features, rivals included; more explain the answers one by one."""
MOST_TERMS = 24


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of a step in a state."""

    after: int | None
    entry: int
    direct: bool
    way: tuple[int, tuple[object, ...]]
    """The state in which its question began, and the steps before it."""


class ObservedAction:
    def __init__(self, features: Features, ground: GroundSteps) -> None:
        self.features, self.ground = features, ground
        self.hypothesis = Hypothesis(features)
        self.seen: dict[tuple[int, int], Seen] = {}
        self.cautious: list[Term] = []
        self.conflict: tuple[int, int] | None = None
        self.trouble = ""
        self.level: int | None = None
        self.exhausted = False
        """Whether every reachable situation was refused, if it never ran."""
        self.version = 0
        """Counts what was learned, for whoever keeps things that follow from it."""
        self.direct_runs = 0
        self.outcome: dict[int, bool] = {}
        """By point, whether it ran."""
        self._touches_others = self._stale = False
        self._forget()

    @property
    def name(self) -> str:
        return self.features.shape.name

    @property
    def ran(self) -> bool:
        return self.direct_runs > 0

    @property
    def sound(self) -> bool:
        """Whether its model can be relied on to plan."""
        return bool(self.hypothesis.terms) and not self.trouble

    @property
    def status(self) -> Status:
        if self.conflict:
            return Status.CONTRADICTED
        if self.trouble:
            return Status.OPEN
        if self.level is not None:
            return Status.LEARNED
        return Status.OPEN if self.ran or not self.exhausted else Status.NEVER_RAN

    # ---- evidence

    def add(self, state: int, number: int, seen: Seen) -> bool:
        """Takes a transition in; whether it was new. The same step in the same state must turn out the
        same."""
        known = self.seen.get((state, number))
        if known is not None:
            if known.after != seen.after:
                self._contradict(known.entry, seen.entry)
            return False
        self.seen[state, number] = seen
        self.direct_runs += seen.after is not None
        self.hypothesis.evidence.add(self._example(state, number, seen))
        self.outcome.setdefault(self.ground.point_at(state, number), seen.after is not None)
        return True

    def _contradict(self, first: int, second: int) -> None:
        self.conflict = self.conflict or (first, second)
        self.trouble = "the same situation was answered twice differently"
        self.version += 1

    def _example(self, state: int, number: int, seen: Seen) -> Example:
        ground, after = self.ground, seen.after
        point = ground.point[ground.point_at(state, number)]
        if after is None:
            return Example(point, None, entry=seen.entry, direct=seen.direct)
        own = ground.own(after, number)
        if (state ^ after) & ~ground.mask[number] and not self._touches_others:
            self._touches_others = self._stale = True
        changes: tuple[Change, ...] = ()
        if self._touches_others:
            around = ground.around(number)
            found = {Change(*n.profile(state), n.profile(after)[1]) for n in around if n.own}
            changes = tuple(sorted(found))
            known = ground.mask[number]
            for neighbour in around:
                known |= neighbour.mask
            if (state ^ after) & ~known:
                self.trouble = self.trouble or "it changes a fact about two other objects"
        return Example(point, own, changes, seen.entry, direct=seen.direct)

    def _rebuild(self) -> None:
        """Reads all transitions again: with other objects watched, or with what became of them."""
        quantified = self.hypothesis.quantified
        self.hypothesis = Hypothesis(self.features)
        self.hypothesis.quantified = quantified
        self.outcome = {}
        for (state, number), seen in self.seen.items():
            self.hypothesis.evidence.add(self._example(state, number, seen))
            self.outcome.setdefault(self.ground.point_at(state, number), seen.after is not None)

    # ---- learning

    def learn(self) -> None:
        """Fits the hypothesis to all that was seen."""
        if self.conflict:
            return
        self.trouble = ""
        if self._stale:
            self._stale = False
            self._rebuild()
        if self.disagreements():
            self._choose_features()
        hypothesis = self.hypothesis
        evidence = hypothesis.evidence
        terms = induce(map(hypothesis.row, evidence.runs), map(hypothesis.row, evidence.refusals), self.width)
        if evidence.conflict:
            first, second = evidence.conflict
            self._contradict(first.entry, second.entry)
        elif terms is None or self.disagreements():
            self.trouble = self.trouble or "no quantified feature tells apart what turned out differently"
        elif len(terms) > MOST_TERMS:
            self.trouble = "no condition of reasonable size explains the answers"
        hypothesis.terms = terms or []
        self.refresh()
        hypothesis.changes()
        if hypothesis.unexplained and not self.ground.watches_all:
            self._look_around()
            self.learn()
        elif hypothesis.unexplained:
            self.trouble = self.trouble or "a change that no feature explains"

    def refresh(self) -> None:
        """The cautious reading and everything kept, from what is seen by now."""
        hypothesis = self.hypothesis
        rows = map(hypothesis.row, hypothesis.evidence.runs)
        self.cautious = shared_by_runs(hypothesis.terms, rows, self.width)
        self._forget()

    @property
    def width(self) -> int:
        return self.hypothesis.width

    def disagreements(self) -> list[Pair]:
        """Examples with equal rows that turned out differently: refused or not, or with different changes."""
        groups: dict[int, dict[object, Example]] = {}
        evidence = self.hypothesis.evidence
        examples = [*evidence.examples, *(evidence.conflict or ())]
        found: list[Pair] = []
        for example in examples:
            changed = None if example.after is None else example.point.own ^ example.after
            group = groups.setdefault(self.hypothesis.row(example), {})
            found += [(other, example) for its, other in group.items() if its != changed]
            group.setdefault(changed, example)
        return found

    def _choose_features(self) -> None:
        self.hypothesis.quantified = []
        self._refold()
        while pairs := self.disagreements():
            chosen = separating(self.features, pairs)
            if not chosen and not self.ground.watches_all:
                self._look_around()
                continue
            if not chosen or len(self.hypothesis.quantified) >= MOST_QUANTIFIED:
                break
            for feature in chosen:
                self.hypothesis.add_feature(feature)
            self._refold()

    def _look_around(self) -> None:
        self.ground.watch_all()
        self._rebuild()
        self.version += 1

    def _refold(self) -> None:
        for example in self.hypothesis.evidence.examples:
            example.width = -1
        for example in self.hypothesis.evidence.conflict or ():
            example.width = -1

    # ---- what it foretells, by point

    def _forget(self) -> None:
        self._rows: dict[int, int] = {}
        self._runs: dict[int, bool] = {}
        self._flips: dict[int, int] = {}
        self.version += 1

    def row(self, pid: int) -> int:
        found = self._rows.get(pid)
        if found is None:
            found = self._rows[pid] = self.hypothesis.row_of(*self.ground.point[pid])
        return found

    def runs(self, pid: int) -> bool:
        found = self._runs.get(pid)
        if found is None:
            found = self._runs[pid] = covers(self.hypothesis.terms, self.row(pid))
        return found

    def sure(self, pid: int) -> bool:
        """Whether the cautious reading says that it runs, too."""
        return covers(self.cautious, self.row(pid))

    def after(self, state: int, number: int, pid: int) -> int:
        """The state after the step, if it runs."""
        point = self.ground.point[pid]
        flips = self._flips.get(pid)
        if flips is None:
            flips = self._flips[pid] = point.own ^ self.hypothesis.predict(*point)
        found = state ^ self.ground.turned(number, flips)
        if self._touches_others:
            found = self._others_after(state, found, number, self.row(pid))
        return found

    def _others_after(self, state: int, found: int, number: int, row: int) -> int:
        for neighbour in (n for n in self.ground.around(number) if n.own):
            before = neighbour.profile(state)
            changed = before[1] ^ self.hypothesis.predict_other(row, before)
            for place, fact in enumerate(neighbour.places if changed else ()):
                if changed >> place & 1:
                    found ^= 1 << fact
        return found

    # ---- what cannot be ruled out

    def may_turn(self, state: int, number: int, pid: int, support: int) -> int:
        """Facts of the support that the step may turn, as far as is known; see `Precaution`."""
        concerned = self.ground.mask[number] & support
        if not concerned:
            return 0
        if not self.ran:
            return concerned
        own, row, found = self.ground.point[pid].own, self.row(pid), 0
        for place, fact in enumerate(self.ground.places[number]):
            if concerned >> fact & 1 and not self._stays(place, own >> place & 1, row):
                found |= 1 << fact
        return found

    def _stays(self, place: int, value: int, row: int) -> bool:
        """Whether runs rule out that the fact turns here: each single feature was seen where it stayed."""
        full = (1 << self.width) - 1
        shown = 0
        for example in self.hypothesis.evidence.runs:
            own, after = example.point.own, example.after
            assert after is not None
            if own >> place & 1 == value and not (own ^ after) >> place & 1:
                kept = self.hypothesis.row(example)
                if kept == row:
                    return True
                shown |= kept | (full & ~kept) << self.width
        return not (row | (full & ~row) << self.width) & ~shown

    def rows_by_outcome(self) -> Iterator[tuple[int, bool]]:
        for example in self.hypothesis.evidence.examples:
            yield self.hypothesis.row(example), example.ran
