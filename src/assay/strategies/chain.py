"""The default strategy: as many tests in one question as can pass, so that each convicts one literal.

A plan runs until its first refusal, so a question can hold any number of tests that pass and at most one
that fails. A precondition literal is certain only once an action failed where nothing else still in
doubt was missing, so a model with K precondition literals needs at least K questions. This strategy
needs K + 1 when every action has a positive example at hand and every shared atom can be restored:

- an action's *example* is a situation where it ran; a *test* is the example with one suspect flipped,
  after the example itself has run once more as a control;
- tests are chained into one plan, each on objects of its own; whatever ran before the refusal is cleared
  and the test at the refusal is convicted;
- atoms that tests share (predicates without arguments, constants) are predicted with the effects known so
  far and restored by a bridge of steps that are sure to run;
- where nothing restores them one question holds one such test, so groups of suspects are halved;
- an action whose effects on shared atoms are not known yet leads a question, where nothing else can be
  mistaken for its doing; what follows it is risky, but the state of a refusal is observed all the same.

Effects cost nothing: each suspect is seen true and false, before and after a run.

So few questions leave nothing that would show a random or hidden influence on the agent. Therefore every
question goes on, after its tests, with runs of known actions under random values of all atoms that do not
matter. They are reached only if no test is refused, in most runs by the last question, and must all succeed.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from assay.core.query import PlanQuery, PlanResponse, Response, Start
from assay.core.universe import indices
from assay.errors import InputError
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.bridge import bridge, sure_runs
from assay.strategies.first_example import FirstExample
from assay.strategies.suspicion import Rates, density, group_size, groups, limited_groups, shared_groups
from assay.strategies.world import Shared, Test, World, generous, predict

ENOUGH = 8.0
"""Expected refusals after which a question is long enough."""
UNLIKELY = 0.5
"""Expected refusals below which a question is extended by steps that may well have nothing to stand on."""
CONFIRMATIONS = 5
"""Runs per known action that a question is extended by."""
MOST_MISSES = 6
"""Tests of an action in a row without a place in the question, after which the rest are not looked at."""
MANY = 50
"""Runs of an action in one question from which on they count as unlimited."""
MOST_ATOMS = 400_000
"""Size of a question's start state beyond which no further test is added."""


def chain(knowledge: Knowledge) -> Generator[PlanQuery, Response, None]:
    if knowledge.setting.profile.start is not Start.ANY:
        raise InputError("strategy 'chain' needs an agent that can start from any state")
    first, rates = FirstExample(knowledge), Rates(knowledge)
    asked: set[PlanQuery] = set()
    refused = False
    while (
        query := next((q for q in proposals(knowledge, first, rates) if q not in asked), None)
    ) is not None:
        asked.add(query)
        response = yield query
        refused = isinstance(response, PlanResponse) and response.steps < len(query.plan)
    if refused and knowledge.complete:
        draft = Draft(knowledge, rates)
        draft.confirm()
        if draft.world.plan:
            yield draft.world.query()


def proposals(knowledge: Knowledge, first: FirstExample, rates: Rates) -> Iterator[PlanQuery]:
    """Questions worth asking next, best first; none if nothing more can be settled."""
    rates.update()
    courses = [
        Course(knowledge, dossier, example)
        for dossier in knowledge.dossiers.values()
        if not dossier.settled and (example := _example(dossier, first, knowledge)) is not None
    ]
    draft = Draft(knowledge, rates)
    for course in courses:
        course.runs = draft.runs(course)
    patient = [c for c in courses if c.runs == MANY]
    if any(c.unknown for c in patient):
        # another action may turn out to restore what these use up: settle that first
        courses = patient
    else:
        for course in courses:
            course.capacity = course.runs if course.runs < MANY else None
    if (longest := knowledge.setting.max_plan) is not None:
        for course in courses:
            course.capacity = min(longest, course.capacity or longest)
    draft.fill(courses)
    if not knowledge.setting.profile.new_objects and any(left for left, _ in draft.room.values()):
        for course, (left, placed) in draft.room.items():
            course.capacity = max(1, placed) if left else course.capacity
        draft = Draft(knowledge, rates)
        draft.fill(courses)
    if draft.world.plan:
        yield draft.world.query()
    for course in courses:
        draft = Draft(knowledge, rates)
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
    runs: int = MANY
    """How often one question can run the action, as far as known."""
    capacity: int | None = None
    """How many tests of the action one question is to hold, if that is limited."""

    @property
    def unknown(self) -> bool:
        """Whether its effects on shared atoms are not settled."""
        return not self.dossier.ran or bool(self.dossier.open_effects & self._shared)

    @property
    def groping(self) -> bool:
        """Whether it has been refused and never run, so that the next try is little better than a guess."""
        return not self.dossier.ran and self.dossier.tried > 0

    @property
    def steady(self) -> bool:
        """Whether it can run again and again and nothing about shared atoms is in question."""
        if self.fresh or self.unknown or self.dossier.open_needs & self._shared:
            return False
        return self.runs == MANY and self.capacity is None

    @property
    def watching(self) -> bool:
        """Whether only effects are left to be seen."""
        return self.dossier.ran and not self.dossier.open_needs

    @property
    def fresh(self) -> bool:
        """Whether no valuation is known for certain in which it runs."""
        return self.dossier.precondition.example is None

    @property
    def _shared(self) -> int:
        return (1 << len(self.knowledge.vocabulary.shared_atoms)) - 1

    def tests(self, rates: Rates) -> Generator[tuple[Test, float], bool | None, None]:
        """Tests with their chances of being refused, each assuming that those placed before it pass.

        Flips of shared atoms come first: at the start of a question they are free.
        """
        dossier, needs, example = self.dossier, self.dossier.precondition, self.example
        full, shared = dossier.atom_mask, self._shared
        suspects = needs.suspects & full
        if needs.example is None:
            suspects = full
            guess = Test(dossier, example, full)
            if not (yield guess, 0.1 if example == full else 0.5):
                return
            if (
                shared
            ):  # once more unchanged: a refusal can only be due to shared atoms that the first run changed
                yield guess, 0.2
        open_atoms = suspects & ~needs.required
        if self.steady and open_atoms:  # the control: a refusal right after it is due to what was flipped
            yield Test(dossier, example & suspects, suspects), 0.0
        clauses = [] if needs.example is None else [(c.true | c.false) & open_atoms for c in needs.clauses]
        outer = rates.ranked(dossier, example, open_atoms & shared)
        inner = rates.ranked(dossier, example, open_atoms & ~shared)
        accused = [c for c in clauses if not c & shared]
        for flips in (
            shared_groups(dossier, outer, clauses, self.runs < MANY),
            limited_groups(inner, accused, self.capacity, density(dossier, full & ~shared))
            if self.capacity is not None and self.capacity < len(inner)
            else groups(inner, accused, group_size(dossier)),
        ):
            placed: bool | None = None
            with suppress(StopIteration):
                while True:
                    group, chance = flips.send(placed)
                    placed = yield Test(dossier, (example ^ group) & suspects, suspects), chance
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
            yield Test(self.dossier, want, suspects | unseen, watch=unseen & self._shared), 0.0


