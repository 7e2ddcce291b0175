"""Can it ever: a plan on the model, the proof that there is none, or an honest "gave up".

The search is breadth first through states, so a plan found is shortest, and "impossible" means that every
state that can be reached was looked at, also by steps that a learned model does not speak of (`scope`): if
only those lead there, the answer is that it is not known. An impossibility names what it rests on: the
strength of the model's certificate, and actions of which too little is known.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.causal.objects import Spelling
from assay.causal.reading import read_formula, read_state
from assay.causal.scope import OTHER_STEPS, Scope, StateSpace
from assay.causal.words import Words
from assay.core.condition import Condition
from assay.core.formula import Formula, ground
from assay.core.model import Model
from assay.core.symbols import Atom, Step
from assay.core.universe import State
from assay.errors import InputError
from assay.language.strength import limit_sentence
from assay.planning.search import GaveUp, Plan, TimedOut, Unsolvable, solve

MAX_STATES = 200_000
SECONDS = 30.0


@dataclass(frozen=True)
class Answer:
    goal: Formula
    outcome: Plan | Unsolvable | GaveUp | TimedOut
    guess: tuple[Step, ...] = ()
    """A plan, if there is none but with steps that the model does not speak of."""
    unsettled: Mapping[str, str] = field(default_factory=dict)
    """Actions of which too little is known, and why: those of the plan, or all if there is none."""
    strength: int | None = None
    """What the model's certificate says, if it has one."""

    @property
    def possible(self) -> bool | None:
        """Yes, no, or not known."""
        match self.outcome:
            case Plan():
                return True
            case Unsolvable() if not self.guess:
                return False
        return None

    def to_dict(self) -> dict[str, Any]:
        plan = [str(s) for s in self.outcome.steps] if isinstance(self.outcome, Plan) else None
        return {
            "goal": str(self.goal),
            "possible": self.possible,
            "plan": plan,
            "gave_up": self._gave_up,
            "guess": [str(s) for s in self.guess],
            "unsettled": dict(self.unsettled),
            "strength": self.strength,
        }

    @property
    def _gave_up(self) -> str | None:
        match self.outcome:
            case GaveUp(reason):
                return reason
            case TimedOut():
                return "the time was not enough"
        return None

    def lines(self, words: Words) -> list[str]:
        wanted = words.clause(self.goal)
        match self.outcome:
            case Plan(()):
                return [f"Yes: {wanted} already."]
            case Plan(steps):
                count = "one step" if len(steps) == 1 else f"{len(steps)} steps"
                lead = f"Yes, in {count} at best. Afterwards {wanted}."
                return [lead, *_numbered(steps, words), *self._leaning()]
            case Unsolvable() if self.guess:
                return [
                    f"Not known whether it can be that {wanted}: "
                    "the steps that the model speaks of do not lead there.",
                    f"This would, if {OTHER_STEPS} do what the others do:",
                    *_numbered(self.guess, words),
                ]
            case Unsolvable():
                return [
                    f"No: it can never be that {wanted}. Every state that can be reached was looked at.",
                    limit_sentence(self.strength),
                    *self._leaning(),
                ]
        return [f"Not known whether it can be that {wanted}: {self._gave_up}."]

    def _leaning(self) -> list[str]:
        return [f"It rests on {name}, and {why}." for name, why in sorted(self.unsettled.items())]


def _numbered(steps: Iterable[Step], words: Words) -> list[str]:
    return [f"{n}. {words.step(s)}" for n, s in enumerate(steps, start=1)]


_QUESTION = re.compile(
    r"\s*(?:can\s+)?(?:ever\s+)?(?P<facts>.*?)(?:\s+(?:ever\s+)?(?:hold|be\s+true))?"
    r"(?:\s+from\s+(?P<state>.*?))?\s*\??\s*\Z",
    re.DOTALL | re.IGNORECASE,
)
_HERE = re.compile(r"(this|the|here|there|start|state|now|\s)+", re.IGNORECASE)


def read_question(text: str, spelling: Spelling | None = None) -> tuple[Formula, list[Atom] | None]:
    """ "can FACTS hold from STATE": the facts, and the state if it is spelled out ("this state" is not)."""
    match = _QUESTION.match(text)
    if match is None or "(" not in match["facts"]:
        raise InputError(
            f"{text!r} is not a question: write, for example, 'can (at p1 l2) hold from this state'"
        )
    goal, start = read_formula(match["facts"], spelling), match["state"]
    return goal, None if start is None or _HERE.fullmatch(start) else read_state(start, spelling)


def ask(
    model: Model,
    state: State,
    goal: Formula,
    *,
    max_states: int = MAX_STATES,
    seconds: float | None = SECONDS,
    scope: Scope | None = None,
    unsettled: Mapping[str, str] | None = None,
    strength: int | None = None,
) -> Answer:
    """Whether some plan makes the goal true.

    Of a learned model, `scope` tells of which steps it speaks, `unsettled` of which actions too little is
    known, and `strength` how sure the rest is; without them the model is taken as it is.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    condition = ground(goal, state.universe, {})

    def search(scope: Scope | None) -> Plan | Unsolvable | GaveUp | TimedOut:
        task = _Reach(StateSpace(model, state.universe, scope), state.bits, condition)
        return solve(task, max_nodes=max_states, deadline=deadline)

    outcome = search(scope)
    guess: tuple[Step, ...] = ()
    if scope is not None and isinstance(outcome, Unsolvable):
        beyond = search(None)
        if isinstance(beyond, Plan):
            guess = beyond.steps
        else:
            outcome = beyond
    leaning = dict(unsettled or {})
    if isinstance(outcome, Plan):
        leaning = {s.action: leaning[s.action] for s in outcome.steps if s.action in leaning}
    return Answer(goal, outcome, guess, leaning, strength)


class _Reach:
    """The state space of the model from a state."""

    complete = True

    def __init__(self, space: StateSpace, initial: int, goal: Condition) -> None:
        self.initial, self._space, self._goal = initial, space, goal

    def is_goal(self, node: int) -> bool:
        return self._goal.holds(node)

    def successors(self, node: int, last: bool) -> Iterable[tuple[Step, int]]:
        return self._space.successors(node)
