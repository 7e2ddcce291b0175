"""Agents whose own actions say nothing to a user: low-level states, keystrokes, and "can you get there?".

A question at the agent's level (Descriptions, Def. 6) names two low-level states. The answers keep three
kinds of "no" apart: `Cannot`, which alone is evidence about the agent; `GaveUp`, when time or a bound ran
out; and "this has no low-level realisation", which is no answer at all, because such a question is never put.

The vocabulary is the user's, and coarser: `abstract` evaluates its predicates on a low-level state. Several
low-level states (orientations, say) may have one abstract state; they are its realisations.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from assay.core.quantity import count
from assay.core.universe import State, Universe
from assay.errors import AgentError

Low = Hashable
"""A low-level state: whatever the simulator calls one, canonical, so that equal states are the same state."""


@dataclass(frozen=True, slots=True)
class Reached:
    """It got there: what it pressed, and every state it passed, from the start to the target."""

    keys: tuple[str, ...]
    states: tuple[Low, ...]


@dataclass(frozen=True, slots=True)
class Cannot:
    """It does not get there, and why that is certain: all that it can reach was searched, its policy turns in
    a circle, a quantity rules it out."""

    proof: str


@dataclass(frozen=True, slots=True)
class GaveUp:
    """It did not find out. Never evidence."""

    reason: str


Answer = Reached | Cannot | GaveUp


@runtime_checkable
class LowLevelAgent(Protocol):
    """What is needed to find out what such an agent can do, in words it never heard.

    It may also have

    - `keys` and `press(low, key) -> low`: its simulator, deterministic; a key that does nothing returns the
      state it was given. It is used to find realisations, and what would be worth asking; never as an answer.
    - `static` and `derived`: names of predicates that no key ever changes, and of predicates that are
      functions of the others.
    - `picture(low) -> bytes`: the state as a PNG.
    """

    universe: Universe
    """The user's vocabulary, without actions, and the things it speaks of. Types say what is alike: what is
    learned about some objects of a type is held to be so for all of them."""

    def abstract(self, low: Any, /) -> State:
        """What holds there, in the user's words."""

    def starts(self, count: int, /) -> Sequence[Any]:
        """Up to so many low-level states that it may be put into, all over the universe's objects.

        The first is the instance the agent was opened with; the same count gives the same states.
        """

    def reach(self, low: Any, target: Any, /) -> Answer: ...


def is_low_level(agent: object) -> bool:
    return all(hasattr(agent, name) for name in ("universe", "abstract", "starts", "reach"))


def check_answer(answer: object, low: Low, target: Low) -> Answer:
    """The answer, if it is one to this question."""
    if isinstance(answer, Cannot | GaveUp):
        return answer
    if not isinstance(answer, Reached):
        raise AgentError(f"reach returned {answer!r}, which is neither Reached nor Cannot nor GaveUp")
    if len(answer.states) != len(answer.keys) + 1:
        raise AgentError(
            f"reach returned {count(len(answer.keys), 'key')} and {count(len(answer.states), 'state')}; "
            "one state more is wanted"
        )
    if answer.states[0] != low or answer.states[-1] != target:
        raise AgentError(
            "reach returned a way that does not lead from the state to the target it was asked for"
        )
    return answer
