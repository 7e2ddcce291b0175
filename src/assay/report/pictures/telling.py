"""The most telling questions of a run, chosen from the journal.

For each literal that an action is known to need: its failing witness, the question in which the agent refused
the action where nothing else was missing, beside a state in which the action ran, the one that differs least.
For each action: its first run, before and after. States inside a plan are not observed; they are told only
where the effects of all steps before them are settled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from assay.core.execution import Execution
from assay.core.query import PlanQuery, PlanResponse
from assay.core.symbols import Step
from assay.core.universe import State, bits_of
from assay.knowledge.dossier import Part, Status
from assay.report.findings import Action, Findings, Point
from assay.report.names import Names
from assay.report.reading import Reading
from assay.report.words import Speaker
from assay.store.journal import Entry

STEPS = 4
"""A longer plan is told by its length."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A state in a question, with what is to be said about it."""

    question: int
    state: State
    kind: str
    """"asked", "ran" or "refused"."""
    caption: str


@dataclass(frozen=True, slots=True)
class Telling:
    question: int
    action: str
    atom: str
    """The fact that the action needs, over its parameters; empty for a first run."""
    literal: str
    says: str
    """What is to be seen, in words."""
    moments: tuple[Moment, ...]
    """The one that matters is the last."""


_Distance = tuple[bool, int, int]
"""Whether the things are others, and how many facts differ: those about them, and all."""


@dataclass(frozen=True, slots=True)
class _Run:
    """A step that ran, from a state that is known."""

    question: int
    step: Step
    before: State
    after: State | None
    values: int
    """What was true of the things in the step, a bit for each lifted atom."""


def telling_questions(reading: Reading, found: Findings) -> list[Telling]:
    """The most telling ones first: actions take turns, and of an action's needs what was seen least is next.

    Where that leaves a choice it is the plainest refusal, the one most like a state in which the action ran.
    After the first refusal of each action come their first runs.
    """
    view = _View(reading)
    left = [refusals for action in found.actions if (refusals := view.refusals(action))]
    runs = [run for action in found.actions if (run := view.first_run(action.name)) is not None]
    turns: list[list[Telling]] = []
    seen: Counter[str] = Counter()
    while left:
        turns.append([])
        for refusals in left:
            chosen = min(refusals, key=lambda pair: (seen[_predicate(pair[1])], pair[0]))
            refusals.remove(chosen)
            seen[_predicate(chosen[1])] += 1
            turns[-1].append(chosen[1])
        left = [refusals for refusals in left if refusals]
    return [told for turn in (*turns[:1], runs, *turns[1:]) for told in turn]


def contradiction(reading: Reading, found: Findings) -> list[tuple[Moment, Moment]]:
    """For each answer that does not go with the others: the state it began in, and the one it ended in."""
    if found.conflict is None:
        return []
    view, entries = _View(reading), reading.fold.entries
    answers = [entries[number - 1] for number in found.conflict.numbers]
    return [view.answer(entry) for entry in answers if entry.query.plan]


