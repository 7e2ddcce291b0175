"""Can it ever: a plan on the model, the proof that there is none, or an honest "gave up".

The search is breadth first through states, so a plan found is shortest, and "impossible" means that every
state that can be reached was looked at, also by steps that a learned model does not speak of (`scope`): if
only those lead there, the answer is that it is not known.

A learned model may have open slots. What is open in a precondition is left out of the model, so it can
break a plan but never an impossibility; an open effect, or an action never seen to run, can change both.
`rests_on` names the doubts that the answer really leans on: a plan leans on an open precondition only
where the state before the step would violate it, and on an open effect only where a later step or the
goal uses the fact it may have changed.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.causal.network import ground_plan
from assay.causal.reading import read_literals, read_state
from assay.causal.scope import OTHER_STEPS, Scope, Steps
from assay.causal.words import Words, listed
from assay.core.model import Execution, Model
from assay.core.quantity import count
from assay.core.symbols import Atom, Literal, Step
from assay.core.universe import State
from assay.errors import InputError
from assay.planning.search import GaveUp, Plan, TimedOut, Unsolvable, solve

MAX_STATES = 200_000
SECONDS = 30.0
SHOWN = 5
"""So many doubts are said; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """An open slot: the atom in the action's precondition or effect, and the modes it may have."""

    action: str
    atom: Atom
    effect: bool
    modes: tuple[str, ...]
    """Of "+", "-" and "absent"."""


@dataclass(frozen=True)
class Reliance:
    """A doubt that the answer leans on, at a step (counted from 1) where it is about one."""

    doubt: Doubt
    step: int | None = None


@dataclass(frozen=True)
class Answer:
    goal: tuple[Literal, ...]
    outcome: Plan | Unsolvable | GaveUp | TimedOut
    rests_on: tuple[Reliance, ...] = ()
    never_ran: tuple[str, ...] = ()
    """Actions of which nothing is known, if the answer leans on that."""
    learned: bool = False
    """Whether the model was learned, so that it makes sense to say what the answer rests on."""
    guess: tuple[Step, ...] = ()
    """A plan, if there is none but with steps that the model does not speak of."""

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
            "goal": [str(x) for x in self.goal],
            "possible": self.possible,
            "plan": plan,
            "gave_up": self._gave_up,
            "guess": [str(s) for s in self.guess],
            "rests_on": [
                {
                    "action": r.doubt.action,
                    "atom": str(r.doubt.atom),
                    "part": "effect" if r.doubt.effect else "precondition",
                    "modes": list(r.doubt.modes),
                    "step": r.step,
                }
                for r in self.rests_on
            ],
            "never_ran": list(self.never_ran),
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
        wanted = listed([words.clause(x) for x in self.goal])
        match self.outcome:
            case Plan(()):
                lines = [f"Yes: {wanted} already."]
            case Plan(steps):
                count = "one step" if len(steps) == 1 else f"{len(steps)} steps"
                lines = [f"Yes, in {count} at best. Afterwards {wanted}."]
                lines += [f"{n}. {words.step(s)}" for n, s in enumerate(steps, start=1)]
            case Unsolvable() if self.guess:
                return [
                    f"Not known whether it can be that {wanted}: "
                    "the steps that the model speaks of do not lead there.",
                    f"This would, if {OTHER_STEPS} do what the others do:",
                    *(f"{n}. {words.step(s)}" for n, s in enumerate(self.guess, start=1)),
                ]
            case Unsolvable():
                lines = [f"No: it can never be that {wanted}. Every state that can be reached was looked at."]
            case _:
                return [f"Not known whether it can be that {wanted}: {self._gave_up}."]
        return [*lines, *self._doubts(words)]

    def _doubts(self, words: Words) -> list[str]:
        if not self.learned:
            return []
        if not self.rests_on and not self.never_ran:
            return ["This rests on settled facts about the agent alone."]
        lines = ["This rests on what is not settled:"]
        for reliance in self.rests_on[:SHOWN]:
            where = f"at step {reliance.step}, " if reliance.step is not None else ""
            lines.append(f"- {where}{_told(reliance.doubt, words)}")
        if len(self.rests_on) > SHOWN:
            lines.append(f"- and {count(len(self.rests_on) - SHOWN, 'more open point')}")
        lines += [f"- {name} was never seen to run, so what it does is unknown" for name in self.never_ran]
        return lines


_QUESTION = re.compile(
    r"\s*(?:can\s+)?(?P<facts>.*?)(?:\s+(?:ever\s+)?(?:hold|be\s+true))?(?:\s+from\s+(?P<state>.*?))?\s*\??\s*\Z",
    re.DOTALL | re.IGNORECASE,
)


