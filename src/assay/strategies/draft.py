"""A question being filled: which tests go in, in which order, with bridges between them.

An action whose effects on shared atoms are not known leads, where nothing else can be mistaken for its
doing; guesses at actions that never ran come last, unless they are all but sure. A question is long enough
when several refusals are to be expected, because only the first will happen.
"""

from __future__ import annotations

import random
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace

from assay.knowledge.knowledge import Knowledge
from assay.strategies.bridge import bridge, sure_runs
from assay.strategies.course import MANY, Course
from assay.strategies.sightings import line_up
from assay.strategies.suspicion import Rates
from assay.strategies.trials import best_round
from assay.strategies.world import Shared, Test, World, generous

ENOUGH = 8.0
"""Expected refusals after which a question is long enough."""
UNLIKELY = 0.5
"""Expected refusals below which a question is extended by steps that may well have nothing to stand on."""
CONFIRMATIONS = 5
"""Runs per known action that a question is extended by."""
SMALL_DOUBT = 0.3
"""Doubt up to which a guess at an action that never ran leads, where atoms are shared: if it runs, its tests
can go along with those of others from then on; if not, it hardly would have later."""
MOST_MISSES = 6
"""Tests in a row without a place in the question, after which the rest are not looked at."""
MOST_ATOMS = 400_000
"""Size of a question's start state beyond which no further test is added."""


