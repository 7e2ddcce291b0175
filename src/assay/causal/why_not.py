"""Why not: the smallest changes of the start, or of the plan, after which it would have been so.

Changes of the start are exact: the network is given to a MaxSAT solver with the facts at time 0 free, and
every minimal set of changed facts is found, smallest first. Changes of the plan are inserted, removed or
replaced steps; the search goes by their number, through states rather than plans, so the first plan found
has the fewest, and of those it keeps the most of the old one. The search ends with a plan, with the proof
that there is none, or at a bound, and says which. A changed plan must run to its end.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from assay.causal.causes import smallest_sets
from assay.causal.clauses import Clauses
from assay.causal.formula import And, Formula, Var, event, variables
from assay.causal.network import Executable, Fact, Given, Network, Static, ground_plan, unroll
from assay.causal.scope import OTHER_STEPS, Scope, Steps
from assay.causal.words import Words, listed
from assay.core.model import Execution, Model
from assay.core.quantity import count
from assay.core.symbols import Literal, Step
from assay.core.universe import State
from assay.errors import InputError

LIMIT = 10
"""So many changes of the start are listed, unless asked otherwise."""
MAX_STATES = 100_000
"""So many states are looked at for a changed plan."""
SECONDS = 10.0


@dataclass(frozen=True)
class Edit:
    """One change of a plan, at a place of the plan as it was, counted from 1."""

    kind: str  # inserted, removed, replaced
    place: int
    old: Step | None
    new: Step | None


@dataclass(frozen=True)
class PlanChange:
    """A plan that would have done it, and how it differs."""

    plan: tuple[Step, ...]
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class NoPlan:
    """No plan at all does it: every state within reach was looked at."""


@dataclass(frozen=True)
class Unknown:
    """The search stopped at a bound; nothing follows."""

    bound: str


PlanAnswer = PlanChange | NoPlan | Unknown


@dataclass(frozen=True)
class WhyNot:
    goal: tuple[Literal, ...]
    step: Step | None
    """The action that could not run, if that was the question."""
    plan: tuple[Step, ...]
    """The steps before it, or the whole plan."""
    ruled_out: bool
    """Whether the action's arguments alone rule it out."""
    stopped: int | None
    """The number of the step of the plan that could not run, counted from 1, if one could not."""
    missing: tuple[Literal, ...]
    """What the question, or the step that stopped the plan, needed and did not find."""
    starts: tuple[tuple[Literal, ...], ...]
    """Facts to change at the start, smallest set first."""
    more: bool
    by_plan: PlanAnswer

    def to_dict(self) -> dict[str, Any]:
        match self.by_plan:
            case PlanChange(plan, edits):
                answer: dict[str, Any] = {
                    "plan": [str(s) for s in plan],
                    "edits": [
                        {
                            "kind": e.kind,
                            "place": e.place,
                            "old": str(e.old) if e.old else None,
                            "new": str(e.new) if e.new else None,
                        }
                        for e in edits
                    ],
                }
            case NoPlan():
                answer = {"impossible": True}
            case Unknown(bound):
                answer = {"gave_up": bound}
        return {
            "goal": [str(x) for x in self.goal],
            "step": str(self.step) if self.step else None,
            "ruled_out": self.ruled_out,
            "stopped_at": self.stopped,
            "missing": [str(x) for x in self.missing],
            "start_changes": [[str(x) for x in change] for change in self.starts],
            "more_start_changes": self.more,
            "plan_change": answer,
        }

    def lines(self, words: Words) -> list[str]:
        lines = [self._reason(words)]
        if self.ruled_out:
            return lines
        lines.append("")
        if self.starts:
            lines.append("It would have been so if at the start:")
            lines += [f"- {listed([words.clause(x) for x in change])}" for change in self.starts]
            if self.more:
                lines.append("- (there are more, none of them smaller)")
        else:
            lines.append("No other start would have done it with this plan.")
        lines += ["", *self._plan_lines(words)]
        return lines

    def _reason(self, words: Words) -> str:
        if self.ruled_out:
            assert self.step is not None
            return f"It is never possible to {words.step(self.step)}: these must be different things."
        wanted = listed([words.clause(x) for x in self.missing])
        if self.stopped is not None:
            refused = words.step(self.plan[self.stopped - 1])
            return f"Step {self.stopped} ({refused}) could not run: it needs that {wanted}."
        if self.step is not None:
            return f"It was not possible to {words.step(self.step)}: it needs that {wanted}."
        return f"Nothing in the plan made it so that {wanted}."

    @property
    def _end_word(self) -> tuple[int, str]:
        return len(self.plan), "at the end" if self.step is None else "just before it"

    def _plan_lines(self, words: Words) -> list[str]:
        match self.by_plan:
            case PlanChange(_, edits):
                count = "one change" if len(edits) == 1 else f"{len(edits)} changes"
                return [
                    f"From the same start, the plan would have done it with {count}:",
                    *(f"- {_told(edit, words, self._end_word)}" for edit in edits),
                ]
            case NoPlan():
                return ["From the same start, no plan does it: every state within reach was looked at."]
            case Unknown(bound):
                return [f"Whether a changed plan would have done it is not known: {bound}."]


