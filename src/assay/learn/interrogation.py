"""The strategy `interrogate`: asks an agent that takes any state, and learns ADL at a strength.

It runs one learner per action (and per way in which parameters may coincide), lets the packer put their probes into
questions, reads from each answer at which point every step was tried, and hands that to the learners. It is a
function of its setting and the answers: the same seed and the same agent give the same questions.

Where an agent tells only the last state of a question, the states between are what the hypotheses foretell; the
last one must then be as foretold, everywhere, or prefixes of the plan are asked until the step that was not is known.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable, Sequence
from itertools import islice, permutations

from assay.core.query import WALK, Invalid, PlanQuery, PlanResponse, Response, Start, WalkQuery, WalkResponse
from assay.core.setting import Setting
from assay.core.symbols import Atom, Step
from assay.core.universe import State
from assay.errors import InputError
from assay.learn.action import ActionLearner
from assay.learn.evidence import Change, Example, Point
from assay.learn.features import Features, Numbering, Profile, shapes
from assay.learn.finding import Asking, Finding
from assay.learn.harvest import finding_of
from assay.learn.packing import Builder, Item, Packer, Pending, Question, residents
from assay.learn.probe import Answers, Impossible, Steps
from assay.learn.situation import Situation, UnaryFacts, outside, strangers

MOST_STEPS = 60
"""Probes per question unless the agent wants shorter plans."""
MOST_OFFERED = 400
"""Different steps in offered situations that serve as first examples, per action."""
MOST_STEPS_LOOKED_AT = 4000
"""Steps of one action in one offered situation."""


class Interrogation:
    def __init__(self, setting: Setting, tells_states: bool) -> None:
        vocabulary = setting.profile.vocabulary
        if setting.profile.start is not Start.ANY:
            raise InputError("strategy 'interrogate' asks about any state; 'acting' is made for this start")
        if setting.equality:
            raise InputError(
                "strategy 'interrogate' takes different parameters for different objects; --equality is not for it"
            )
        self.setting, self.tells_states = setting, tells_states
        self._numbering = Numbering(vocabulary)
        self._unary = UnaryFacts(self._numbering)
        self._constants = frozenset(c.name for c in vocabulary.constants)
        own = [o for o in setting.profile.objects if o.name not in self._constants]
        self._residents = residents(own)
        self.learners: list[ActionLearner] = []
        self._by_shape: dict[tuple[str, tuple[str, ...]], ActionLearner] = {}
        for header in sorted(vocabulary.actions, key=lambda a: a.name):
            for shape in shapes(vocabulary, header.name, setting.equality):
                self._enroll(Features(self._numbering, shape))
        self._packer = Packer(
            self.learners, tells_states, min(MOST_STEPS, setting.max_plan or MOST_STEPS), setting.max_plan
        )
        self._builder = Builder(setting.universe, setting.profile.new_objects)
        self._running: dict[ActionLearner, Steps] = {}
        self._pending: dict[ActionLearner, Pending] = {}
        self._entry = 0

    def _enroll(self, features: Features) -> None:
        rng = random.Random(f"{self.setting.seed}/{features.shape.name}")
        learner = ActionLearner(features, rng, self._residents)
        learner.foretold = self.tells_states
        self.learners.append(learner)
        self._by_shape[features.shape.action, features.shape.parameters] = learner

    # ---- the loop

    def questions(self, level: int) -> Asking:
        self._pending.clear()
        for learner in self.learners:
            self._running[learner] = learner.probes(level)
            self._resume(learner, None)
        if level == 0 and self._pending:
            yield from self._round()
            if self.setting.profile.walks and self.setting.offered and not all(map(_ran, self.learners)):
                yield from self._walk()
            self._take_offered()
        while self._pending:
            yield from self._round()

    def _round(self) -> Asking:
        items = self._packer.next(self._pending)
        question = self._builder.build(items) if items else None
        if question is None:
            self._reject(items)
            return
        self._entry += 1
        response = yield question.query
        if isinstance(response, Invalid):
            self._reject(items)
            return
        assert isinstance(response, PlanResponse)
        self._packer.room = min(self._packer.most_steps, 2 * self._packer.room)
        states = yield from self._states(question, response)
        self._hand_out(question, response.steps, states)

    def _reject(self, items: Sequence[Item]) -> None:
        """A question that cannot be put: smaller ones next; if it was a single probe, that one is impossible."""
        if len(items) > 1:
            self._packer.room = max(1, min(self._packer.room, len(items)) // 2)
            return
        for item in items:
            learner, waiting = item.learner, self._pending[item.learner]
            assert item.number is not None
            self._packer.stalled = False
            learner.prober.impossible += 1
            learner.rule_out(waiting.probes[item.number])
            self._resolve({learner: {item.number: Impossible()}})

    # ---- what an answer shows

    def _states(
        self, question: Question, response: PlanResponse
    ) -> Generator[PlanQuery | WalkQuery, Response | WalkResponse, list[State]]:
        """The state before the first step and after each step that ran; fewer if later ones are not known."""
        first = question.query.state
        if response.states is not None:
            return [first, *response.states]
        if response.steps == 0:
            return [first]
        foretold = self._foretell(question, response.steps)
        if foretold[-1] == response.state or response.steps == 1:
            return [*foretold[:-1], response.state]
        low, high, last = 0, response.steps, response.state
        while high - low > 1:
            middle = (low + high) // 2
            plan = question.query.plan[:middle]
            self._entry += 1
            objects = [o.name for o in question.query.new_objects]
            prefix = yield PlanQuery.bringing(first, plan, objects)
            if (
                isinstance(prefix, PlanResponse)
                and prefix.steps == middle
                and prefix.state == foretold[middle]
            ):
                low = middle
            elif isinstance(prefix, PlanResponse) and prefix.steps == middle:
                high, last = middle, prefix.state
            else:
                return foretold[: low + 1]
        return [*foretold[: low + 1], last]

    def _foretell(self, question: Question, steps: int) -> list[State]:
        state = question.query.state
        states, situation = [state], Situation(self._unary, state)
        for item, step in zip(question.items[:steps], question.query.plan, strict=False):
            after = self._predicted(item, step, state, situation)
            situation.apply(state.universe.atoms(state.bits ^ after.bits), after)
            states.append(state := after)
        return states

    def _predicted(self, item: Item, step: Step, state: State, situation: Situation) -> State:
        features, hypothesis = item.learner.features, item.learner.hypothesis
        point = situation.point(features, step)
        names = situation.names(features, step)
        turned = point.own ^ hypothesis.predict(*point)
        atoms = set(features.atoms(turned, names))
        if hypothesis.touches_others:
            row = hypothesis.row_of(*point)
            for thing in state.universe.objects:
                if thing.name not in step.args and thing.name not in self._constants:
                    profile = situation.profile(features, step, thing.name)
                    change = profile[1] ^ hypothesis.predict_other(row, profile)
                    atoms.update(features.profile_atoms((profile[0], change), thing.name, names))
        return State(state.universe, state.bits ^ state.universe.bits(atoms))

    def _hand_out(self, question: Question, ran: int, states: list[State]) -> None:
        answers: dict[ActionLearner, dict[int, Example | Impossible]] = {}
        situation = Situation(self._unary, states[0])
        for number, (item, step) in enumerate(zip(question.items, question.query.plan, strict=True)):
            if number >= len(states) or number > ran:
                break
            after = states[number + 1] if number + 1 < len(states) else None
            if after is None and number != ran:
                break
            direct = self.tells_states or len(question.items) == 1 or number + 1 >= min(ran, len(states) - 1)
            sure = self.tells_states or after is None or (direct and number == 0)
            example = self._learn(item.learner, step, situation, states[number], after, direct, sure)
            if item.number is not None:
                self._settle(item, example, answers, len(question.items) == 1)
        self._packer.stalled = not answers
        self._resolve(answers)

    def _learn(
        self,
        learner: ActionLearner,
        step: Step,
        situation: Situation,
        before: State,
        after: State | None,
        direct: bool,
        sure: bool = True,
    ) -> Example:
        """Adds what this step shows to the learner's evidence, and moves the situation on."""
        features = learner.features
        point = situation.point(features, step)
        if after is None:
            example = Example(point, None, entry=self._entry, direct=direct)
            learner.take(example)
            return example
        turned = before.universe.atoms(before.bits ^ after.bits)
        watched = self._watched(learner, step, situation, turned)
        situation.apply(turned, after)
        changes = {
            Change(kind, facts, situation.profile(features, step, name)[1])
            for name, (kind, facts) in watched.items()
        }
        own = situation.point(features, step).own
        example = Example(point, own, tuple(sorted(changes)), self._entry, direct=direct, sure=sure)
        learner.take(example)
        if odd := outside(turned, step, self._constants):
            learner.trouble = learner.trouble or f"it changes {odd[0]}, a fact about two other objects"
        return example

    def _watched(
        self, learner: ActionLearner, step: Step, situation: Situation, turned: list[Atom]
    ) -> dict[str, Profile]:
        """The objects related to an argument, those that change, and one of each kind if others change at all."""
        features = learner.features
        changing = strangers(turned, step, self._constants)
        names = {*changing, *situation.related(features, step)}
        if changing or learner.hypothesis.touches_others:
            names.update(situation.one_of_each_kind(features, step, names))
        return {name: situation.profile(features, step, name) for name in sorted(names)}

    def _settle(
        self,
        item: Item,
        example: Example,
        answers: dict[ActionLearner, dict[int, Example | Impossible]],
        alone: bool,
    ) -> None:
        """The example answers the probe if the situation was as wanted."""
        learner, number = item.learner, item.number
        assert number is not None
        waiting = self._pending[learner]
        probe = waiting.probes[number]
        hypothesis = learner.hypothesis
        as_wanted = (example.point.own ^ probe.own) & ~probe.free == 0 and (
            probe.quantified is None
            or hypothesis.row_of(*example.point) >> hypothesis.features.width == probe.quantified
        )
        learner.prober.possible += 1
        stored = hypothesis.evidence.at.get(example.point, example)
        stored.crowd = stored.crowd or probe.crowd
        if probe.alone:
            learner.coverage.shown_alone.add(Point(probe.own, frozenset(probe.others)))
        if as_wanted or (alone and probe.expect is None):
            answers.setdefault(learner, {})[number] = example
        elif alone:
            learner.rule_out(probe)
            answers.setdefault(learner, {})[number] = Impossible()
        else:
            waiting.tries[number] += 1

    def _resolve(self, answers: dict[ActionLearner, dict[int, Example | Impossible]]) -> None:
        for learner, found in answers.items():
            waiting = self._pending[learner]
            surprise = any(
                isinstance(e, Example) and waiting.probes[n].expect not in (None, e.ran)
                for n, e in found.items()
            )
            left = {n: p for n, p in waiting.probes.items() if n not in found}
            if waiting.ordered or surprise or not left or learner.trouble:
                self._resume(learner, found)
            else:
                self._pending[learner].probes = left

    def _resume(self, learner: ActionLearner, answers: Answers | None) -> None:
        self._pending.pop(learner, None)
        while not learner.trouble:
            try:
                batch = (
                    next(self._running[learner]) if answers is None else self._running[learner].send(answers)
                )
            except StopIteration:
                return
            if batch.probes:
                self._pending[learner] = Pending(batch.ordered, dict(enumerate(batch.probes)))
                return
            answers = {}

    # ---- situations that the agent shows

    def _take_offered(self) -> None:
        """Own facts of steps in offered situations: candidates for first examples of what has not run yet."""
        for learner in self.learners:
            features, found = learner.features, dict[int, None]()
            for state in self.setting.offered if not _ran(learner) else ():
                situation = Situation(self._unary, state)
                for step in self._steps(features, state):
                    found.setdefault(situation.point(features, step).own)
                if len(found) >= MOST_OFFERED:
                    break
            learner.offered.extend(sorted(found, key=lambda own: (-own.bit_count(), own)))

    def _steps(self, features: Features, state: State) -> Iterable[Step]:
        fits = self._numbering.vocabulary.fits
        names = [o for o in state.universe.objects if o.name not in self._constants]
        header = self._numbering.vocabulary.action[features.shape.action]
        types = {p.name: p.types for p in header.parameters}
        for chosen in islice(permutations(names, len(features.parameters)), MOST_STEPS_LOOKED_AT):
            pairs = zip(chosen, features.parameters, strict=True)
            if all(fits(thing.type, types[p]) for thing, p in pairs):
                yield features.arguments(tuple(thing.name for thing in chosen))

    def _walk(self) -> Asking:
        """What the agent does when it is left to itself: runs, labelled with their states."""
        self._entry += 1
        without = [learner for learner in self.learners if not _ran(learner)]
        response = yield WalkQuery(self.setting.offered[0], WALK)
        if isinstance(response, WalkResponse):
            self.take_steps(self.setting.offered[0], response.plan, response.states)
            for learner in filter(_ran, without):
                self._running[learner] = learner.probes(0)
                self._resume(learner, None)

    def take(self, query: PlanQuery, response: Response, states: tuple[State, ...] | None) -> None:
        self._entry += 1
        if not isinstance(response, PlanResponse):
            return
        if states is None and len(query.plan) > 1:
            return  # what happened between is not known
        states = states if states is not None else (response.state,) * response.steps
        before = (query.state, *states)
        self.take_steps(query.state, query.plan[: response.steps], states)
        if response.steps < len(query.plan):
            step = query.plan[response.steps]
            learner = self._learner_of(step)
            if learner is not None:
                self._learn(learner, step, Situation(self._unary, before[-1]), before[-1], None, direct=True)

    def take_steps(self, state: State, plan: Sequence[Step], states: Sequence[State]) -> None:
        """Steps that ran, as evidence: of a walk, an episode, a log."""
        situation = Situation(self._unary, state)
        for step, after in zip(plan, states, strict=True):
            learner = self._learner_of(step)
            if learner is not None:
                self._learn(learner, step, situation, state, after, direct=True)
            else:
                situation.apply(state.universe.atoms(state.bits ^ after.bits), after)
            state = after

    def _learner_of(self, step: Step) -> ActionLearner | None:
        """The learner of the step's shape; None if the step names a constant or repeats an argument unasked."""
        if not self._constants.isdisjoint(step.args):
            return None
        names = [p.name for p in self._numbering.vocabulary.action[step.action].parameters]
        leaders = tuple(names[step.args.index(a)] for a in step.args)
        return self._by_shape.get((step.action, leaders))

    # ---- what is known

    def progress(self) -> dict[str, int | None]:
        return {learner.name: learner.level for learner in self.learners}

    def findings(self) -> tuple[Finding, ...]:
        return tuple(map(finding_of, self.learners))


def _ran(learner: ActionLearner) -> bool:
    return any(e.ran for e in learner.hypothesis.evidence.examples)
