"""The wrapper that makes a black box safe to talk to, and counts what talking to it costs.

Whatever an agent does, its guard either returns an answer that makes sense for the question or raises
`AgentError` (`AgentTimeout` if it was too slow) naming the question by its number. An answer makes sense
when it is `Invalid`, or a number of steps the plan has and a state made of atoms that the vocabulary and the
question's objects allow; if the agent tells the states between steps, there are as many and the last is that
state. To a policy question the answer is one trace per run, and each must be a run of the
question's policy. Whether it is true is not the guard's business.

With a time limit, the agent runs in a thread of its own. A thread cannot be stopped, so after a timeout
the guard asks no more: the agent may still be busy with the old question. An adapter that keeps a time
limit itself (it declares `time_limit`) and can stop its agent for good is called directly.
"""

from __future__ import annotations

import queue
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from types import TracebackType
from typing import Any, Self, TypeVar

from assay.agents.malformed import shorten
from assay.agents.rollouts import rollouts
from assay.agents.wire import HELLO_SECONDS
from assay.core.limits import LONGEST_REASON, check_size
from assay.core.policy import End, PolicyQuery, PolicyResponse, Trace, check_trace
from assay.core.quantity import count
from assay.core.query import (
    Agent,
    Invalid,
    PlanQuery,
    PlanResponse,
    Profile,
    Response,
    WalkQuery,
    WalkResponse,
)
from assay.core.symbols import Object
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import AgentError, AgentGone, AgentTimeout, AssayError, InputError

_Value = TypeVar("_Value")