def read_question(text: str) -> tuple[list[Literal], list[Atom] | None]:
    """ "can FACTS hold from STATE": the facts, and the state if it is spelled out ("this state" is not)."""
    match = _QUESTION.match(text)
    if match is None or "(" not in match["facts"]:
        raise InputError(
            f"{text!r} is not a question: write, for example, 'can (at p1 l2) hold from this state'"
        )
    facts = re.sub(r"\s+", " ", match["facts"]).removeprefix("ever ")
    start = match["state"]
    if start is None or re.fullmatch(r"(this|the|here|there|start|state|now|\s)+", start, re.IGNORECASE):
        return read_literals(facts), None
    return read_literals(facts), read_state(start)


def ask(
    model: Model,
    state: State,
    goal: Sequence[Literal],
    *,
    doubts: Iterable[Doubt] | None = None,
    never_ran: Iterable[str] = (),
    max_states: int = MAX_STATES,
    seconds: float | None = SECONDS,
    scope: Scope | None = None,
) -> Answer:
    """Whether some plan makes the goal true.

    `doubts` are the open slots of a learned model, `scope` tells of which steps it speaks; without them the
    model is taken as it is.
    """
    if not goal:
        raise InputError("nothing is asked: give at least one fact")
    if any(len(a.outcomes) > 1 for a in model.actions):
        raise InputError("planning needs a model in which every action has one outcome")
    deadline = None if seconds is None else time.monotonic() + seconds
    outcome = solve(_Reach(model, state, goal, scope), max_nodes=max_states, deadline=deadline)
    guess: tuple[Step, ...] = ()
    if scope is not None and isinstance(outcome, Unsolvable):
        every = _Reach(model, state, goal, Scope.everything(model))
        beyond = solve(every, max_nodes=max_states, deadline=deadline)
        if isinstance(beyond, Plan):
            guess = beyond.steps
        else:
            outcome = beyond
    learned = doubts is not None
    open_slots = [d for d in doubts or () if d.modes[1:]]
    match outcome:
        case Plan(steps):
            leaning = tuple(_leaning(model, state, steps, goal, open_slots))
            return Answer(tuple(goal), outcome, leaning, learned=learned)
        case Unsolvable():
            unsure = tuple(Reliance(d) for d in open_slots if d.effect)
            return Answer(tuple(goal), outcome, unsure, tuple(sorted(never_ran)), learned, guess)
    return Answer(tuple(goal), outcome, learned=learned)


class _Reach:
    """The state space of the model from a state."""

    complete = True

    def __init__(self, model: Model, state: State, goal: Sequence[Literal], scope: Scope | None) -> None:
        universe = state.universe
        self.initial = state.bits
        self._needed = universe.bits(a for a, sign in goal if sign)
        self._forbidden = universe.bits(a for a, sign in goal if not sign)
        self._execution = Execution(model, universe)
        self._steps = Steps(self._execution, scope)

    def is_goal(self, node: int) -> bool:
        return node & self._needed == self._needed and not node & self._forbidden

    def successors(self, node: int, last: bool) -> Iterable[tuple[Step, int]]:
        for step in self._steps(node):
            after = self._execution.apply(node, step)
            if after is not None and after != node:
                yield step, after


def _leaning(
    model: Model, state: State, plan: Sequence[Step], goal: Sequence[Literal], doubts: list[Doubt]
) -> Iterable[Reliance]:
    """The doubts that could make the plan fail, found by following which facts are uncertain."""
    true = set(state)
    suspects: dict[Atom, list[Reliance]] = {}
    found: dict[Reliance, None] = {}

    def use(atom: Atom) -> None:
        found.update(dict.fromkeys(suspects.get(atom, ())))

    for number, ground in enumerate(ground_plan(model, state.universe, plan), start=1):
        binding = model.action[ground.step.action].header.bind(ground.step.args)
        mine = [(d, d.atom.substitute(binding)) for d in doubts if d.action == ground.step.action]
        for atom, _ in ground.needs or ():
            use(atom)
        for doubt, atom in mine:
            if not doubt.effect:
                breaking = "-" if atom in true else "+"
                if doubt.atom.predicate == "=":
                    continue  # arguments are all different here
                if breaking in doubt.modes:
                    found[Reliance(doubt, number)] = None
                elif atom in suspects and "absent" in doubt.modes:
                    use(atom)
        (effects,) = ground.outcomes
        for atom, sign in effects:
            suspects.pop(atom, None)
            (true.add if sign else true.discard)(atom)
        for doubt, atom in mine:
            if doubt.effect and ("-" if atom in true else "+") in doubt.modes:
                suspects.setdefault(atom, []).append(Reliance(doubt, number))
    for atom, _ in goal:
        use(atom)
    return found


def _told(doubt: Doubt, words: Words) -> str:
    yes, no = words.clause(Literal(doubt.atom)), words.clause(Literal(doubt.atom, False))
    if doubt.effect:
        told = [text for mode, text in (("+", yes), ("-", no)) if mode in doubt.modes]
        return f"whether {doubt.action} leads to this: {' or '.join(told)}"
    told = [text for mode, text in (("+", yes), ("-", no)) if mode in doubt.modes]
    return f"whether {doubt.action} needs that {' or that '.join(told)}"
