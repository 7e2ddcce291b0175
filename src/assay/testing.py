"""For people who write agents: a checker for their agent, and an agent that answers from a script.

`check_agent` asks an agent a few hundred questions and compares its answers with each other, never with a
model: what it may do is its own business, but its answers must hang together. `RULES` is all it checks;
the first four make an agent usable at all, the others are what every strategy takes for granted, first of
all that an agent runs the longest prefix of a plan and stops where the next step is refused (requirement
(1) of DCDN section 3.2). Whether the agent is a STRIPS agent is not checked here; that is what assay is for.

    def test_my_agent():
        assert_agent(MyAgent())
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from assay.agents.guard import Guard
from assay.agents.wire import shorten
from assay.core.query import Agent, Invalid, PlanQuery, PlanResponse, Response, Start
from assay.core.setting import OFFERED
from assay.core.symbols import Atom, Object, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import AgentError, AgentTimeout, InputError

RULES = {
    "declaration": "it has a vocabulary with predicates and actions, and objects of known types",
    "offer": "the states it offers are made of its own atoms, and it offers some if it starts in no others",
    "answer": "every question gets an answer, in time, that makes sense for the question",
    "hands off": "it leaves the question and its universe as they are",
    "repeatable": "the same question gets the same answer, whatever was asked in between",
    "empty plan": "a plan without steps runs 0 steps and changes nothing",
    "prefix": "a plan that is cut short runs as far as before, or to its end",
    "longest prefix": "a plan stops only where the next step is refused from the state reported",
    "refusal": "a refused step changes nothing",
    "whole state": "what runs next depends on the reported state alone",
    "own states": "a state that it offered or reported is not invalid",
    "new objects": "if it declares that it takes objects beyond its own, it does",
}
"""What `check_agent` checks, by the names its complaints use."""

_LONGEST = 12
_PER_RULE = 3
_PATIENCE = 3
"""Questions without a usable answer before the check is given up."""


@dataclass(frozen=True, slots=True)
class Complaint:
    rule: str
    """A key of `RULES`."""
    sentence: str
    questions: tuple[str, ...] = ()
    """The questions concerned and their answers, in words."""

    def __str__(self) -> str:
        return f"{self.rule}: {self.sentence}" + "".join(f"\n    {text}" for text in self.questions)


def check_agent(
    agent: Agent, *, seed: int = 0, questions: int = 40, timeout: float | None = 10.0
) -> list[Complaint]:
    """What is wrong with the agent; empty if nothing was found.

    `questions` counts the different plans that are tried; each is followed by up to eight questions whose
    answers must agree with it. `timeout` is for one question, in seconds.
    """
    try:
        guard = Guard(agent, timeout)
    except AgentError as error:
        return [Complaint("declaration", str(error))]
    check = _Check(guard, random.Random(seed))
    with suppress(_GiveUp):
        check.run(questions)
    return check.complaints


def assert_agent(agent: Agent, *, seed: int = 0, questions: int = 40, timeout: float | None = 10.0) -> None:
    """Raises `AssertionError` with all complaints, if there are any."""
    complaints = check_agent(agent, seed=seed, questions=questions, timeout=timeout)
    if complaints:
        raise AssertionError("\n".join(map(str, complaints)))


class _GiveUp(Exception):
    pass


class _Check:
    def __init__(self, guard: Guard, rng: random.Random) -> None:
        self.guard, self.rng = guard, rng
        self.vocabulary = guard.vocabulary
        self.universe = Universe(guard.vocabulary, guard.objects)
        self.complaints: list[Complaint] = []
        self.known: set[int] = set()
        """States that the agent offered or reported."""
        self.runs: list[tuple[PlanQuery, State]] = []
        """Plans that ran to their end, and where that is."""
        self.refused: set[tuple[int, Step]] = set()
        """Steps that were refused, and in which states."""
        self.answered: list[tuple[PlanQuery, PlanResponse]] = []
        self.failures = 0
        constants = {c.name for c in self.vocabulary.constants}
        self.own = [o for o in self.universe.objects if o.name not in constants]
        self.constants = list(self.vocabulary.constants)
        self.guests = [0, 0]
        """Questions that brought new objects: asked, and called invalid."""

    def run(self, count: int) -> None:
        offered = self._declared()
        seen = set()
        for number in range(count):
            query = self._question(offered) if number else PlanQuery(self._start(offered), ())
            if (key := (query.state.bits, query.plan)) not in seen:
                seen.add(key)
                self._examine(query)
        telling = sorted(self.answered, key=lambda pair: -pair[1].steps)[: max(5, count // 4)]
        for query, before in telling:
            later = self._ask(query)
            if later is not None and later != before:
                said = "asked again after other questions, it answered differently"
                self._complain("repeatable", said, (query, before), (query, later))
        asked, invalid = self.guests
        if asked >= _PATIENCE and asked == invalid:
            said = "it declares that it takes new objects, but calls every question with new objects invalid"
            self._complain("new objects", said)

    def _declared(self) -> tuple[State, ...]:
        """Checks what the agent says of itself; returns the states it offers."""
        for kind, found in (("predicates", self.vocabulary.predicates), ("actions", self.vocabulary.actions)):
            if not found:
                self._complain("declaration", f"its vocabulary has no {kind}")
        offered: tuple[State, ...] = ()
        try:
            offered = self.guard.states(OFFERED, self.universe)
        except AgentTimeout as error:
            self._complain("offer", str(error))
            raise _GiveUp from None
        except AgentError as error:
            self._complain("offer", str(error))
        self.known |= {s.bits for s in offered}
        if not offered and self.guard.start is not Start.ANY:
            self._complain(
                "offer", f"it starts only in states it knows ({self.guard.start}), but offers none"
            )
        if not self.guard.new_objects and not any(self._step(a, self.own) for a in self.vocabulary.action):
            said = "none of its actions can be asked for: it has too few objects and takes no new ones"
            self._complain("declaration", said)
        if self.complaints:
            raise _GiveUp
        return offered

    def _examine(self, query: PlanQuery) -> None:
        """Asks the question, and the questions that its answer answers already."""
        answer = self._ask(query)
        again = self._ask(query) if answer is not None else None
        if answer is None or again is None:
            return
        if answer != again:
            self._complain(
                "repeatable", "asked twice in a row, it answered differently", (query, answer), (query, again)
            )
            return
        if isinstance(answer, Invalid):
            if query.state.bits in self.known and not query.new_objects:
                said = "it calls a state invalid that it offered or reported itself"
                self._complain("own states", said, (query, answer))
            return
        self.answered.append((query, answer))
        self.known.add(answer.state.bits)
        if not query.plan:
            if answer.state != query.state:
                self._complain("empty plan", "a plan without steps changed the state", (query, answer))
            return
        if answer.steps:
            self.runs.append((PlanQuery(query.state, query.plan[: answer.steps]), answer.state))
        if answer.steps < len(query.plan):
            self._examine_stop(query, answer)
        between = range(1, answer.steps)
        for cut in self.rng.sample(between, min(2, len(between))):
            self._examine_middle(query, answer, cut)

    def _examine_stop(self, query: PlanQuery, answer: PlanResponse) -> None:
        """The plan stopped early: the refused step did nothing, is refused again, and the rest is idle."""
        plan, steps = query.plan, answer.steps
        self.refused.add((answer.state.bits, plan[steps]))
        before = self._expect_prefix(query, answer, steps)
        if before is not None and before.state != answer.state:
            said = f"the refused step {plan[steps]} changed the state"
            shorter = PlanQuery(query.state, plan[:steps])
            self._complain("refusal", said, (query, answer), (shorter, before))
        if steps + 1 < len(plan):
            shorter = PlanQuery(query.state, plan[: steps + 1])
            cut = self._ask(shorter)
            if cut is not None and cut != answer:
                said = f"what follows the refused step {plan[steps]} makes a difference"
                self._complain("prefix", said, (query, answer), (shorter, cut))
        if self.guard.start is not Start.RESET:
            alone = PlanQuery(answer.state, plan[steps : steps + 1])
            refused = self._from_reported(alone)
            if refused is not None and refused.steps:
                said = (
                    f"it stopped before {plan[steps]}, which runs from the state it reported: either the "
                    "plan was not run as far as it goes, or the state does not tell all"
                )
                self._complain("longest prefix", said, (query, answer), (alone, refused))
            elif refused is not None and refused.state != answer.state:
                said = f"the refused step {plan[steps]} changed the state"
                self._complain("refusal", said, (alone, refused))

    def _examine_middle(self, query: PlanQuery, answer: PlanResponse, cut: int) -> None:
        """Cut in two, the part that ran leads to the same state by way of the state between."""
        middle = self._expect_prefix(query, answer, cut)
        if middle is None or self.guard.start is Start.RESET:
            return
        rest = PlanQuery(middle.state, query.plan[cut : answer.steps])
        end = self._from_reported(rest)
        if end is not None and (end.steps, end.state) != (answer.steps - cut, answer.state):
            said = "the rest of a plan went differently from the state reported after its beginning"
            begin = PlanQuery(query.state, query.plan[:cut])
            self._complain("whole state", said, (query, answer), (begin, middle), (rest, end))

    def _expect_prefix(self, query: PlanQuery, answer: PlanResponse, length: int) -> PlanResponse | None:
        """The answer to the plan's first steps, all of which have run before."""
        shorter = PlanQuery(query.state, query.plan[:length])
        found = self._ask(shorter)
        if found is None:
            return None
        if isinstance(found, Invalid) or found.steps != length:
            said = f"of a plan {answer.steps} step(s) ran, but of its first {length} not all"
            self._complain("prefix", said, (query, answer), (shorter, found))
            return None
        if not length and found.state != query.state:
            self._complain("empty plan", "a plan without steps changed the state", (shorter, found))
            return None
        self.known.add(found.state.bits)
        return found

    def _from_reported(self, query: PlanQuery) -> PlanResponse | None:
        """The answer to a question that starts in a state the agent itself reported."""
        answer = self._ask(query)
        if isinstance(answer, Invalid):
            self._complain("own states", "it calls a state invalid that it reported itself", (query, answer))
            return None
        return answer

    def _ask(self, query: PlanQuery) -> Response | None:
        """The agent's answer; None, and a complaint, if it gave none that can be used."""
        bits, plan, objects = query.state.bits, query.plan, self.universe.objects
        given = PlanQuery(State(self.universe, bits), plan)
        brought = bool(query.new_objects)
        answer: Response | None = None
        try:
            answer = self.guard.ask(given)
        except AgentError as error:
            rule = "new objects" if brought else "answer"
            self._complain(rule, str(error.__cause__ or error), (query, None))
            self.failures += 1
            if self.failures >= _PATIENCE or isinstance(error, AgentTimeout):
                raise _GiveUp from None
        if (given.state.bits, given.plan) != (bits, plan) or given.state.universe is not self.universe:
            self._complain("hands off", "it changed the question it was asked", (query, None))
        if self.universe.objects != objects:
            self._complain("hands off", "it put objects into the question's universe", (query, None))
            raise _GiveUp
        if brought:
            self.guests[0] += 1
            self.guests[1] += isinstance(answer, Invalid)
        return answer

    def _complain(self, rule: str, sentence: str, *concerned: tuple[PlanQuery, Response | None]) -> None:
        if sum(c.rule == rule for c in self.complaints) < _PER_RULE:
            texts = tuple(describe(query, answer) for query, answer in concerned)
            complaint = Complaint(rule, sentence, texts)
            if complaint not in self.complaints:
                self.complaints.append(complaint)

    # Questions

    def _question(self, offered: tuple[State, ...]) -> PlanQuery:
        """A plan that goes on from one known to run, or random steps from an offered or random state."""
        rng = self.rng
        bring = self.guard.new_objects and (not self.own or rng.random() < 0.3)
        things = self._guests() if bring else self.own
        if self.runs and not bring and rng.random() < 0.7:
            run, end = rng.choice(self.runs)
            return PlanQuery(run.state, (run.plan + self._plan(things, end))[:_LONGEST])
        plan = self._plan(things)
        if offered and (self.guard.start is not Start.ANY or rng.random() < 0.3):
            return PlanQuery(rng.choice(offered), plan)
        return PlanQuery(self._state(plan), plan)

    def _start(self, offered: tuple[State, ...]) -> State:
        return max(offered, key=len) if offered else self._state(self._plan(self.own))

    def _plan(self, things: Sequence[Object], start: State | None = None) -> tuple[Step, ...]:
        """One to four random steps, the first not one that was refused in the state to start from."""
        plan: list[Step] = []
        for _ in range(self.rng.randint(1, 4)):
            tries = [self._step(self.rng.choice(sorted(self.vocabulary.action)), things) for _ in range(8)]
            steps = [step for step in tries if step is not None]
            if start is not None and not plan:
                steps = [step for step in steps if (start.bits, step) not in self.refused]
            plan += steps[:1]
        return tuple(plan)

    def _step(self, action: str, things: Sequence[Object]) -> Step | None:
        """The action on different objects, constants only where nothing else fits; None if they run out."""
        left = self.rng.sample(things, len(things)) + self.constants
        args = []
        for parameter in self.vocabulary.action[action].parameters:
            fitting = next((o for o in left if self.vocabulary.fits(o.type, parameter.types)), None)
            if fitting is None:
                return None
            left.remove(fitting)
            args.append(fitting.name)
        return Step(action, tuple(args))

    def _state(self, plan: tuple[Step, ...]) -> State:
        """A random state over the atoms that the plan's steps can see."""
        density = self.rng.choice((1.0, 1.0, 0.7, 0.5, 0.3))
        numbers = sorted({n for step in plan for n in self.universe.positions(step)})
        chosen = [self.universe.atom(n) for n in numbers if self.rng.random() < density]
        return self.universe.state(chosen)

    def _guests(self) -> list[Object]:
        """Objects that are not the agent's own: for each type as many as an action can ask for."""
        wanted: dict[str, int] = {}
        for header in self.vocabulary.actions:
            types = [p.types[0] for p in header.parameters]
            for name in types:
                wanted[name] = max(wanted.get(name, 0), types.count(name))
        return [
            self.universe.add(Object(self._free_name(f"new-{name}-{number}"), name))
            for name, count in sorted(wanted.items())
            for number in range(1, count + 1)
        ]

    def _free_name(self, name: str) -> str:
        while name in self.universe.own:
            name += "x"
        return name