class Guard:
    questions: int
    """Questions asked, those that went wrong included."""
    steps: int
    """Actions tried in the agent: those that ran, and the refused one where a plan stopped early."""
    seconds: float
    """Time spent inside the agent, answering."""

    def __init__(self, agent: Agent, timeout: float | None = None) -> None:
        if timeout is not None and not timeout > 0:
            raise InputError(f"the time limit must be more than 0 seconds, not {timeout}")
        profile = check_profile(agent)
        self.vocabulary, self.objects = profile.vocabulary, profile.objects
        self.start, self.new_objects = profile.start, profile.new_objects
        self.free_arguments, self.walks = profile.free_arguments, profile.walks
        self.tells_states = profile.tells_states
        self.max_plan: int | None = getattr(agent, "max_plan", None)
        self.stochastic = bool(getattr(agent, "stochastic", False))
        self.may_vary = bool(getattr(agent, "may_vary", False))
        self.shows_refusals = bool(getattr(agent, "shows_refusals", True))
        self.questions, self.steps, self.seconds = 0, 0, 0.0
        self.time_limit = timeout
        self._agent = agent
        self._worker: Worker | None = None
        self._lost = ""
        """What the agent was last asked and is, for all that is known, still busy with."""

    def ask(self, query: PlanQuery, /) -> Response:
        with self._question():
            answer = self._call(lambda: self._agent.ask(query), self.time_limit)
            response = check_response(query, answer, self.tells_states)
        if isinstance(response, PlanResponse):
            self.steps += response.steps + (response.steps < len(query.plan))
        return response

    def walk(self, query: WalkQuery, /) -> WalkResponse | Invalid:
        """What the agent does of its own accord, if it can be asked for that."""
        walk: Callable[[WalkQuery], object] = self._agent.walk  # type: ignore[attr-defined]  # it says so
        with self._question():
            response = check_walk(query, self._call(lambda: walk(query), self.time_limit))
        if isinstance(response, WalkResponse):
            self.steps += len(response.plan)
        return response

    def simulate(self, query: PolicyQuery, /) -> PolicyResponse | Invalid:
        """The runs of a policy question, one after the other; the time limit is for each of them."""
        with self._question():
            traces = []
            for run in range(1, query.runs + 1):
                made = partial(self.rollout, query, self.questions, run)
                trace = check_rollout(query, self._call(made, self.time_limit))
                if isinstance(trace, Invalid):
                    return trace
                traces.append(trace)
        response = PolicyResponse(tuple(traces))
        self.steps += response.samples
        return response

    def rollout(self, query: PolicyQuery, number: int, run: int, /) -> Trace | Invalid:
        """One run as the agent makes it, neither counted nor checked: for whoever makes runs side by side."""
        return rollouts(self._agent, check_response)(query, number, run)

    @contextmanager
    def _question(self) -> Iterator[None]:
        """Counts and times the question asked inside, and names it in what goes wrong."""
        number = self.questions + 1
        if self._lost:
            raise AgentGone(f"question {number} was not asked: the agent never came back from {self._lost}")
        self.questions = number
        began = time.perf_counter()
        try:
            yield
        except AgentTimeout as error:
            self._lost = f"question {number}"
            raise AgentTimeout(self._named(f"question {number}", error)) from error
        except AgentGone as error:
            raise AgentGone(self._named(f"question {number}", error)) from error
        except AgentError as error:
            raise AgentError(self._named(f"question {number}", error)) from error
        finally:
            self.seconds += time.perf_counter() - began

    def states(self, count: int, universe: Universe) -> tuple[State, ...]:
        """The situations the agent offers, checked; none if it offers none."""
        offer = getattr(self._agent, "states", None)
        if offer is None:
            return ()
        limit = self.time_limit and max(self.time_limit, HELLO_SECONDS)
        try:
            offered = self._call(lambda: tuple(islice(offer(count, universe), count)), limit)
        except AgentTimeout as error:
            self._lost = "being asked for the states it knows"
            raise AgentTimeout(self._named("asked for the states it knows", error)) from error
        except AgentError as error:
            raise AgentError(self._named("asked for the states it knows", error)) from error
        checked = []
        for number, state in enumerate(offered, start=1):
            try:
                checked.append(check_state(state, universe))
            except AgentError as error:
                raise AgentError(f"state {number} that the agent offers: {error}") from error
        return tuple(checked)

    def picture(self, state: State) -> bytes | None:
        """The state as the agent shows it, a PNG; None if it shows none."""
        draw = getattr(self._agent, "picture", None)
        if draw is None:
            return None
        if self._lost:
            raise AgentError(f"no picture was asked for: the agent never came back from {self._lost}")
        try:
            shown: object = self._call(lambda: draw(state), self.time_limit)
        except AgentTimeout as error:
            self._lost = "being asked for a picture"
            raise AgentTimeout(self._named("asked for a picture", error)) from error
        except AgentError as error:
            raise AgentError(self._named("asked for a picture", error)) from error
        if shown is not None and not isinstance(shown, bytes):
            raise AgentError(f"the picture is {_say(shown)}, neither bytes nor None")
        return shown

    @property
    def repeats(self) -> int:
        """How often the agent looked again where an observation was doubtful, if it counts that."""
        return int(getattr(self._agent, "repeats", 0))

    @property
    def retries(self) -> int:
        """How often an answer was lost and the question asked again."""
        return int(getattr(self._agent, "retries", 0))

    @property
    def counts_repeats(self) -> bool:
        inner = self._agent
        return inner.counts_repeats if isinstance(inner, Guard) else hasattr(inner, "repeats")

    def close(self) -> None:
        """Ends what the agent keeps running, if it has a `close` for that."""
        self._worker = None
        close = getattr(self._agent, "close", None)
        if callable(close):
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    def _call(self, call: Callable[[], _Value], limit: float | None) -> _Value:
        own = getattr(self._agent, "time_limit", None)
        if limit is not None and isinstance(own, int | float) and own <= limit:
            limit = None
        try:
            if limit is None:
                return call()
            if self._worker is None:
                self._worker = Worker()
            return self._worker.run(call, limit)
        except AgentError:
            raise
        except (Exception, SystemExit) as error:
            said = shorten(str(error), LONGEST_REASON)
            raise AgentError(f"the agent raised {type(error).__name__}: {said}") from error

    def _named(self, asked: str, error: AgentError) -> str:
        """What went wrong, with what was asked; a guard within has said so already."""
        return str(error) if isinstance(self._agent, Guard) else f"{asked}: {error}"