def why_not(
    model: Model,
    state: State,
    plan: Sequence[Step],
    *,
    goal: Sequence[Literal] = (),
    step: Step | None = None,
    limit: int = LIMIT,
    max_states: int = MAX_STATES,
    seconds: float = SECONDS,
    scope: Scope | None = None,
) -> WhyNot:
    """Why the goal does not hold after the plan, or why the step cannot be taken.

    A step that is in the plan is asked about at its place there, any other after the plan; with neither
    goal nor step it is the step that stopped the plan. `scope` tells of which steps a learned model speaks.
    """
    if any(len(a.outcomes) > 1 for a in model.actions):
        raise InputError("why-not needs a model in which every action has one outcome")
    plan = tuple(plan)
    universe = state.universe
    stopped_at = unroll(model, state, plan).steps
    if not goal and step is None:
        if stopped_at == len(plan):
            raise InputError("the plan runs to its end: say which fact or which action is missing")
        step = plan[stopped_at]
        plan = plan[:stopped_at]
    elif step is not None and step in plan:
        plan = plan[: _place(plan, step, stopped_at)]
    if step is not None:
        (ground,) = ground_plan(model, universe, [step])
        if ground.needs is None:
            return WhyNot((), step, plan, True, None, (), (), False, NoPlan())
        goal = sorted(ground.needs)
    network = unroll(model, state, plan, mention=[a for a, _ in goal])
    stopped = network.steps + 1 if network.steps < len(plan) else None
    missing = [x for x in goal if not _holds(network, x, network.end)]
    if not missing and (step is None or stopped is None):
        raise InputError(f"{step} can run there" if step else "it does hold after the plan: ask why")
    reason = missing
    if stopped is not None:
        reason = [
            x
            for x in sorted(network.plan[network.steps].needs or ())
            if not _holds(network, x, network.steps)
        ]
    deadline = time.monotonic() + seconds
    by_plan = _plan_change(model, state, plan, goal, step, max_states, deadline, scope)
    if scope is not None and isinstance(by_plan, NoPlan):
        every = Scope.everything(model)
        by_plan = _plan_change(model, state, plan, goal, step, max_states, deadline, every)
        if isinstance(by_plan, PlanChange):
            by_plan = Unknown(f"only {OTHER_STEPS} would lead there, of which the model does not speak")
    starts = list(islice(_start_changes(network, goal, step is not None), limit + 1))
    return WhyNot(
        tuple(goal),
        step,
        plan,
        False,
        stopped,
        tuple(reason),
        tuple(sorted(starts[:limit], key=lambda change: (len(change), set(change) <= set(goal), change))),
        len(starts) > limit,
        by_plan,
    )


def _place(plan: tuple[Step, ...], step: Step, stopped_at: int) -> int:
    """The occurrence asked about: the one that stopped the plan, or else the first."""
    if stopped_at < len(plan) and plan[stopped_at] == step:
        return stopped_at
    return plan.index(step)


def _holds(network: Network, literal: Literal, when: int) -> bool:
    return network.values[network.variable(literal.atom, when)] == literal.positive


