"""What learners of conjunctive models share: questions, evidence by action, and what may be claimed of it.

Evidence is single steps of which the states before and after are told: a step of a longer plan counts only
where the agent tells the states between, or was asked for them. Different parameters stand for different
objects and none for a constant; other steps are no evidence.

Guarantee: an action is said to be learned if one conjunctive model is left up to equivalence, and if the
journal shows a run, and a refusal for each literal with it alone turned round. That is strength 0, and no
more is claimed. What is no conjunction over its arguments is reported as open.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import NamedTuple, TypeVar

from assay.core.confinement import distinct_arguments
from assay.core.query import Invalid, PlanQuery, PlanResponse, Response, WalkQuery, WalkResponse
from assay.core.setting import Setting
from assay.core.symbols import Step
from assay.core.universe import State, Universe, bits_of
from assay.learn.conjunctive import VersionSpace
from assay.learn.evidence import Evidence, Example, Point
from assay.learn.features import Features, Numbering, shapes
from assay.learn.finding import Asking, Finding
from assay.learn.situation import Situation, UnaryFacts
from assay.planning.stage import valuation
from assaylab.strategies.findings import finding_of

Told = TypeVar("Told")
Dialogue = Generator[PlanQuery | WalkQuery, Response | WalkResponse, Told]


class Witness(NamedTuple):
    """A run from a known state, in the strategy's universe."""

    state: State
    step: Step
    valuation: int


class ActionRecord:
    """The evidence of one action, and the conjunctive models that it leaves."""

    def __init__(self, features: Features, action: str) -> None:
        vocabulary = features.numbering.vocabulary
        self.header, self.features = vocabulary.action[action], features
        self.atoms = vocabulary.lifted_atoms(action)
        self.evidence = Evidence()
        self.space = VersionSpace(len(self.atoms))
        self.witnesses: list[Witness] = []
        """Runs from states that a question may start from."""
        self.trouble = ""
        """Why no conjunctive model explains it, if none does."""

    @property
    def open(self) -> bool:
        """Whether a question may still tell something."""
        return not self.trouble and not self.space.decided

    def add(self, example: Example) -> None:
        self.evidence.add(example)
        self.space.add(example)
        if self.evidence.conflict:
            self.trouble = "the same situation was answered twice differently"
        elif self.space.collapsed is not None:
            last = self.space.collapsed
            self.trouble = f"no conjunction of facts about its arguments explains answers 1 to {last}"


class ConjunctiveStrategy(ABC):
    def __init__(self, setting: Setting, tells_states: bool) -> None:
        self.setting, self.tells_states = setting, tells_states
        vocabulary = setting.profile.vocabulary
        self.vocabulary = vocabulary
        self.universe = Universe(vocabulary, setting.profile.objects)
        """The objects and facts of all questions. Each question that is asked has a universe of its own."""
        numbering = Numbering(vocabulary)
        self._unary = UnaryFacts(numbering)
        self.records: dict[str, ActionRecord] = {}
        for name in sorted(vocabulary.action):
            different = shapes(vocabulary, name, equality=False)[0]
            self.records[name] = ActionRecord(Features(numbering, different), name)
        self._entry = 0
        self._done = False

    # ---- the seam

    def questions(self, level: int) -> Asking:
        """All questions belong to strength 0."""
        if level == 0:
            yield from self._interrogate()
            self._done = True

    @abstractmethod
    def _interrogate(self) -> Asking:
        """Asks until nothing more can be told apart."""

    def take(self, query: PlanQuery, response: Response, states: tuple[State, ...] | None) -> None:
        self._entry += 1
        if isinstance(response, PlanResponse):
            self._learn(query, response.steps, _known(query, response, states), self._entry)

    def findings(self) -> tuple[Finding, ...]:
        return tuple(
            finding_of(record, self._done, self.setting.equality) for record in self.records.values()
        )

    def progress(self) -> dict[str, int | None]:
        return {
            name: 0 if record.space.decided and not record.trouble else None
            for name, record in self.records.items()
        }

    # ---- questions

    def _ask(self, state: State, plan: tuple[Step, ...]) -> Dialogue[PlanResponse | None]:
        """The answer, with its states in the question's universe; None if the state cannot be."""
        response, _ = yield from self._put(self._question(state, plan))
        return response

    def _put(self, query: PlanQuery) -> Dialogue[tuple[PlanResponse | None, int]]:
        """The answer and its number, after all that it shows was learned."""
        self._entry += 1
        entry = self._entry
        response = yield query
        if not isinstance(response, PlanResponse):
            assert isinstance(response, Invalid)
            return None, entry
        known = _known(query, response, response.states)
        before_last = response.steps - 1
        if before_last > 0 and before_last not in known and self._wanted(query.plan[before_last]):
            known |= yield from self._state_before(query, before_last)
        self._learn(query, response.steps, known, entry)
        return response, entry

    def _state_before(self, query: PlanQuery, step: int) -> Dialogue[dict[int, State]]:
        """Asks for the state before a step of the plan that ran."""
        self._entry += 1
        prefix = yield PlanQuery(query.state, query.plan[:step], query.bystanders)
        if isinstance(prefix, PlanResponse) and prefix.steps == step:
            return {step: prefix.state}
        return {}

    def _wanted(self, step: Step) -> bool:
        return self.records[step.action].open

    def _question(self, state: State, plan: tuple[Step, ...]) -> PlanQuery:
        """The question in a universe of its own."""
        universe = Universe(self.vocabulary, self.setting.profile.objects)
        atoms = sorted(state)
        named = {name for atom in atoms for name in atom.args} | {name for step in plan for name in step.args}
        for name in sorted(named - universe.own):
            universe.add(self.universe.object(name))
        return PlanQuery(universe.state(atoms), plan)

    def _own(self, state: State) -> State:
        """The state in the strategy's universe."""
        for thing in state.universe.objects:
            self.universe.add(thing)
        return self.universe.state(sorted(state))

    # ---- evidence

    def _learn(self, query: PlanQuery, ran: int, known: dict[int, State], entry: int) -> None:
        """Learns from the steps around which the states are known, by how many steps went before."""
        for number, step in enumerate(query.plan[: ran + 1]):
            if number in known and (number == ran or number + 1 in known):
                self._learn_step(step, known[number], known[number + 1] if number < ran else None, entry)

    def _learn_step(self, step: Step, before: State, after: State | None, entry: int) -> None:
        if not distinct_arguments(before.universe, step):
            return
        record, universe = self.records[step.action], before.universe
        others = Situation(self._unary, before).point(record.features, step).others
        own = valuation(universe, step, before.bits)
        later = None
        if after is not None:
            after = after if after.universe is universe else universe.state(sorted(after))
            later = valuation(universe, step, after.bits)
            outside = (before.bits ^ after.bits) & ~bits_of(universe.positions(step))
            if outside:
                changed = min(universe.atoms(outside))
                record.trouble = record.trouble or f"it changes {changed}, which is not about its arguments"
        record.add(Example(Point(own, others), later, entry=entry))
        objects = {thing.name for thing in universe.objects}
        if after is not None and (self.setting.profile.new_objects or objects <= self.universe.own):
            record.witnesses.append(Witness(self._own(before), step, own))


def _known(query: PlanQuery, response: PlanResponse, states: tuple[State, ...] | None) -> dict[int, State]:
    """The states that an answer tells, by the number of steps before."""
    known = {0: query.state, response.steps: response.state}
    if states is not None:
        known |= dict(enumerate(states, start=1))
    return known