class Worker:
    """A daemon thread that makes calls one after the other; it ends when its owner forgets it."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=_work, args=(self._jobs,), daemon=True, name="assay-agent").start()
        weakref.finalize(self, self._jobs.put, None)

    def run(self, call: Callable[[], _Value], seconds: float) -> _Value:
        # A reply queue per call: what an abandoned call returns late reaches nobody.
        reply: queue.SimpleQueue[tuple[_Value, None] | tuple[None, BaseException]] = queue.SimpleQueue()
        self._jobs.put((call, reply))
        try:
            value, error = reply.get(timeout=seconds)
        except queue.Empty:
            raise AgentTimeout(f"the agent gave no answer within {seconds:g} s") from None
        if error is not None:
            raise error
        return value  # type: ignore[return-value]  # no error, so this is the value


def _work(jobs: queue.SimpleQueue[Any]) -> None:
    while (job := jobs.get()) is not None:
        call, reply = job
        try:
            reply.put((call(), None))
        except BaseException as error:
            reply.put((None, error))
        del job, call, reply


def check_profile(agent: object) -> Profile:
    """What the agent declares, or an `AgentError` that says what is wrong with it."""
    try:
        if not isinstance(getattr(agent, "vocabulary", None), Vocabulary):
            raise AgentError("the agent has no `vocabulary` that is a Vocabulary")
        if not callable(getattr(agent, "ask", None)):
            raise AgentError("the agent has no method `ask`")
        profile = Profile.of(agent)  # type: ignore[arg-type]  # looked at just above
        for thing in profile.objects:
            if not isinstance(thing, Object):
                raise AgentError(f"the agent's `objects` hold {thing!r}, which is not an Object")
        if not isinstance(agent, Guard):
            check_size(profile.vocabulary, profile.objects)
        Universe(profile.vocabulary, profile.objects)
    except AgentError:
        raise
    except Exception as error:
        raise AgentError(f"what the agent declares cannot be used: {error}") from error
    return profile


def check_walk(query: WalkQuery, answer: object) -> WalkResponse | Invalid:
    """The answer, in the question's universe, or an `AgentError` that says why it is none."""
    if isinstance(answer, Invalid):
        return _check_invalid(answer)
    if not isinstance(answer, WalkResponse):
        raise AgentError(f"the answer is neither a WalkResponse nor Invalid, but {_say(answer)}")
    plan, states, universe = answer.plan, [], query.state.universe
    if len(plan) != len(answer.states) or len(plan) > query.steps:
        raise AgentError(
            f"the walk has {count(len(plan), 'step')} and {count(len(answer.states), 'state')}; "
            f"it should have as many of both, and at most {query.steps}"
        )
    for number, (step, state) in enumerate(zip(plan, answer.states, strict=True), start=1):
        try:
            universe.check_step(step)
            states.append(check_state(state, universe))
            _check_objects(query.state, (), states[-1])
        except AssayError as error:
            raise AgentError(f"step {number} of the walk: {error}") from error
    return WalkResponse(tuple(plan), tuple(states))


