"""The default strategy: as many tests in one question as can pass, so that each question convicts one literal.

A plan runs until its first refusal, so a question can hold any number of tests that pass and at most one
that fails. A precondition literal is certain only once an action failed where nothing else still in
doubt was missing, so a model with K precondition literals needs at least K questions. This strategy
needs K + 1 when every action has a positive example at hand and every shared atom can be restored:

- an action's *example* is a situation where it ran; a *test* is the example with one suspect flipped;
- tests are chained into one plan, each on objects of its own; whatever ran before the refusal is cleared
  and the test at the refusal is convicted;
- atoms that tests share (predicates without arguments, constants) are predicted with the effects known so
  far and restored by a bridge of steps that are sure to run;
- where nothing restores them one question holds one such test, so groups of suspects are halved;
- when the next step depends on an effect not yet known, it is added as a last risky test: the state in
  which it is refused is observed, so the answer counts either way.

Effects cost nothing: each suspect is seen true and false, before and after a run.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass

from assay.core.query import PlanQuery, Response, Start
from assay.core.universe import indices
from assay.errors import InputError
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.bridge import bridge, sure_runs
from assay.strategies.first_example import FirstExample
from assay.strategies.suspicion import Rates, groups
from assay.strategies.world import Shared, Test, World, predict

ENOUGH = 8.0
"""Expected refusals after which a question is long enough."""
MOST_ATOMS = 400_000
"""Size of a question's start state beyond which no further test is added."""


def chain(knowledge: Knowledge) -> Generator[PlanQuery, Response, None]:
    if knowledge.setting.profile.start is not Start.ANY:
        raise InputError("strategy 'chain' needs an agent that can start from any state")
    first = FirstExample(knowledge)
    asked: set[PlanQuery] = set()
    while (query := next((q for q in proposals(knowledge, first) if q not in asked), None)) is not None:
        asked.add(query)
        yield query


def proposals(knowledge: Knowledge, first: FirstExample) -> Iterator[PlanQuery]:
    """Questions worth asking next, best first; none if nothing more can be settled."""
    courses = [
        Course(knowledge, dossier, example)
        for dossier in knowledge.dossiers.values()
        if not dossier.settled and (example := _example(dossier, first, knowledge)) is not None
    ]
    draft = Draft(knowledge)
    patient = [c for c in courses if not draft.exhausts(c)]
    if any(c.unknown for c in patient):
        # another action may turn out to restore what these use up: settle that first
        courses = patient
    else:
        for course in courses:
            if course not in patient:
                course.capacity = 1
    if (longest := knowledge.setting.max_plan) is not None:
        for course in courses:
            course.capacity = min(longest, course.capacity or longest)
    draft.fill(courses)
    if not knowledge.setting.profile.new_objects and draft.crowded:
        for course, placed in draft.crowded.items():
            course.capacity = max(1, placed)
        draft = Draft(knowledge)
        draft.fill(courses)
    if draft.world.plan:
        yield draft.world.query()
    for course in courses:
        draft = Draft(knowledge)
        draft.fill([course])
        if draft.world.plan:
            yield draft.world.query()


def _example(dossier: Dossier, first: FirstExample, knowledge: Knowledge) -> int | None:
    """A valuation where the action ran, or one to try."""
    if dossier.precondition.example is not None:
        return dossier.precondition.example
    return first.propose(dossier, _rejected(knowledge, dossier))


def _rejected(knowledge: Knowledge, dossier: Dossier) -> set[int]:
    """Valuations that the agent called impossible when asked about them alone."""
    return {
        sum(1 << i for i, p in enumerate(knowledge.universe.positions(q.plan[0])) if q.state.bits >> p & 1)
        for q in knowledge.rejected
        if len(q.plan) == 1 and q.plan[0].action == dossier.header.name
    }


