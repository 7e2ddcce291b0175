"""Why not: the smallest changes of the start, or of the plan, after which it would have been so.

A condition may be any formula, so what was missing is told as the minimal sets of facts whose change makes it
true. Changes of the start are exact: the network is given to a MaxSAT solver with the facts at time 0 free.
Changes of the plan are searched for (`plan_change`). Where nothing does it, the answer says what it rests on.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from assay.causal.formula import Formula as Event
from assay.causal.formula import Var, all_of, evaluate
from assay.causal.network import REFUSED, Network, mentioned, unroll
from assay.causal.plan_change import NoPlan, PlanAnswer, PlanChange, Unknown, change_plan
from assay.causal.scope import OTHER_STEPS, Scope, StateSpace
from assay.causal.starts import changes_at_start, changes_there
from assay.causal.variables import Executable, Refused
from assay.causal.why import interrupted
from assay.causal.words import Words
from assay.core.execution import bind_step
from assay.core.formula import Formula, ground, leaves, substitute
from assay.core.model import Model
from assay.core.symbols import Literal, Step
from assay.core.universe import State
from assay.errors import InputError
from assay.language.lists import listed
from assay.language.strength import limit_sentence

LIMIT = 10
"""So many changes of the start are listed, unless asked otherwise."""
MAX_STATES = 100_000
"""So many states are looked at for a changed plan."""
SECONDS = 10.0

Change = tuple[Literal, ...]
"""Facts as they would have to be, all together."""


@dataclass(frozen=True)
class WhyNot:
    goal: Formula
    """The fact asked about, or what the step needs."""
    step: Step | None
    """The action that could not run, if that was the question."""
    plan: tuple[Step, ...]
    """The steps before it, or the whole plan."""
    courses: tuple[str, ...]
    """What became of them."""
    ruled_out: bool
    """Whether no facts whatever would do: the things named rule it out."""
    stopped: int | None
    """The number of the step that ended the plan before its end, counted from 1."""
    missing: tuple[Change, ...]
    """What was needed and not there, at the end or where the plan stopped: minimal sets of changes."""
    starts: tuple[Change, ...]
    """Facts to change at the start, smallest set first."""
    more: bool
    by_plan: PlanAnswer
    strength: int | None = None
    """What the model's certificate says, if it has one."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "goal": str(self.goal),
            "step": str(self.step) if self.step else None,
            "steps": [{"step": str(s), "happened": c} for s, c in zip(self.plan, self.courses, strict=True)],
            "ruled_out": self.ruled_out,
            "stopped_at": self.stopped,
            "missing": [[str(x) for x in change] for change in self.missing],
            "start_changes": [[str(x) for x in change] for change in self.starts],
            "more_start_changes": self.more,
            "plan_change": self.by_plan.to_dict(),
            "strength": self.strength,
        }

    def lines(self, words: Words) -> list[str]:
        lines = self._reason(words)
        if self.ruled_out:
            return [*lines, limit_sentence(self.strength)]
        lines.append("")
        if self.starts:
            lines += ["It would have been so if at the start:", *_listed(self.starts, words)]
            if self.more:
                lines.append("- (there are more, none of them smaller)")
        else:
            lines.append(f"No other start would have done it with this plan. {limit_sentence(self.strength)}")
        return [*lines, "", *self._plan_lines(words)]

    def _reason(self, words: Words) -> list[str]:
        if self.ruled_out:
            never = (
                f"that {words.clause(self.goal)}"
                if self.step is None
                else f"that {words.step(self.step)} runs"
            )
            return [f"It is never possible {never}: no facts would make it so with these things."]
        before = interrupted(words, self.plan, self.courses)
        if self.stopped is not None:
            lead, before = before[0].removesuffix("."), before[1:]
        elif self.step is not None:
            lead = f"{words.step(self.step)} could not run"
        else:
            return [*before, *_sentences("Nothing in the plan made it so that", self.missing, words)]
        if not self.missing:
            return [f"{lead}: no facts would let it run with these things.", *before]
        return [*_sentences(f"{lead}: it needs that", self.missing, words), *before]

    def _plan_lines(self, words: Words) -> list[str]:
        match self.by_plan:
            case PlanChange(_, edits):
                end = "at the end" if self.step is None else "just before it"
                count = "one change" if len(edits) == 1 else f"{len(edits)} changes"
                return [
                    f"From the same start, the plan would have done it with {count}:",
                    *(f"- {edit.told(words, len(self.plan), end)}" for edit in edits),
                ]
            case NoPlan():
                return [
                    "From the same start, no plan does it: every state within reach was looked at. "
                    f"{limit_sentence(self.strength)}"
                ]
            case Unknown(bound):
                return [f"Whether a changed plan would have done it is not known: {bound}."]