class _View:
    """Looks at one journal again and again."""

    def __init__(self, reading: Reading) -> None:
        fold = reading.fold
        learned = fold.knowledge.model()
        self._entries = fold.entries
        self._universe = fold.setting.universe
        self._speaker = Speaker(fold.setting.profile.vocabulary, learned)
        doubtful = {
            c.action for c in fold.claims().values() if c.part is Part.EFFECT and c.status is Status.OPEN
        }
        self._known = learned.action.keys() - doubtful
        self._execution = Execution(learned, self._universe)
        self._runs: dict[str, list[_Run]] = {}
        for entry in self._entries:
            for run in self._passed(entry):
                self._runs.setdefault(run.step.action, []).append(run)

    def refusals(self, action: Action) -> list[tuple[_Distance, Telling]]:
        """A failing witness for each thing that the action is known to need."""
        needs = [p for p in action.points if p.part == Part.PRECONDITION.value and p.witnesses]
        return [told for point in needs if (told := self._refusal(action.name, point)) is not None]

    def first_run(self, action: str) -> Telling | None:
        """The first run of which it is known where it began and where it ended."""
        known = ((run, run.after) for run in self._runs.get(action, ()) if run.after is not None)
        return next((self._first_run(run, after) for run, after in known), None)

    def answer(self, entry: Entry) -> tuple[Moment, Moment]:
        query, response = entry.query, entry.response
        assert isinstance(response, PlanResponse)  # what cannot exist contradicts nothing
        names = Names.of_universe(self._universe)
        tasks = [self._speaker.step(step, names) for step in query.plan]
        request = _plain(", then ".join(tasks)) if len(tasks) <= STEPS else f"do {len(tasks)} steps"
        stopped = response.steps < len(query.plan)
        told = _plain(self._speaker.answer(query, response))
        number = entry.number
        return (
            Moment(number, query.state, "asked", f"Question {number}: asked to {request}."),
            Moment(number, response.state, "refused" if stopped else "ran", told),
        )

    def _refusal(self, action: str, point: Point) -> tuple[_Distance, Telling] | None:
        """The failing witness that differs least from a state in which the action ran, and by how much."""
        seen = [(self._entries[w.question - 1], w) for w in point.witnesses if w.decisive]
        pairs = [(*self._nearest(entry), entry.number, entry, witness) for entry, witness in seen]
        if not pairs:
            return None
        distance, run, number, entry, witness = min(pairs, key=lambda pair: (pair[0], pair[2]))
        response = entry.response
        assert isinstance(response, PlanResponse)  # only a refusal is decisive here
        moments = [Moment(number, response.state, "refused", _told(number, witness.shows))]
        if run is not None:
            task = self._speaker.step(run.step, Names.of_universe(self._universe))
            caption = f"Question {run.question}: here the agent could {_plain(task)}."
            moments.insert(0, Moment(run.question, run.before, "ran", caption))
        literal = point.atom if point.mode == "+" else f"not {point.atom}"
        told = Telling(number, action, point.atom, literal, _plain(point.says), tuple(moments))
        return distance, told

    def _first_run(self, run: _Run, after: State) -> Telling:
        task = _plain(self._speaker.step(run.step, Names.of_universe(self._universe)))
        did = self._speaker.answer(PlanQuery(run.before, (run.step,)), PlanResponse(1, after))
        number = run.question
        moments = (
            Moment(number, run.before, "asked", f"Question {number}: the agent is asked to {task}."),
            Moment(number, after, "ran", _told(number, did)),
        )
        return Telling(number, run.step.action, "", "", f"the first time that it could {task}", moments)

    def _nearest(self, entry: Entry) -> tuple[_Distance, _Run | None]:
        """Of the states in which the refused action ran, the one most like that in which it was refused.

        Like in what the action could look at, before all; among those, like in all else.
        """
        response = entry.response
        assert isinstance(response, PlanResponse)
        step, state = entry.query.plan[response.steps], response.state
        values = self._values(state, step)

        def distance(run: _Run) -> tuple[bool, int]:
            return run.step != step, (run.values ^ values).bit_count()

        runs = self._runs.get(step.action)
        if not runs:
            return (True, 0, 0), None
        nearest = min(map(distance, runs))
        near = [((run.before.bits ^ state.bits).bit_count(), run) for run in runs if distance(run) == nearest]
        rest, run = min(near, key=lambda pair: pair[0])
        return (*nearest, rest), run

    def _values(self, state: State, step: Step) -> int:
        """What the action could look at, a bit for each."""
        places = self._universe.positions(step)
        return bits_of(slot for slot, place in enumerate(places) if state.bits >> place & 1)

    def _passed(self, entry: Entry) -> Iterator[_Run]:
        """The steps that ran, as far as the states before them are known."""
        if not isinstance(response := entry.response, PlanResponse):
            return
        before: State | None = entry.query.state
        for place, step in enumerate(entry.query.plan[: response.steps], start=1):
            if before is None:
                return
            after = response.state if place == response.steps else self._after(before, step)
            yield _Run(entry.number, step, before, after, self._values(before, step))
            before = after

    def _after(self, before: State, step: Step) -> State | None:
        bits = self._execution.apply(before.bits, step) if step.action in self._known else None
        return None if bits is None else State(self._universe, bits)


def _predicate(told: Telling) -> str:
    return told.atom.split()[0]


def _told(number: int, sentence: str) -> str:
    return f"Question {number}: {sentence[:1].lower()}{_plain(sentence[1:])}"


def _plain(text: str) -> str:
    """Without the backquotes around names that cannot be read."""
    return text.replace("`", "")