def describe(query: PlanQuery, answer: Response | None = None) -> str:
    """A question, and its answer if there is one, in words."""
    text = f"from {shorten(str(query.state), 400)}"
    if brought := query.new_objects:
        text += " with new " + ", ".join(f"{o.type} {o.name}" for o in brought)
    text += f" run {shorten(' '.join(map(str, query.plan)), 400) or 'nothing'}"
    if isinstance(answer, Invalid):
        return f"{text}: invalid" + (f" ({shorten(answer.reason, 100)})" if answer.reason else "")
    if answer is None:
        return text
    return f"{text}: {answer.steps} of {len(query.plan)} steps, then {shorten(str(answer.state), 400)}"


class ScriptedAgent:
    """Answers from a script: a mapping from questions to answers, or a list of answers in order.

    An answer may be a response, a pair of a number of steps and the atoms that hold after them
    (`(1, ["at p1 l1"])`), an exception to raise, or anything else to return as it is.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        answers: Mapping[PlanQuery, object] | Iterable[object],
        *,
        objects: Iterable[Object] = (),
        start: Start | str = Start.ANY,
        new_objects: bool = False,
        states: Iterable[Iterable[str]] = (),
    ) -> None:
        self.vocabulary, self.objects = vocabulary, tuple(objects)
        self.start, self.new_objects = Start(start), new_objects
        self.asked: list[PlanQuery] = []
        """The questions so far."""
        self._states = [[Atom.parse(text) for text in texts] for texts in states]
        self._script = answers if isinstance(answers, Mapping) else iter(answers)

    def ask(self, query: PlanQuery, /) -> Response:
        self.asked.append(query)
        if isinstance(self._script, Mapping):
            if query not in self._script:
                raise InputError(f"the script has no answer to: {describe(query)}")
            answer = self._script[query]
        else:
            try:
                answer = next(self._script)
            except StopIteration:
                raise InputError(f"the script has only {len(self.asked) - 1} answer(s)") from None
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, tuple) and len(answer) == 2:
            steps, texts = answer
            return PlanResponse(steps, query.state.universe.state(map(Atom.parse, texts)))
        return answer  # type: ignore[return-value]  # a script may play a misbehaving agent

    def states(self, count: int, universe: Universe) -> list[State]:
        return [universe.state(atoms) for atoms in self._states[:count]]