@dataclass(eq=False)
class Course:
    """The tests that one action still needs."""

    knowledge: Knowledge
    dossier: Dossier
    example: int
    capacity: int | None = None
    """How many runs of the action one question can hold, if that is limited."""

    @property
    def unknown(self) -> bool:
        """Whether its effects on shared atoms are not settled."""
        return not self.dossier.ran or bool(self.curious)

    @property
    def groping(self) -> bool:
        """Whether it has been refused and never run, so that the next try is little better than a guess."""
        return not self.dossier.ran and self.dossier.tried > 0

    @property
    def curious(self) -> int:
        """Shared atoms on which its effect is not settled."""
        return self.dossier.open_effects & self._shared

    @property
    def _shared(self) -> int:
        return (1 << len(self.knowledge.vocabulary.shared_atoms)) - 1

    def tests(self, rates: Rates) -> Generator[tuple[Test, float], bool, None]:
        """Tests with their chances of being refused, each assuming that those placed before it pass.

        Flips of shared atoms come first: at the start of a question they are free.
        """
        dossier, needs, example = self.dossier, self.dossier.precondition, self.example
        full, shared = dossier.atom_mask, self._shared
        suspects = needs.suspects & full
        if needs.example is None:
            suspects = full
            if not (yield Test(dossier, example, full, self.curious), 0.1 if example == full else 0.5):
                return
        open_atoms = suspects & ~needs.required
        clauses = [] if needs.example is None else [(c.true | c.false) & open_atoms for c in needs.clauses]
        flips = groups(rates.ranked(dossier, example, open_atoms, shared), clauses, self.capacity)
        placed = None
        with suppress(StopIteration):
            while True:
                group, chance = flips.send(placed)
                placed = yield Test(dossier, (example ^ group) & suspects, suspects, self.curious), chance
                if placed:
                    suspects &= ~group
        if not open_atoms:
            for index in indices(dossier.open_needs):
                yield Test(dossier, example & suspects, suspects, pair=index - len(dossier.atoms)), 0.5
            yield from self._sightings(suspects)

    def _sightings(self, suspects: int) -> Iterator[tuple[Test, float]]:
        """Runs that show an effect which no run has shown so far: the atom false for an add, else true."""
        effects, unseen = self.dossier.effects, self.dossier.open_effects
        if unseen:
            want = self.example & suspects | unseen & ~suspects & effects.may_delete
            yield Test(self.dossier, want, suspects | unseen, unseen), 0.0


class Draft:
    """A question being filled with tests."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.world = World(knowledge, random.Random(f"{knowledge.setting.seed} {knowledge.entries}"))
        self.crowded: dict[Course, int] = {}
        """Courses for whose tests there was no room, with how many found some."""
        self.expected = 0.0
        """Refusals to be expected if none ended the question."""
        self._rates = Rates(knowledge)
        self._operators = sure_runs(knowledge)
        self._bridges: dict[tuple[Shared, int, int], list[Test] | None] = {}
        self._longest = knowledge.setting.max_plan or 1 << 30
        if knowledge.rejected and knowledge.last_rejected:
            self._longest = max(1, len(knowledge.rejected[-1].plan) // 2)

    def exhausts(self, course: Course) -> bool:
        """Whether a run uses up a shared atom that the next run would need and nothing is known to restore."""
        needs, mask = course.dossier.precondition, self.world.shared_mask
        care = needs.suspects & mask
        if needs.example is None or not care:
            return False
        known, values = predict(course.dossier.effects, (mask, needs.example & mask), mask)
        if care & ~known:
            return False
        return self._bridge((known, values), care, needs.example & care) is None

    def _bridge(self, shared: Shared, care: int, want: int) -> list[Test] | None:
        key = (shared, care, want)
        if key not in self._bridges:
            self._bridges[key] = bridge(self._operators, shared, care, want, self.world.shared_mask)
        return self._bridges[key]

    def fill(self, courses: list[Course]) -> None:
        """Add tests until a refusal is all but certain, or nothing more fits."""
        leader = next((c for c in courses if c.unknown and not c.groping), None)
        order = sorted(
            courses,
            key=lambda c: (
                c.capacity is None,
                c.groping,
                c is not leader,
                c.dossier.precondition.example is None,
            ),
        )
        for course in order:
            tests = course.tests(self._rates)
            room = None
            placed = 0
            with suppress(StopIteration):
                while True:
                    test, chance = tests.send(room)
                    if (
                        self.expected >= ENOUGH
                        or len(self.world.plan) >= self._longest
                        or self.world.size > MOST_ATOMS
                    ):
                        return
                    room = self._add(test)
                    if room:
                        self.expected += chance
                        placed += 1
                    else:
                        self.crowded[course] = placed

    def _add(self, test: Test) -> bool:
        if self.world.suits(test):
            return self.world.add(test)
        shared, mask = self.world.shared, self.world.shared_mask
        assert shared is not None  # an empty question suits every test
        care = (test.care | test.curious) & mask
        known, values = shared
        want = test.want & test.care | values & ~test.care
        path = self._bridge(shared, care, want & care)
        if path is None or len(self.world.plan) + len(path) >= self._longest:
            return False
        return all(self.world.add(step) for step in [*path, test])