class Draft:
    """A question being filled with tests."""

    def __init__(self, knowledge: Knowledge, rates: Rates) -> None:
        self.knowledge = knowledge
        self.world = World(knowledge, random.Random(f"{knowledge.setting.seed} {knowledge.entries}"))
        self.room: dict[Course, list[int]] = {}
        """Tests per course that found no place, and that found one."""
        self._expected = 0.0
        self._watched = 0
        """Shared atoms that must stay as they are, for an effect on them to be seen at the end."""
        self._rates = rates
        self._operators = sure_runs(knowledge)
        self._bridges: dict[tuple[Shared, int, int], list[Test] | None] = {}
        self._longest = knowledge.setting.max_plan or 1 << 30
        if knowledge.rejected and knowledge.last_rejected:
            self._longest = max(1, len(knowledge.rejected[-1].plan) // 2)

    def runs(self, course: Course) -> int:
        """How often one question can run the action, as far as known: it may use up shared atoms it needs."""
        needs, mask = course.dossier.precondition, self.world.shared_mask
        care = needs.suspects & mask
        if needs.example is None or not care:
            return MANY
        want = needs.example & care
        shared = mask, generous(want, care, mask)
        for count in range(1, MANY):
            known, values = predict(course.dossier.effects, shared, mask)
            path = self._bridge((known, values), care & known, want & known)
            if path is None:
                return count
            shared = known, values
            for step in path:
                shared = predict(step.dossier.effects, shared, mask)
            if count > 1 and not path:
                break
        return MANY

    def _bridge(self, shared: Shared, care: int, want: int) -> list[Test] | None:
        key = (shared, care, want)
        if key not in self._bridges:
            self._bridges[key] = bridge(self._operators, shared, care, want, self.world.shared_mask)
        return self._bridges[key]

    def fill(self, courses: list[Course]) -> None:
        """Add tests until a refusal is all but certain, or nothing more fits."""
        leaders = [c for c in courses if c.unknown and not c.groping and not c.watching]
        leader = max(leaders, key=lambda c: bool(c.dossier.precondition.clauses), default=None)

        def rank(course: Course) -> tuple[int, ...]:
            limited = course.capacity is not None and not course.watching
            guesses = len(course.dossier.atoms) if course.groping else 0  # fewer atoms, fewer guesses
            return not limited, course.watching, guesses, course is not leader, course.fresh

        order = sorted(courses, key=rank)
        self._go_through(order, hope=False)
        if self._expected < UNLIKELY:
            self._go_through(order, hope=True)
        if (
            self.world.plan
            and self.knowledge.setting.profile.new_objects
            and not any(c.watching for c in courses)
        ):
            self.confirm()  # on objects of their own, where they cannot hide an effect to be seen

    def confirm(self) -> None:
        """Add runs that must succeed, whatever the values of the atoms that do not matter."""
        rng = random.Random(f"{self.knowledge.setting.seed} confirm")
        for test in self._operators * CONFIRMATIONS:
            if self._full():
                return
            free = test.dossier.atom_mask & ~test.care
            self._add(
                replace(test, want=test.want | rng.getrandbits(free.bit_length() + 1) & free), hope=False
            )

    def _go_through(self, courses: list[Course], hope: bool) -> None:
        for course in courses:
            tests = course.tests(self._rates)
            placed: bool | None = None
            misses = 0
            with suppress(StopIteration):
                while True:
                    test, chance = tests.send(placed)
                    if self._full():
                        return
                    placed = self._add(test, hope)
                    self.room.setdefault(course, [0, 0])[placed] += 1
                    if placed:
                        misses = 0
                        self._expected += chance
                        self._watched |= test.watch
                    elif (misses := misses + 1) > MOST_MISSES:
                        break

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
