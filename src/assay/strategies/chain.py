"""The default strategy: as many tests in one question as can pass, so that each convicts one literal.

A plan runs until its first refusal, so a question can hold any number of tests that pass and at most one
that fails. A precondition literal is certain only once an action failed where nothing else still in
doubt was missing, so a model with K precondition literals needs at least K questions. This strategy
needs K + 1 when every action has a positive example at hand and every shared atom can be restored:

- an action that does not run where all its atoms are true needs something false: the agent is asked once to
  do as it likes, which shows where actions run; what it does not show is searched for (`first_example`); with
  atoms that tests share this is the first question, since it shows what becomes of them, too;
- an action's *example* is a situation where it ran; a *test* is the example with one suspect flipped,
  after the example itself has run once more as a control;
- tests are chained into one plan, each on objects of its own; whatever ran before the refusal is cleared
  and the test at the refusal is convicted;
- atoms that tests share (predicates without arguments, constants) are predicted with the effects known so
  far and restored by a bridge of steps that are sure to run;
- where nothing restores them one question holds one such test of an action, but tests of many actions from
  the same start, chosen so that the answer tells most (`trials`);
- an action whose effects on shared atoms are not known yet leads a question, where nothing else can be
  mistaken for its doing; what follows it is risky, but the state of a refusal is observed all the same;
- what is left of such effects is watched for many actions in one question (`sightings`): at the end, or as
  soon as some action can run only so often because what it uses up may or may not be restored by another.

Effects cost nothing: each suspect is seen true and false, before and after a run.

So few questions leave nothing that would show a random or hidden influence on the agent. Therefore every
question goes on, after its tests, with runs of known actions under random values of all atoms that do not
matter. They are reached only if no test is refused, in most runs by the last question, and must all succeed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from assay.core.query import WALK, PlanQuery, PlanResponse, Response, Start, WalkQuery
from assay.errors import InputError
from assay.knowledge.dossier import Dossier
from assay.knowledge.knowledge import Knowledge
from assay.strategies.course import MANY, Course
from assay.strategies.draft import Draft
from assay.strategies.first_example import FirstExample
from assay.strategies.outlook import Outlook
from assay.strategies.suspicion import Rates


def chain(knowledge: Knowledge) -> Generator[PlanQuery | WalkQuery, Response, None]:
    if knowledge.setting.profile.start is not Start.ANY:
        raise InputError("strategy 'chain' needs an agent that can start from any state")
    if not knowledge.vocabulary.actions:
        raise InputError("there is nothing to ask about: the agent names no actions")
    if not knowledge.setting.profile.new_objects and not any(
        all(knowledge.setting.fitting(header)) for header in knowledge.vocabulary.actions
    ):
        raise InputError(
            "there are no objects to ask about: the agent names too few (objects) and accepts no others "
            "(new_objects)"
        )
    first = FirstExample(knowledge)
    rates = Rates(knowledge, Outlook(knowledge, first.changes))
    asked: set[PlanQuery | WalkQuery] = set()
    refused = False

    def worth_asking() -> Iterator[PlanQuery | WalkQuery]:
        yield from walks(knowledge)
        yield from proposals(knowledge, first, rates)

    while (query := next((q for q in worth_asking() if q not in asked), None)) is not None:
        asked.add(query)
        response = yield query
        length = len(query.plan) if isinstance(query, PlanQuery) else 0
        refused = isinstance(response, PlanResponse) and response.steps < length
    if refused and knowledge.complete:
        draft = Draft(knowledge, rates)
        draft.confirm()
        if draft.world.plan:
            yield draft.world.query()


def walks(knowledge: Knowledge) -> Iterator[WalkQuery]:
    """The question that leaves the plan to the agent, if it takes such questions and that is worth one: where
    an action did not run with all its atoms true, or tests share atoms, and it shows what becomes of them."""
    setting, dossiers = knowledge.setting, knowledge.dossiers.values()
    shared = bool(knowledge.vocabulary.shared_atoms)
    if setting.profile.walks and (shared or any(not d.ran and d.tried for d in dossiers)):
        yield from (WalkQuery(state, min(WALK, setting.max_plan or WALK)) for state in setting.offered[:1])


def proposals(knowledge: Knowledge, first: FirstExample, rates: Rates) -> Iterator[PlanQuery]:
    """Questions worth asking next, best first; none if nothing more can be settled."""
    rates.update()
    courses = [
        course
        for dossier in knowledge.dossiers.values()
        if not dossier.settled and (course := _course(knowledge, dossier, first)) is not None
    ]
    draft = Draft(knowledge, rates)
    for course in courses:
        course.runs = draft.runs(course)
    if courses and all(course.watching for course in courses):
        yield from _watching(knowledge, rates, courses)
    every = courses
    patient = [c for c in courses if c.runs == MANY]
    if any(c.unknown for c in patient):
        # another action may turn out to restore what these use up: settle that first
        courses = patient
    else:
        if any(c.runs < MANY for c in courses):
            yield from _watching(knowledge, rates, courses)
        for course in courses:
            course.capacity = course.runs if course.runs < MANY else None
    if (longest := knowledge.setting.max_plan) is not None:
        for course in courses:
            course.capacity = min(longest, course.capacity or longest)
    waiting = [c for c in every if c not in courses]
    draft.fill(courses, waiting)
    if not knowledge.setting.profile.new_objects and any(left for left, _ in draft.room.values()):
        for course, (left, placed) in draft.room.items():
            course.capacity = max(1, placed) if left else course.capacity
        draft = Draft(knowledge, rates)
        draft.fill(courses, waiting)
    if draft.world.plan:
        yield draft.world.query()
    for course in every:  # also those that were to wait, if the others cannot be asked about
        draft = Draft(knowledge, rates)
        draft.fill([course], [c for c in every if c is not course])
        if draft.world.plan:
            yield draft.world.query()


def _watching(knowledge: Knowledge, rates: Rates, courses: list[Course]) -> Iterator[PlanQuery]:
    """The question that shows most of unknown effects on shared atoms, if there is one."""
    draft = Draft(knowledge, rates)
    draft.watch(courses)
    if draft.world.plan:
        yield draft.world.query()


def _course(knowledge: Knowledge, dossier: Dossier, first: FirstExample) -> Course | None:
    """The action's tests, if there is a valuation where it ran, or one to try."""
    example, guess = dossier.precondition.example, None
    if example is None:
        guess = first.propose(dossier, _rejected(knowledge, dossier))
        example = guess.valuation
    return None if example is None else Course(knowledge, dossier, example, guess)


def _rejected(knowledge: Knowledge, dossier: Dossier) -> set[int]:
    """Valuations that the agent called impossible when asked about them alone."""
    return {
        sum(1 << i for i, p in enumerate(knowledge.universe.positions(q.plan[0])) if q.state.bits >> p & 1)
        for q in knowledge.rejected
        if len(q.plan) == 1 and q.plan[0].action == dossier.header.name
    }
