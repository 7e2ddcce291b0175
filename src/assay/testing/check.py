"""`check_agent`: questions whose answers must agree with each other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

from assay.agents.guard import Guard
from assay.agents.malformed import shorten
from assay.core.query import (
    WALK,
    Agent,
    Invalid,
    PlanQuery,
    PlanResponse,
    Response,
    Start,
    WalkQuery,
    agree,
)
from assay.core.setting import OFFERED
from assay.core.symbols import Object, Step
from assay.core.universe import State, Universe
from assay.errors import AgentError, AgentGone, AgentTimeout
from assay.testing.complaint import WITHOUT_CHANCE, Complaint, apart, describe, ways
from assay.testing.footprints import Footprints
from assay.testing.invention import Invention

_LONGEST = 12
_LONGEST_WALK = 24
_TRIES = 40
"""Steps tried in one state of a walk before it is left."""
_STATES = 64
"""States over the agent's own objects that are all started from; if there are more, some are."""
_REPEATED, _NEVER, _TIMES = 6, 60, 5
"""Runs, and refusals, of each action that are asked for again; refusals of one that never ran; how often."""
_PER_RULE = 3
_PATIENCE = 3
"""Questions without a usable answer before the check is given up."""


def check_agent(
    agent: Agent, *, seed: int = 0, questions: int = 40, timeout: float | None = 10.0
) -> list[Complaint]:
    """What is wrong with the agent; empty if nothing was found.

    `questions` counts the different plans that are tried; each is followed by up to eight questions whose
    answers must agree with it (if the agent takes any state; else by one for each of its steps, and preceded
    by those that find steps that run). One that takes any state is first asked to do nothing in each that its
    own objects make up, if these are few. If nothing is wrong so far, runs and refusals of all actions are
    asked for several times more. `timeout` is for one question, in seconds.
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
        self.footprints = Footprints()
        self.answered: list[tuple[PlanQuery, PlanResponse]] = []
        self.attempts: list[tuple[PlanQuery, PlanResponse]] = []
        """Steps that were tried on walks and refused."""
        self.failures = 0
        self.longest = guard.max_plan or _LONGEST_WALK
        self.invent = Invention(self.universe, rng)
        self.own = self.invent.own
        self.starts: list[State] = []
        """States over the agent's own objects that no plan has started from yet."""
        self.guests = [0, 0]
        """Questions that brought new objects: asked, and called invalid."""

    def run(self, count: int) -> None:
        offered = self._declared()
        if self.guard.start is Start.ANY:
            self.starts = self.invent.states(_STATES)
        for state in self.starts.copy():
            self._examine(PlanQuery(state, ()))
        seen = set()
        for number in range(count):
            query = self._question(offered, number) if number else PlanQuery(self._start(offered), ())
            if (key := (query.state.bits, query.plan)) not in seen:
                seen.add(key)
                self._examine(query)
        if self.guard.walks and self.guard.start is Start.ANY and offered:
            self._examine_walk(offered[0])
        elif self.guard.walks:
            said = 'it says that it walks, but is never asked to: that needs states, and start "any"'
            self._complain("declaration", said)
        telling = sorted(self.answered, key=lambda pair: -pair[1].steps)[: max(5, count // 4)]
        for query, before in telling:
            self._expect_again(query, before)
        if not self.complaints:
            self._insist()
        asked, invalid = self.guests
        if asked >= _PATIENCE and asked == invalid:
            said = "it declares that it takes new objects, but calls every question with new objects invalid"
            self._complain("new objects", said)

    def _expect_again(self, query: PlanQuery, before: PlanResponse) -> bool:
        """Whether the same question gets the same answer, or none that can be used."""
        later = self._ask(query)
        if later is None or later == before:
            return True
        said = "asked again after other questions, it answered differently" + apart(before, later)
        self._complain("repeatable", said, (query, before), (query, later))
        return False

    def _insist(self) -> None:
        """Ask again and again for runs and refusals of every action: chance may give one answer twice.

        Of refusals those come first of steps that ran elsewhere: they may have been refused by chance.
        """
        ran: dict[str, list[tuple[PlanQuery, PlanResponse]]] = {a: [] for a in self.vocabulary.action}
        refused = {action: found.copy() for action, found in ran.items()}
        for query, answer in _spread(self.rng.sample(self.answered, len(self.answered))) + self.attempts:
            for action in dict.fromkeys(step.action for step in query.plan[: answer.steps]):
                ran[action].append((query, answer))
            if answer.steps < len(query.plan):
                refused[query.plan[answer.steps].action].append((query, answer))
        for action in self.vocabulary.action:
            refused[action].sort(key=lambda pair: pair[0].plan[pair[1].steps] not in self.footprints.ran)
            most = _REPEATED if ran[action] else _NEVER
            for query, answer in ran[action][:_REPEATED] + refused[action][:most]:
                if not all(self._expect_again(query, answer) for _ in range(_TIMES)):
                    return

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
        if not self.guard.new_objects and not any(
            self.invent.step(a, self.own) for a in self.vocabulary.action
        ):
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
            said = "asked twice in a row, it answered differently" + apart(answer, again)
            self._complain("repeatable", said, (query, answer), (query, again))
            return
        if isinstance(answer, Invalid):
            if query.state.bits in self.known and not query.new_objects:
                said = "it calls a state invalid that it offered or reported itself"
                self._complain("own states", said, (query, answer))
            return
        if self.guard.tells_states and answer.states is None:
            said = "it declares that it tells the states between steps, and does not tell them"
            self._complain("states between", said, (query, answer))
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
        if self.guard.start is not Start.ANY:
            self._trace(query, answer)
        between = range(1, answer.steps)
        for cut in self.rng.sample(between, min(2, len(between))):
            self._examine_middle(query, answer, cut)

    def _examine_walk(self, start: State) -> None:
        """Left to itself as in a run, it does what it also does when asked for it, step by step."""
        try:
            walk = self.guard.walk(WalkQuery(start, WALK))
        except AgentError as error:
            self._complain("walk", str(error.__cause__ or error))
            return
        if isinstance(walk, Invalid):
            self._complain("own states", "it calls a state invalid, for a walk, that it offered itself")
            return
        for step, (before, after) in zip(walk.plan, pairwise((start, *walk.states)), strict=True):
            query, expected = PlanQuery(before, (step,)), PlanResponse(1, after)
            answer = self._ask(query)
            if answer is not None and not agree(answer, expected):
                said = f"left to itself, it says that it did {step}; asked to, it does otherwise"
                self._complain("walk", said + apart(expected, answer), (query, expected), (query, answer))
                return

    def _examine_stop(self, query: PlanQuery, answer: PlanResponse) -> None:
        """The plan stopped early: the refused step did nothing, is refused again, and the rest is idle."""
        plan, steps = query.plan, answer.steps
        self.footprints.refuse(answer.state, plan[steps])
        before = self._expect_prefix(query, answer, steps)
        if before is not None and before.state != answer.state:
            said = f"the refused step {plan[steps]} changed the state"
            shorter = _part(query, query.state, plan[:steps])
            self._complain("refusal", said, (query, answer), (shorter, before))
        if steps + 1 < len(plan):
            shorter = _part(query, query.state, plan[: steps + 1])
            cut = self._ask(shorter)
            if cut is not None and cut != answer:
                said = f"what follows the refused step {plan[steps]} makes a difference"
                self._complain("prefix", said, (query, answer), (shorter, cut))
        if self.guard.start is not Start.RESET:
            alone = _part(query, answer.state, plan[steps : steps + 1])
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
        rest = _part(query, middle.state, query.plan[cut : answer.steps])
        end = self._from_reported(rest)
        if end is not None and (end.steps, end.state) != (answer.steps - cut, answer.state):
            said = "the rest of a plan went differently from the state reported after its beginning"
            said += apart(PlanResponse(answer.steps - cut, answer.state), end)
            begin = _part(query, query.state, query.plan[:cut])
            self._complain("whole state", said, (query, answer), (begin, middle), (rest, end))

    def _trace(self, query: PlanQuery, answer: PlanResponse) -> None:
        """Every state on the way: a step leads from one state to one other, whatever came before."""
        here = query.state
        for done, step in enumerate(query.plan[: answer.steps + 1]):
            there: State | None = None
            shorter, found = query, answer
            if done < answer.steps:
                shorter = _part(query, query.state, query.plan[: done + 1])
                reached = self._expect_prefix(query, answer, done + 1)
                if reached is None:
                    return
                there, found = reached.state, reached
            after = None if there is None else there.bits
            before, *seen = self.footprints.leave(here, step, (after, shorter, found))
            if before != after:
                outcomes = [None if b is None else State(self.universe, b) for b in (before, after)]
                said = (
                    f"{step} went differently from {shorten(str(here), 200)} in two runs: {ways(*outcomes)}"
                )
                self._complain("whole state", said, tuple(seen), (shorter, found))  # type: ignore[arg-type]
                return
            if there is None:
                return
            self.footprints.ran.add(step)
            here = there

    def _expect_prefix(self, query: PlanQuery, answer: PlanResponse, length: int) -> PlanResponse | None:
        """The answer to the plan's first steps, all of which have run before."""
        shorter = _part(query, query.state, query.plan[:length])
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
        if answer.states and length and answer.states[length - 1] != found.state:
            said = f"the state it tells after step {length} is not the one it reports if the plan ends there"
            said += f": {ways(answer.states[length - 1], found.state)}"
            self._complain("states between", said, (query, answer), (shorter, found))
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
        given = PlanQuery(State(self.universe, bits), plan, query.bystanders)
        brought = bool(query.new_objects)
        answer: Response | None = None
        try:
            answer = self.guard.ask(given)
        except AgentGone as error:
            if not self.complaints:  # else why it is gone was said with an earlier question
                self._complain("answer", str(error), (query, None))
            raise _GiveUp from None
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
        if self.guard.stochastic and rule in WITHOUT_CHANCE:
            return
        if sum(c.rule == rule for c in self.complaints) < _PER_RULE:
            texts = tuple(describe(query, answer) for query, answer in concerned)
            complaint = Complaint(rule, sentence, texts)
            if complaint not in self.complaints:
                self.complaints.append(complaint)

    # Questions

    def _question(self, offered: tuple[State, ...], number: int) -> PlanQuery:
        """A plan that goes on from one known to run, or random steps from an offered or random state."""
        rng = self.rng
        bring = self.guard.new_objects and (not self.own or rng.random() < 0.3)
        if self.guard.start is not Start.ANY and not bring:
            return self._walk(offered, number)
        things = self.invent.guests() if bring else self.own
        if self.starts and not bring and rng.random() < 0.5:
            return PlanQuery(self.starts.pop(), self.invent.plan(self.own))
        if self.runs and not bring and rng.random() < 0.7:
            run, end = self._run()
            return PlanQuery(
                run.state, (run.plan + self.invent.plan(things, self.footprints.refused_in(end)))[:_LONGEST]
            )
        plan = self.invent.plan(things)
        if offered and (self.guard.start is not Start.ANY or rng.random() < 0.3):
            return self._bringing(things, rng.choice(offered), plan)
        return self._bringing(things, self.invent.state((*plan, *self.invent.plan(things))), plan)

    def _bringing(self, things: Sequence[Object], state: State, plan: tuple[Step, ...]) -> PlanQuery:
        """The question with all these objects in it, used or not."""
        return PlanQuery.bringing(state, plan, [thing.name for thing in things])

    def _run(self) -> tuple[PlanQuery, State]:
        """A plan that ran, from any start alike: else the one that the first runs have gets most of all."""
        starts: dict[int, list[tuple[PlanQuery, State]]] = {}
        for run, end in self.runs:
            starts.setdefault(run.state.bits, []).append((run, end))
        return self.rng.choice(self.rng.choice(list(starts.values())))

    def _walk(self, offered: tuple[State, ...], number: int) -> PlanQuery:
        """A plan that goes on for some steps that run, then some that may not, from where one may start."""
        rng = self.rng
        began = here = rng.choice(offered)
        if number % 3 == 0 and (circles := self.footprints.circles(began, self.longest, rng)):
            return PlanQuery(began, circles)
        plan: tuple[Step, ...] = ()
        if self.guard.start is Start.VISITED and rng.random() < 0.3:
            began = here = State(self.universe, rng.choice(sorted(self.known)))
        elif self.runs and rng.random() < 0.8:
            run, here = rng.choice(self.runs[-10:])
            began, plan = run.state, run.plan
        for _ in range(rng.randint(1, 4)):
            for step in self._candidates(here):
                query = PlanQuery(began, (*plan, step))
                answer = self._ask(query)
                if not isinstance(answer, PlanResponse) or answer.steps < len(plan):
                    return query
                if answer.steps > len(plan):
                    plan, here = (*plan, step), answer.state
                    self.footprints.ran.add(step)
                    break
                self.footprints.refuse(here, step)
                self.attempts.append((query, answer))
            if len(plan) >= self.longest:
                break
        return PlanQuery(began, (*plan, *self.invent.plan(self.own, self.footprints.refused_in(here))))

    def _candidates(self, here: State) -> list[Step]:
        """Steps to try in a state, those that ran elsewhere first, none that was refused there before."""
        known = sorted(self.footprints.ran)
        tried = self.rng.sample(known, min(len(known), _TRIES)) + self.invent.steps(self.own, _TRIES)
        if self.rng.random() < 0.3:
            self.rng.shuffle(tried)
        refused = self.footprints.refused_in(here)
        return [step for step in dict.fromkeys(tried) if step not in refused]

    def _start(self, offered: tuple[State, ...]) -> State:
        return max(offered, key=len) if offered else self.invent.state(self.invent.plan(self.own))


def _part(query: PlanQuery, state: State, plan: tuple[Step, ...]) -> PlanQuery:
    """A part of the question's plan, in the question's world: with all of its objects."""
    return PlanQuery.bringing(state, plan, [thing.name for thing in query.new_objects])


def _spread(answered: list[tuple[PlanQuery, PlanResponse]]) -> list[tuple[PlanQuery, PlanResponse]]:
    """The same, those first that are the first from their start, then the second ones, and so on."""
    starts: Counter[int] = Counter()
    turns = []
    for query, _ in answered:
        starts[query.state.bits] += 1
        turns.append(starts[query.state.bits])
    return [answered[n] for n in sorted(range(len(answered)), key=turns.__getitem__)]