def _sentences(lead: str, changes: Sequence[Change], words: Words) -> list[str]:
    if len(changes) == 1:
        return [f"{lead} {listed([words.clause(x) for x in changes[0]])}."]
    return [f"{lead} one of these is so:", *_listed(changes, words)]


def _listed(changes: Iterable[Change], words: Words) -> list[str]:
    return [f"- {listed([words.clause(x) for x in change])}" for change in changes]


def why_not(
    model: Model,
    state: State,
    plan: Sequence[Step],
    *,
    goal: Formula | None = None,
    step: Step | None = None,
    refused: Refused = Refused.STOP,
    limit: int = LIMIT,
    max_states: int = MAX_STATES,
    seconds: float = SECONDS,
    scope: Scope | None = None,
    strength: int | None = None,
) -> WhyNot:
    """Why the goal does not hold after the plan, or why the step cannot be taken.

    A step that is in the plan is asked about at its place there, any other after the plan; with neither
    goal nor step it is the first step that could not run. `scope` tells of which steps a learned model
    speaks, `strength` how sure it is.
    """
    plan, deadline = tuple(plan), time.monotonic() + seconds
    if goal is None:
        plan, step = _asked(unroll(model, state, plan, refused=refused), step)
        action, binding = bind_step(model, state.universe, step)
        goal = substitute(action.precondition, binding)
    condition = ground(goal, state.universe, {})
    mention = state.universe.atoms(mentioned(condition))
    network = unroll(model, state, plan, refused=refused, mention=mention)
    wanted, courses = network.event(goal, network.end), network.courses()
    stopped = network.steps + 1 if refused is Refused.STOP and REFUSED in courses else None
    if stopped is None and evaluate(wanted, network.values):
        raise InputError(f"{step} can run there" if step else "it does hold after the plan: ask why")

    def search(scope: Scope | None) -> PlanAnswer:
        return change_plan(
            StateSpace(model, state.universe, scope),
            state.bits,
            plan,
            condition,
            refused=refused,
            max_states=max_states,
            deadline=deadline,
        )

    by_plan = search(scope)
    if scope is not None and isinstance(by_plan, NoPlan) and isinstance(search(None), PlanChange):
        by_plan = Unknown(f"only {OTHER_STEPS} would lead there, of which the model does not speak")
    if step is not None and isinstance(by_plan, PlanChange):
        by_plan = PlanChange((*by_plan.plan, step), by_plan.edits)
    reason = wanted if stopped is None else network.preconditions[stopped - 1]
    starts = list(islice(changes_at_start(network, _run(network, wanted, step)), limit + 1))
    return WhyNot(
        goal,
        step,
        plan,
        courses,
        next(changes_there(wanted, network.values), None) is None,
        stopped,
        tuple(islice(changes_there(reason, network.values), limit)),
        tuple(sorted(starts[:limit], key=lambda change: (len(change), _trivial(change, goal), change))),
        len(starts) > limit,
        by_plan,
        strength,
    )


def _asked(network: Network, step: Step | None) -> tuple[tuple[Step, ...], Step]:
    """The step asked about and those before it: its place is where it could not run, or else the first."""
    plan, courses = network.plan, network.courses()
    if step is not None and step not in plan:
        return plan, step
    if step is None and REFUSED not in courses:
        raise InputError("the plan runs to its end: say which fact or which action is missing")
    places = [t for t, (s, c) in enumerate(zip(plan, courses, strict=True)) if step in (None, s)]
    place = next((t for t in places if courses[t] == REFUSED), places[0])
    return plan[:place], plan[place]


def _trivial(change: Change, goal: Formula) -> bool:
    """Whether it just makes what was asked for so."""
    return set(change) <= set(leaves(goal))


def _run(network: Network, wanted: Event, step: Step | None) -> Event:
    """The event, and if it is about a further step, that the plan gets there."""
    if step is None or not network.plan or network.refused is Refused.SKIP:
        return wanted
    last = network.end - 1
    return all_of([wanted, Var(Executable(network.plan[last], last))])