class Draft:
    """A question being filled with tests."""

    def __init__(self, knowledge: Knowledge, rates: Rates) -> None:
        self.knowledge = knowledge
        rng = random.Random(f"{knowledge.setting.seed} {knowledge.entries}")
        self.world = World(knowledge, rng, rates.outlook)
        self.room: defaultdict[Course, list[int]] = defaultdict(lambda: [0, 0])
        """Tests per course that found no place, and that found one."""
        self._flipped: defaultdict[Course, int] = defaultdict(int)
        """Suspects per course that are cleared once the tests placed so far have passed."""
        self._expected = 0.0
        self._watched = 0
        """Shared atoms that nothing else may change, for an effect to be seen at the end."""
        self._rates = rates
        self._operators = sure_runs(knowledge, rates)
        self._bridges: dict[tuple[Shared, int, int], list[Test] | None] = {}
        self._longest = knowledge.setting.max_plan or 1 << 30
        if knowledge.rejected:  # shorter plans bring fewer things that may be impossible together
            self._longest = min(self._longest, max(1, min(len(q.plan) for q in knowledge.rejected) // 2))

    def runs(self, course: Course) -> int:
        """How often one question can run the action, as far as known: it may use up shared atoms it needs."""
        needs, mask = course.dossier.precondition, self.world.shared_mask
        if needs.example is None:
            return MANY
        care = needs.suspects & mask & ~self._rates.unlikely(course.dossier, needs.example)
        if not care:
            return MANY
        want = needs.example & care
        example = Test(course.dossier, want, care)
        most = 0
        starts: list[tuple[Test | None, list[Test]]] = [(None, self._operators), (None, [])]
        for helper, wishes in [*starts, *((each, [each, *self._operators]) for each in self._operators)]:
            count = self._repeated(course, (mask, generous(example, wishes, mask)), care, want)
            if count > most:
                most, course.helper, course.lavish = count, helper, not wishes
            if most == MANY:
                break
        return most

    def _repeated(self, course: Course, shared: Shared, care: int, want: int) -> int:
        for count in range(1, MANY):
            known, values = self.world.predict(course.dossier, shared)
            path = self._bridge((known, values), care & known, want & known)
            if path is None:
                return count
            shared = known, values
            for step in path:
                shared = self.world.predict(step.dossier, shared)
            if count > 1 and not path:
                break
        return MANY

    def _way(self, shared: Shared, test: Test) -> list[Test] | None:
        care = test.care & self.world.shared_mask
        return self._bridge(shared, care, test.want & care)

    def _bridge(self, shared: Shared, care: int, want: int) -> list[Test] | None:
        key = (shared, care, want)
        if key not in self._bridges:
            self._bridges[key] = bridge(self._operators, shared, care, want, self.world)
        return self._bridges[key]

    def fill(self, courses: list[Course], waiting: list[Course]) -> None:
        """Add tests until a refusal is all but certain, or nothing more fits; those that wait come last."""
        shared = bool(self.world.shared_mask)
        leaders = [c for c in courses if c.unknown and not c.groping and not c.watching]
        leader = max(leaders, key=lambda c: bool(c.dossier.precondition.clauses), default=None)

        def rank(course: Course) -> tuple[float, ...]:
            limited = course.capacity is not None and not course.watching
            doubt = 1 - course.confidence  # the best guess first
            if shared and course.groping and doubt <= SMALL_DOUBT:
                doubt -= 1
            return course.watching, doubt, not limited, course is not leader, course.fresh

        order = sorted(courses, key=rank)
        wishes = [w for c in order for w in (Test(c.dossier, c.example, c.care), c.helper) if w]
        wishes += [*(self._wish(c) for c in waiting if not c.fresh), *self._operators]
        self.world.wishes = wishes[:1] if order and order[0].lavish else wishes
        self._try(order, waiting)
        self._go_through(order, hope=False)
        self._close([*order, *waiting])
        if self._expected < UNLIKELY:
            self._go_through([c for c in order if self.room[c][0]], hope=True)
        fresh = self.knowledge.setting.profile.new_objects
        if self.world.plan and fresh and not any(c.watching for c in courses):
            self.confirm()  # on objects of their own, where they cannot hide an effect to be seen

    def _try(self, order: list[Course], waiting: list[Course]) -> None:
        """Add a trial each of actions with shared atoms in doubt, from the start that suits them best."""
        mask, wishes = self.world.shared_mask, self.world.wishes
        possible = ((c, c.trial(self._rates, self.world)) for c in [*order, *waiting])
        trials = {trial: course for course, trial in possible if trial is not None}
        if not trials:
            return
        mine = {course: trial for trial, course in trials.items()}
        sequels = [course.sequel(self._rates, mine.get(course)) for course in order]
        wanted = [(t.example, t.care) for t in trials] + [(s.example, s.care) for s in sequels]
        starts = [generous(Test(order[0].dossier, want, care), wishes, mask) for want, care in wanted]
        best = best_round([*trials], sequels, starts)
        leading = [trial for trial, course in trials.items() if course in order]
        if not best.runs and leading:  # what follows seems worth more, but doubts have to be settled, too
            best = best_round(leading, [], starts)
        if best.runs:
            self.world.wishes = [Test(order[0].dossier, best.start, mask), *wishes]
        for trial, flips, chance in best.runs:
            course = trials[trial]
            if not self._full() and self._add(course.flipped(flips, course.suspects), hope=False):
                self.room[course][True] += 1
                self._expected += chance
                self._flipped[course] |= flips

    def _wish(self, course: Course) -> Test:
        """The action in its example, as far as it probably matters."""
        care = course.care & ~self._rates.unlikely(course.dossier, course.example)
        return Test(course.dossier, course.example, care)

    def watch(self, courses: list[Course]) -> None:
        """Add runs that are sure to succeed, those that show most of unknown effects on shared atoms."""
        unseen = [c.sighting() for c in courses if c.dossier.ran and c.unknown]
        runs, start = line_up(self.knowledge, unseen, self.world, self._way)
        if runs:
            self.world.wishes = [Test(runs[0].dossier, start, self.world.shared_mask)]
        for test in runs[: self._longest]:
            self.world.add(test)
        if self.world.plan:
            self._close(courses)

    def confirm(self) -> None:
        """Add runs that must succeed, whatever the values of the atoms that do not matter."""
        rng = random.Random(f"{self.knowledge.setting.seed} confirm")
        for test in self._operators * CONFIRMATIONS:
            if self._full():
                return
            free = test.dossier.atom_mask & ~test.care
            anyhow = rng.getrandbits(free.bit_length() + 1) & free
            self._add(replace(test, want=test.want | anyhow), hope=False)

    def _go_through(self, courses: list[Course], hope: bool) -> None:
        for course in courses:
            tests = course.tests(self._rates, self._flipped[course])
            placed: bool | None = None
            misses = 0
            with suppress(StopIteration):
                while True:
                    test, chance = tests.send(placed)
                    if self._full():
                        return
                    known = self.world.all_known
                    placed = self._add(test, hope)
                    self.room[course][placed] += 1
                    if placed:
                        misses = 0
                        self._expected += chance
                        self._flipped[course] |= (course.example ^ test.want) & test.care
                        self._watched |= test.watch
                        if course.fresh and course.dossier.hints and not known:
                            break  # if it runs that is no example yet: flips of it would convict nothing
                    elif (misses := misses + 1) > MOST_MISSES:
                        break

    def _close(self, courses: list[Course]) -> None:
        """Add flips of single suspects, a refusal of which convicts, likeliest first: a question in which
        nothing is refused has convicted nothing."""
        if self._full():
            return
        flips = [
            (chance, number, test)
            for number, course in enumerate(courses)
            for test, chance in course.flips(self._rates, self._flipped[course])
        ]
        misses = 0
        for chance, _, test in sorted(flips, key=lambda flip: (-flip[0], flip[1])):
            if self._full() or misses > MOST_MISSES:
                break
            if self.world.certain(test):
                placed = self._add(test, hope=False)
                self._expected += chance * placed
                misses = 0 if placed else misses + 1

    def _full(self) -> bool:
        return (
            self._expected >= ENOUGH or len(self.world.plan) >= self._longest or self.world.size > MOST_ATOMS
        )

    def _add(self, test: Test, hope: bool) -> bool:
        effects = test.dossier.effects
        if self._watched & (effects.may_add | effects.may_delete) & ~test.dossier.void:
            return False
        if self.world.suits(test, hope):
            return self.world.add(test, hope)
        shared, mask = self.world.shared, self.world.shared_mask
        assert shared is not None  # an empty question suits every test
        care = test.care & mask
        path = self._bridge(shared, care, test.want & care)
        if path is None or len(self.world.plan) + len(path) >= self._longest:
            return False
        return all(self.world.add(step) for step in [*path, test])