def check_response(query: PlanQuery, answer: object, tells_states: bool = False) -> Response:
    """The answer, in the question's universe, or an `AgentError` that says why it is none.

    The states between count only from an agent that declares that it tells them.
    """
    if isinstance(answer, Invalid):
        return _check_invalid(answer)
    if not isinstance(answer, PlanResponse):
        raise AgentError(f"the answer is neither a PlanResponse nor Invalid, but {_say(answer)}")
    steps, length = answer.steps, len(query.plan)
    if not isinstance(steps, int) or isinstance(steps, bool):
        raise AgentError(f"the number of steps is {_say(steps)}, not an int")
    if not 0 <= steps <= length:
        raise AgentError(f"the agent says that {count(steps, 'step')} ran, of a plan of {length}")
    names = frozenset(a for step in query.plan for a in step.args) | query.bystanders
    state = _check_reached(query.state, names, answer.state)
    between = _check_between(query.state, names, answer, state) if tells_states else None
    unchanged = state is answer.state and between is answer.states
    return answer if unchanged else PlanResponse(steps, state, between)


def _check_reached(before: State, names: Collection[str], after: object) -> State:
    """A state after steps, in the universe of the state before; it speaks of the question's objects only."""
    state = check_state(after, before.universe)
    _check_objects(before, names, state)
    return state


def _check_between(
    before: State, names: Collection[str], answer: PlanResponse, last: State
) -> tuple[State, ...] | None:
    """The states after the steps that ran, if they are told."""
    if answer.states is None:
        return None
    told = tuple(answer.states)
    if len(told) != answer.steps:
        raise AgentError(f"the agent tells {count(len(told), 'state')} after {count(answer.steps, 'step')}")
    states = []
    for number, state in enumerate(told, start=1):
        try:
            states.append(_check_reached(before, names, state))
        except AgentError as error:
            raise AgentError(f"the state after step {number}: {error}") from error
    if (states[-1] if states else before) != last:
        raise AgentError("the last of the states that the agent tells is not the state it ends in")
    return answer.states if all(s is t for s, t in zip(states, told, strict=True)) else tuple(states)


def check_rollout(query: PolicyQuery, answer: object) -> Trace | Invalid:
    """The trace, in the question's universe, or an `AgentError` that says why it is none."""
    if isinstance(answer, Invalid):
        return _check_invalid(answer)
    if not isinstance(answer, Trace):
        raise AgentError(f"a run is neither a Trace nor Invalid, but {_say(answer)}")
    names = {a for step in query.steps.values() for a in step.args}
    states = [_check_reached(query.state, names, state) for state in answer.states]
    try:
        trace = Trace(tuple(states), End(answer.end))
        check_trace(query, trace)
    except (InputError, ValueError) as error:
        raise AgentError(str(error)) from error
    return trace


def _check_invalid(answer: Invalid) -> Invalid:
    if not isinstance(answer.reason, str):
        raise AgentError(f"the reason of Invalid is {shorten(repr(answer.reason), 80)}, not a text")
    return Invalid(shorten(answer.reason, LONGEST_REASON))


def check_state(state: object, universe: Universe) -> State:
    """The state in the given universe, or an `AgentError` naming what does not belong there."""
    if not isinstance(state, State):
        raise AgentError(f"the state is not a State, but {_say(state)}")
    try:
        if state.universe is not universe:
            return universe.state(list(state))
        if not isinstance(state.bits, int) or state.bits < 0:
            raise IndexError
        if state.bits:
            universe.atom(state.bits.bit_length() - 1)
    except InputError as error:
        raise AgentError(str(error)) from error
    except Exception as error:
        raise AgentError("the state's bits stand for no atoms of its universe") from error
    return state


def _check_objects(before: State, brought: Collection[str], after: State) -> None:
    """A universe remembers the objects of earlier questions; an answer must not speak of them."""
    universe = before.universe
    names = universe.own.union(brought)
    strange = [a for a in universe.atoms(after.bits & ~before.bits) if not names.issuperset(a.args)]
    if strange:
        names = names.union(*(atom.args for atom in before))
    for atom in strange:
        for name in atom.args:
            if name not in names:
                raise AgentError(f"{atom}: object {name!r} is not in the question")


def _say(value: object) -> str:
    try:
        text = repr(value)
    except Exception:
        text = "that cannot be shown"
    return f"{type(value).__name__} {text if len(text) <= 80 else text[:77] + '...'}"
