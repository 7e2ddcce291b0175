"""Which patterns of one action are missing, among those that some reachable point shows.

Runs count by patterns of s features, and by the patterns of the other objects around: an action may mind
what no feature says yet. Refusals count by the set of violated literals of a term; where one literal alone
cannot be violated within reach, the smallest sets that can count in its place. Besides each term, all that
its runs have in common is tried in the same way: a literal that was never seen otherwise may be needed.

Points are added as they come within reach, and a point that brings nothing new is never looked at again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush

from assay.learn.evidence import Others
from assay.learn.finding import Level
from assay.learn.first_example import PARTICLES, Particle, particle
from assay.learn.observed import ObservedAction
from assay.learn.row_patterns import pattern_count, patterns

WIDE = 64
"""With more features than this, runs are counted by pairs and not by triples."""
FEW_RUNS = 100
"""Points at which an action runs, of which all are tried: runs are free, and then every effect was seen."""
TOP = 30
"""Points among which the nearest is chosen, of those whose refusal shows most."""
MOST_TRIES, PATIENCE = 100, 20
"""Refusals of an action that never ran: at the first level so many, at each further one as many again. After
the few that patience allows, what is missing of other actions comes first: it may open the way."""
UNLIKE_BY = 3
"""Features at once by which first tries differ."""
UNLIKE, ALIKE = 1000, 10**9
"""What one pattern never tried before counts for, beside one fact that holds; and what one literal counts
for that a similar action needs: actions of one world tend to need the same."""

Bucket = tuple[bool, int, int]
"""Whether of the cautious reading, the number of the term, the literals violated."""


class ReachCoverage:
    """What is wanted of one action at a level."""

    def __init__(self, action: ObservedAction, level: Level, actions: Sequence[ObservedAction] = ()) -> None:
        self.action, self.level = action, level
        self._kin = [a for a in actions if a is not action and a.features.own == action.features.own]
        """Actions over the same facts."""
        self.runs_wanted: dict[int, None] = {}
        self.refusals_wanted: dict[int, None] = {}
        self.given_up: set[int] = set()
        """Points that no walk came to, or that are forbidden."""
        self.spent: set[int] = set()
        """Points whose runs would show nothing new."""
        self._every_run = False
        """Whether there are so few points at which it runs that all are wanted."""
        self.open_tries = 0
        """Situations not tried of an action that never ran."""
        self._rng = random.Random(action.name)
        self._particles: list[Particle] = []
        self._likely: dict[int, int] = {}
        self._heap: list[tuple[int, int]] = []
        self._reachable: dict[int, None] = {}
        self._stamp = (-1, -1)

    @property
    def strength(self) -> int:
        """How many features at once the patterns of runs have."""
        return min(self.level.run, 2) if self.action.width > WIDE else self.level.run

    def replace(self, points: Iterable[int]) -> None:
        """Forgets what was within reach before."""
        self._reachable = dict.fromkeys(points)
        self._stamp = (-1, -1)

    @property
    def reachable(self) -> list[int]:
        return list(self._reachable)

    def update(self) -> None:
        """Counts what was seen since the last time."""
        stamp = (self.action.version, len(self.action.outcome))
        if stamp == self._stamp:
            return
        if not self.action.hypothesis.terms:
            self._never_ran()
        elif stamp[0] != self._stamp[0]:
            self._recount()
        else:
            for pid in list(self.action.outcome)[self._stamp[1] :]:
                self._count(pid)
            self._stamp = stamp
            return
        self._stamp = stamp
        self._heap = [(-self.refusal_gain(pid), pid) for pid in self.refusals_wanted]
        heapify(self._heap)

    @property
    def stubborn(self) -> bool:
        """Whether the action was refused so often that others come first."""
        return not self.action.ran and len(self.action.outcome) >= PATIENCE

    def best_refusal(self) -> tuple[int, set[int]]:
        """The most that a refusal can show, and points at which it shows so much. Gains only ever shrink."""
        best, found = 0, list[tuple[int, int]]()
        while self._heap and len(found) < TOP and -self._heap[0][0] >= best:
            gain, pid = heappop(self._heap)
            if pid not in self.refusals_wanted or pid in self.action.outcome:
                continue
            now = self.refusal_gain(pid)
            if not now:
                del self.refusals_wanted[pid]
            elif now < -gain:
                heappush(self._heap, (-now, pid))
            else:
                best = now
                found.append((gain, pid))
        for item in found:
            heappush(self._heap, item)
        return best, {pid for _, pid in found}

    # ---- an action that never ran

    def _never_ran(self) -> None:
        """Every point is wanted that has own facts, or a fact about another object, not refused so far."""
        action = self.action
        self._tried: dict[int, int] = {}
        self._unlike = 0
        for pid in action.outcome:
            self._tried[action.ground.point[pid].own] = self._tried.get(action.row(pid), 0) | self._facts(pid)
            self._unlike |= self._own_patterns(pid)
        self.runs_wanted = {}
        wanted = (p for p in self._reachable if p not in self.given_up and p not in action.outcome)
        self.refusals_wanted = {
            p: None for p in wanted if self._facts(p) & ~self._tried.get(action.row(p), 0)
        }
        self.open_tries = len(self.refusals_wanted)
        self._sample()
        if len(action.outcome) >= MOST_TRIES * (self.level.turned + self.level.refused):
            self.refusals_wanted = {}

    def _promise(self, pid: int) -> int:
        """How much a first try here promises: by turns like the runs of similar actions, or unlike what was
        tried."""
        row = self.action.row(pid)
        if self._particles:
            return self._likelihood(row)
        new = self._own_patterns(pid) & ~self._unlike
        found = UNLIKE * (new.bit_count() + 1) + row.bit_count()
        if len(self.action.outcome) % 2:
            return found
        own = self.action.ground.point[pid].own
        return found + ALIKE * max((_agreement(kin, own) for kin in self._kin if kin.sound), default=0)

    def _likelihood(self, row: int) -> int:
        """The weight of the conjunctions that explain all refusals and hold here."""
        found = self._likely.get(row)
        if found is None:
            weight = sum(w for mask, value, w in self._particles if row & mask == value)
            found = self._likely[row] = ALIKE + int(UNLIKE * UNLIKE * weight)
        return found

    def _sample(self) -> None:
        """Conjunctions that explain all refusals, every other time once the first tries have failed."""
        action, self._particles, self._likely = self.action, [], {}
        tries = len(action.outcome)
        if tries < PATIENCE or tries % 2:
            return
        refused = [row for row, _ in action.rows_by_outcome()]
        drawn = (particle(self._rng, refused, action.width) for _ in range(PARTICLES))
        self._particles = [p for p in drawn if p is not None]

    def _facts(self, pid: int) -> int:
        others, _ = self._surroundings(pid, min(2, max(1, self.level.turned)))
        return others << 1 | 1

    def _own_patterns(self, pid: int) -> int:
        return patterns(self.action.row(pid), self.action.width, UNLIKE_BY)

    # ---- runs

    def _recount(self) -> None:
        action = self.action
        terms = action.hypothesis.terms
        self._shown = [0] * len(terms)
        self._refused: dict[Bucket, int] = {}
        self._rank: dict[Bucket, int] = {}
        self._sets: dict[tuple[bool, int], set[int]] = {}
        self.runs_wanted, self.refusals_wanted = {}, {}
        self.spent = set()
        self._sort(self._reachable)
        for pid in action.outcome:
            self._count(pid)

    def _sort(self, pids: Iterable[int]) -> None:
        action, news = self.action, False
        for pid in pids:
            if action.runs(pid):
                self.runs_wanted[pid] = None
            else:
                self.refusals_wanted[pid] = None
                for cautious, term, violated in self._buckets(pid):
                    known = self._sets.setdefault((cautious, term), set())
                    news |= violated not in known
                    known.add(violated)
        if news:
            self._rank_all()
        running = sum(map(action.runs, self._reachable))
        self._every_run = self.level.turned > 1 and running <= FEW_RUNS

    def _count(self, pid: int) -> None:
        """What a point that was tried shows."""
        action = self.action
        self.runs_wanted.pop(pid, None)
        self.refusals_wanted.pop(pid, None)
        if action.outcome[pid]:
            bits = self._run_bits(pid)
            for number in self._terms_at(pid):
                self._shown[number] |= bits
        else:
            for bucket in self._buckets(pid):
                self._refused[bucket] = self._refused.get(bucket, 0) | self._refusal_bits(pid, bucket)

    def _terms_at(self, pid: int) -> list[int]:
        row = self.action.row(pid)
        return [n for n, (m, v) in enumerate(self.action.hypothesis.terms) if row & m == v]

    def new_in_run(self, pid: int, planned: list[int] | None = None) -> bool:
        """Whether a run here would show a pattern that is neither shown nor planned."""
        if pid in self.given_up or pid in self.spent:
            return False
        if self._every_run:
            return True
        bits, planned_only = self._run_bits(pid), False
        for number in self._terms_at(pid):
            new = bits & ~self._shown[number]
            if new and not (planned and not new & ~planned[number]):
                return True
            planned_only |= bool(new)
        if not planned_only:
            self.spent.add(pid)
            self.runs_wanted.pop(pid, None)
        return False

    def plan(self, pid: int, planned: list[int]) -> None:
        for number in self._terms_at(pid):
            planned[number] |= self._run_bits(pid)

    def _run_bits(self, pid: int) -> int:
        action, strength = self.action, self.strength
        row, width = action.row(pid), action.width
        found = _row_bits(row, width, strength)
        if not self.level.refused:  # other objects come with the second level
            return found
        base = pattern_count(width, strength)
        around, size = self._surroundings(pid, min(strength, 3))
        return found | around << base | self._beside(pid) << base + size

    def _beside(self, pid: int) -> int:
        """One own fact together with one fact of some other object."""
        action, found, base = self.action, 0, 0
        width = action.features.width
        own, others = action.ground.point[pid]
        for kind in sorted(action.ground.watched):
            size = len(action.features.profiles[kind])
            literals = 0
            for its, facts in others:
                if its == kind:
                    literals |= facts | (~facts & (1 << size) - 1) << size
            for place in range(width):
                found |= literals << base + (2 * place + (own >> place & 1)) * 2 * size
            base += 4 * size * width
        return found

    def _surroundings(self, pid: int, strength: int) -> tuple[int, int]:
        """Patterns of profiles: which some other object has, and which none has."""
        action = self.action
        kinds = tuple((kind, len(action.features.profiles[kind])) for kind in sorted(action.ground.watched))
        return _surroundings(action.ground.point[pid].others, kinds, strength)

    # ---- refusals

    def _buckets(self, pid: int) -> Iterator[Bucket]:
        action = self.action
        row, terms = action.row(pid), action.hypothesis.terms
        for number, (mask, value) in enumerate(terms):
            yield False, number, (row ^ value) & mask
        for number, term in enumerate(action.cautious):
            if term != terms[number]:
                yield True, number, (row ^ term[1]) & term[0]

    def _rank_all(self) -> None:
        for (cautious, term), sets in self._sets.items():
            for violated, rank in _ranks(sets, self.level.turned + 1).items():
                self._rank[cautious, term, violated] = rank

    def _refusal_bits(self, pid: int, bucket: Bucket) -> int:
        """What a refusal here counts for: smallest violated sets with other features, larger ones as such."""
        rank = self._rank.get(bucket, 1)
        if rank > self.level.turned or (not self.level.refused and bucket[0]):
            return 0
        strength = self.level.refused if rank == 1 else max(0, self.level.refused - 1)
        if not strength:
            return 1
        action = self.action
        around, _ = self._surroundings(pid, 1)
        width = action.width
        return _row_bits(action.row(pid), width, strength) | around << pattern_count(width, strength)

    def refusal_gain(self, pid: int) -> int:
        """How much is missing that a refusal here would show."""
        if pid in self.given_up or pid in self.action.outcome:
            return 0
        if not self.action.hypothesis.terms:
            return self._promise(pid)
        gain = 0
        for bucket in self._buckets(pid):
            gain += (self._refusal_bits(pid, bucket) & ~self._refused.get(bucket, 0)).bit_count()
        return gain


@lru_cache(maxsize=50_000)
def _row_bits(row: int, width: int, strength: int) -> int:
    return patterns(row, width, strength)


@lru_cache(maxsize=20_000)
def _surroundings(others: Others, kinds: tuple[tuple[str, int], ...], strength: int) -> tuple[int, int]:
    present = every = base = 0
    for kind, width in kinds:
        size = pattern_count(width, strength)
        for its, facts in others:
            if its == kind:
                present |= patterns(facts, width, strength) << base
        every |= (1 << size) - 1 << base
        base += size
    return present | (every & ~present) << base, 2 * base


def _ranks(sets: Iterable[int], most: int) -> dict[int, int]:
    """1 for a set without a proper subset among them, else one more than the highest rank of those below
    it."""
    found: dict[int, int] = {}
    for violated in sorted(sets, key=lambda v: (v.bit_count(), v)):
        rank = 1
        for smaller, its in found.items():
            if its >= rank and smaller & violated == smaller:
                rank = its + 1
            if rank >= most:
                break
        found[violated] = rank
    return found


def _agreement(kin: ObservedAction, own: int) -> int:
    """How many literals of a term of the similar action hold here."""
    within = kin.hypothesis.own_mask
    return max((mask & within & ~(own ^ value)).bit_count() for mask, value in kin.hypothesis.terms)
