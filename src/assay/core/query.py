"""Questions and answers.

A plan-outcome question (AIA-21 section 3) asks how far a plan runs from a state and where it ends. The
answer is the length of the longest prefix that ran and the state after it: when the plan stopped early,
that is also the state in which the next step was refused. `Invalid` says that the agent's world has no
such state; it is never evidence about actions.

A walk question leaves the plan to the agent, if it takes such questions: it says what it did, and shows every
state on the way. Nothing is refused on a walk, so it convicts no literal; it shows where actions run, and
what they do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from assay.core.symbols import Object, Step
from assay.core.universe import State, Universe
from assay.core.vocabulary import Vocabulary
from assay.errors import InputError

WALK = 100
"""Steps that an agent may take at most when it is left to itself."""


class Start(StrEnum):
    """Which states a question may start from."""

    ANY = "any"
    VISITED = "visited"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class PlanQuery:
    state: State
    plan: tuple[Step, ...]
    bystanders: frozenset[str] = frozenset()
    """Objects made up for the question that are there even if no fact and no step mentions them."""

    @classmethod
    def bringing(cls, state: State, plan: tuple[Step, ...], objects: Iterable[str]) -> PlanQuery:
        """The question that brings these objects: those that no fact and no step mentions are bystanders."""
        query = cls(state, plan)
        mentioned = {o.name for o in query.new_objects} | state.universe.own
        return cls(state, plan, frozenset(objects) - mentioned)

    @property
    def new_objects(self) -> tuple[Object, ...]:
        """Objects in the question that are not the agent's own, by name."""
        universe = self.state.universe
        names = {a for step in self.plan for a in step.args} | self.bystanders
        names.update(*(atom.args for atom in self.state))
        return tuple(universe.object(name) for name in sorted(names - universe.own))

    @property
    def objects(self) -> tuple[Object, ...]:
        """All objects that exist in the question: the agent's own and those that the question brings."""
        universe = self.state.universe
        return tuple(o for o in universe.objects if o.name in universe.own) + self.new_objects


@dataclass(frozen=True, slots=True)
class PlanResponse:
    steps: int
    """Length of the longest prefix that ran."""
    state: State
    """The state after it."""
    states: tuple[State, ...] | None = None
    """The state after each step that ran, from an agent that tells them; the last one is `state`."""


@dataclass(frozen=True, slots=True)
class WalkQuery:
    """Start here and do as you like, for at most so many steps."""

    state: State
    steps: int


@dataclass(frozen=True, slots=True)
class WalkResponse:
    """What the agent did of its own accord, and the state after each step."""

    plan: tuple[Step, ...]
    states: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Invalid:
    """The question starts in a state that cannot exist in the agent's world."""

    reason: str = ""


Response = PlanResponse | Invalid


def agree(one: Response, other: Response) -> bool:
    """Whether two answers to a question say the same; of states between, as far as both tell them."""
    if isinstance(one, Invalid) or isinstance(other, Invalid):
        return isinstance(one, Invalid) and isinstance(other, Invalid)
    told = None not in (one.states, other.states)
    same = (one.steps, one.state) == (other.steps, other.state)
    return same and (not told or one.states == other.states)


@runtime_checkable
class Agent(Protocol):
    """What a black box must offer: a vocabulary, and answers.

    It may also have `objects` (the things in its world), `start` (a `Start`; any by default), `new_objects`
    (whether questions may bring objects of their own; no by default), `free_arguments` (whether its actions
    take any objects that fit, the same one twice and constants too, without asking which are the same: yes,
    no, or the names of those that do; no by default), `may_vary` (whether nobody vouches that it answers the
    same again; no by default), `max_plan` (the longest plan it wants to be asked about) and `states(n,
    universe)` (situations it knows, varied, and in order if one followed from another; given twice in a row,
    one ends a walk). If it says `tells_states`, its answers have the states after each step that ran. If it
    says `walks`, it also has a method `walk(query)`, which answers a `WalkQuery` with a `WalkResponse` or
    `Invalid`.
    """

    vocabulary: Vocabulary

    def ask(self, query: PlanQuery, /) -> Response: ...


@dataclass(frozen=True, slots=True)
class Profile:
    """What an agent declares about itself, with the defaults filled in."""

    vocabulary: Vocabulary
    objects: tuple[Object, ...]
    start: Start
    new_objects: bool
    free_arguments: frozenset[str] = frozenset()
    """Names of actions."""
    walks: bool = False
    """Whether it can be asked to do as it likes."""
    tells_states: bool = False
    """Whether it tells the states between the steps of a plan."""

    @classmethod
    def of(cls, agent: Agent) -> Profile:
        return cls(
            agent.vocabulary,
            tuple(getattr(agent, "objects", ())),
            Start(getattr(agent, "start", Start.ANY)),
            bool(getattr(agent, "new_objects", False)),
            free_actions(getattr(agent, "free_arguments", False), agent.vocabulary),
            bool(getattr(agent, "walks", False)),
            bool(getattr(agent, "tells_states", False)),
        )

    @property
    def free_declared(self) -> bool | list[str]:
        """As an agent declares it: all actions, none, or their names."""
        if len(self.free_arguments) == len(self.vocabulary.actions):
            return bool(self.free_arguments)
        return sorted(self.free_arguments)


def free_actions(declared: bool | Iterable[str], vocabulary: Vocabulary) -> frozenset[str]:
    """The actions whose arguments are free, from what is declared."""
    if isinstance(declared, bool):
        return frozenset(vocabulary.action if declared else ())
    names = frozenset(declared)
    if unknown := sorted(names - vocabulary.action.keys()):
        raise InputError(f"free_arguments: there is no action {unknown[0]!r}")
    return names


def offered_states(agent: Agent, universe: Universe, count: int) -> tuple[State, ...]:
    """The situations the agent offers, if it offers any."""
    offer = getattr(agent, "states", None)
    offered: Iterable[State] = offer(count, universe) if offer is not None else ()
    return tuple(offered)[:count]