def _start_changes(
    network: Network, goal: Sequence[Literal], must_run: bool
) -> Iterator[tuple[Literal, ...]]:
    """Minimal sets of facts to be otherwise at the start, smallest first."""
    structure, context = network.structure, network.context
    target: list[Formula] = [event(network.variable(a, network.end), sign) for a, sign in goal]
    if must_run and network.plan:
        target.append(Var(Executable(network.plan[-1].step, network.end - 1)))
    relevant = structure.ancestors(variables(And(tuple(target))))
    clauses = Clauses()
    free: dict[int, Literal] = {}
    for variable in sorted((v for v in relevant if v in structure.exogenous), key=str):
        match variable:
            case Static(atom) | Given(Fact(atom, _)):
                changed = clauses.fresh()
                free[changed] = Literal(atom, not context[variable])
                number = clauses.number(variable)
                sign = 1 if context[variable] else -1
                clauses.clauses += [[changed, sign * number], [-changed, -sign * number]]
            case _:
                clauses.fix(variable, context[variable])
    for variable in structure.order:
        if variable in relevant:
            # Every variable is named by its function: given the start, nothing else is free.
            function = clauses.literal(structure.functions[variable])
            number = clauses.number(variable)
            clauses.clauses += [[-number, function], [number, -function]]
    clauses.add([clauses.literal(And(tuple(target)))])
    for chosen, _ in smallest_sets(clauses, list(free)):
        yield tuple(sorted(free[c] for c in chosen))


# --- changes of the plan

Node = tuple[int, int]
"""How much of the old plan is dealt with, and the state reached."""


def _plan_change(
    model: Model,
    state: State,
    plan: tuple[Step, ...],
    goal: Sequence[Literal],
    step: Step | None,
    max_states: int,
    deadline: float,
    scope: Scope | None,
) -> PlanAnswer:
    universe = state.universe
    needed = universe.bits(a for a, sign in goal if sign)
    forbidden = universe.bits(a for a, sign in goal if not sign)
    execution = Execution(model, universe)
    steps = Steps(execution, scope)
    successors: dict[int, list[tuple[Step, int]]] = {}

    def following(bits: int) -> list[tuple[Step, int]]:
        if bits not in successors:
            reached = ((s, execution.apply(bits, s)) for s in steps(bits))
            successors[bits] = [(s, after) for s, after in reached if after is not None and after != bits]
        return successors[bits]

    def moves(node: Node) -> Iterator[tuple[Node, Step | None, Edit | None]]:
        place, bits = node
        if place < len(plan):
            old = plan[place]
            if (after := execution.apply(bits, old)) is not None:
                yield (place + 1, after), old, None
            yield (place + 1, bits), None, Edit("removed", place + 1, old, None)
            for new, after in following(bits):
                if new != old:
                    yield (place + 1, after), new, Edit("replaced", place + 1, old, new)
        for new, after in following(bits):
            yield (place, after), new, Edit("inserted", place + 1, None, new)

    root: Node = (0, state.bits)
    cost = {root: (0, 0)}
    came: dict[Node, tuple[Node, Step | None, Edit | None]] = {}
    queue: list[tuple[tuple[int, int], int, Node]] = [((0, 0), 0, root)]
    done: set[Node] = set()
    while queue:
        _, _, node = heapq.heappop(queue)
        if node in done:
            continue
        done.add(node)
        place, bits = node
        if place == len(plan) and bits & needed == needed and not bits & forbidden:
            return _retrace(came, node, step)
        if len(done) > max_states:
            return Unknown(f"the search stopped after {count(max_states, 'state')}")
        if not len(done) % 64 and time.monotonic() > deadline:
            return Unknown("the search ran out of time")
        for target, taken, edit in moves(node):
            edits, lost = cost[node]
            if edit is not None:
                edits, lost = edits + 1, lost + (edit.old is not None)
            if target not in cost or (edits, lost) < cost[target]:
                cost[target] = (edits, lost)
                came[target] = (node, taken, edit)
                heapq.heappush(queue, ((edits, lost), len(came), target))
    return NoPlan()


def _retrace(
    came: dict[Node, tuple[Node, Step | None, Edit | None]], node: Node, step: Step | None
) -> PlanChange:
    steps: list[Step] = [] if step is None else [step]
    edits: list[Edit] = []
    while node in came:
        node, taken, edit = came[node]
        if taken is not None:
            steps.append(taken)
        if edit is not None:
            edits.append(edit)
    return PlanChange(tuple(reversed(steps)), tuple(reversed(edits)))


def _told(edit: Edit, words: Words, last: tuple[int, str]) -> str:
    if edit.new is None:
        assert edit.old is not None
        return f"leave out step {edit.place} ({words.step(edit.old)})"
    if edit.old is None:
        length, ending = last
        where = f"before step {edit.place}" if edit.place <= length else ending
        return f"{where}, {words.step(edit.new)}"
    return f"instead of step {edit.place} ({words.step(edit.old)}), {words.step(edit.new)}"
