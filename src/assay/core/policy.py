"""Policy-simulation questions and their answers (QACE section 4).

A question names a state to start in, a partial policy, a goal to stop at, a bound on the steps of a run and a
number of runs. A run goes on until the goal holds, the bound is reached, the policy has nothing to say, or
the agent refuses the step that the policy names. A refusal ends the run in the state it happened in and is
visible; a step that ran and changed nothing is not a refusal, but a step like any other.

The answer is one trace per run. Whether the goal was reached, and every transition, follow from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, Protocol, runtime_checkable

from assay.core.quantity import count
from assay.core.query import Invalid
from assay.core.symbols import Literal, Object, Step
from assay.core.universe import State
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError

Goal = tuple[frozenset[Literal], ...]
"""Alternatives, each a conjunction; without any the goal is never reached."""


class End(StrEnum):
    """Why a run ended."""

    GOAL = "goal"
    HORIZON = "horizon"
    SILENT = "silent"
    """The policy has nothing to say about the state."""
    REFUSED = "refused"


@dataclass(frozen=True)
class PolicyQuery:
    state: State
    policy: tuple[tuple[State, Step], ...]
    """What to do in which state, each state at most once."""
    goal: Goal
    horizon: int
    runs: int

    def __post_init__(self) -> None:
        if len({state.bits for state, _ in self.policy}) < len(self.policy):
            raise InputError("a policy names one step for a state, not several")
        if any(state.universe is not self.state.universe for state, _ in self.policy):
            raise InputError("a policy speaks of the states of its question's universe")
        if self.horizon < 1 or self.runs < 1:
            raise InputError(f"at least one step and one run, not {self.horizon} and {self.runs}")

    @classmethod
    def trial(cls, state: State, step: Step, runs: int = 1) -> PolicyQuery:
        """One step from one state, tried so many times."""
        return cls(state, ((state, step),), (), 1, runs)

    @cached_property
    def steps(self) -> dict[int, Step]:
        """The policy by the bits of its states."""
        return {state.bits: step for state, step in self.policy}

    @cached_property
    def _goal_masks(self) -> tuple[tuple[int, int], ...]:
        bits = self.state.universe.bits
        return tuple(
            (bits(a for a, positive in part if positive), bits(a for a, positive in part if not positive))
            for part in map(sorted, self.goal)
        )

    def reached(self, bits: int) -> bool:
        """Whether the goal holds there."""
        return any(bits & true == true and not bits & false for true, false in self._goal_masks)

    def next_step(self, bits: int, done: int) -> Step | End:
        """What a run that has done so many steps does there, or why it ends."""
        if self.reached(bits):
            return End.GOAL
        if done >= self.horizon:
            return End.HORIZON
        return self.steps.get(bits, End.SILENT)

    @property
    def new_objects(self) -> tuple[Object, ...]:
        """Objects in the question that are not the agent's own, by name."""
        universe = self.state.universe
        names = {a for _, step in self.policy for a in step.args}
        names.update(a for part in self.goal for atom, _ in part for a in atom.args)
        names.update(a for state in (self.state, *(s for s, _ in self.policy)) for x in state for a in x.args)
        return tuple(universe.object(name) for name in sorted(names - universe.own))


class Transition(NamedTuple):
    """One execution; without a state afterwards, the step was refused."""

    state: State
    step: Step
    after: State | None


@dataclass(frozen=True, slots=True)
class Trace:
    """One run: the states it passed through, the first and the last among them, and why it ended."""

    states: tuple[State, ...]
    end: End


@dataclass(frozen=True, slots=True)
class PolicyResponse:
    traces: tuple[Trace, ...]

    @property
    def reached(self) -> bool:
        """Whether any run reached the goal."""
        return any(trace.end is End.GOAL for trace in self.traces)

    @property
    def samples(self) -> int:
        """Executions, refused ones included."""
        return sum(len(t.states) - 1 + (t.end is End.REFUSED) for t in self.traces)

    def transitions(self, query: PolicyQuery) -> Iterator[Transition]:
        """Every execution in order; the question knows the steps."""
        for trace in self.traces:
            for state, after in zip(trace.states, trace.states[1:], strict=False):
                yield Transition(state, query.steps[state.bits], after)
            if trace.end is End.REFUSED:
                last = trace.states[-1]
                yield Transition(last, query.steps[last.bits], None)


class Executor(Protocol):
    """Executes a step in the state; None if it is refused."""

    def __call__(self, state: State, step: Step, /) -> State | None: ...


def follow(query: PolicyQuery, after: Executor) -> Trace:
    """The trace of one run in which steps do what the executor says."""
    states, here = [query.state], query.state
    while isinstance(step := query.next_step(here.bits, len(states) - 1), Step):
        found = after(here, step)
        if found is None:
            return Trace(tuple(states), End.REFUSED)
        states.append(here := found)
    return Trace(tuple(states), step)


def check_trace(query: PolicyQuery, trace: Trace) -> None:
    """`InputError` unless the states and the end are those of a run of the question's policy."""
    if not trace.states or trace.states[0] != query.state:
        raise InputError("a trace does not begin where the question does")
    for done, state in enumerate(trace.states):
        step = query.next_step(state.bits, done)
        last = done == len(trace.states) - 1
        if not last and isinstance(step, End):
            raise InputError(f"a trace goes on after {count(done, 'step')}, where its end is {step.value!r}")
        end = step if isinstance(step, End) else End.REFUSED
        if last and trace.end is not end:
            said = f"{trace.end.value!r}; only {end.value!r} is possible there"
            raise InputError(f"a trace ends after {count(done, 'step')} as {said}")


@runtime_checkable
class RolloutAgent(Protocol):
    """An agent that runs policies.

    One call is one run. Both numbers count from 1: the question's in the journal and the run's in the
    question. An agent that draws at random derives its draws from them, so that runs may be made in any order
    and by several processes.
    """

    vocabulary: Vocabulary

    def rollout(self, query: PolicyQuery, number: int, run: int, /) -> Trace | Invalid: ...
