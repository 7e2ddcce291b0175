"""A question and its answer in sentences, shortened so that any answer fits on a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.core.quantity import count
from assay.core.query import Invalid, PlanResponse
from assay.core.symbols import Atom, Step
from assay.core.universe import State
from assay.language.english import English
from assay.language.lists import listed
from assay.language.visible import quoted
from assay.store.journal import Entry

FACTS = 12
"""Facts of a situation that are listed; those about the arguments of the step come first."""
STEPS = 12
"""Steps of a plan that are listed."""


def verdict(english: English, entry: Entry) -> str:
    """How far the plan ran."""
    plan, answer = entry.query.plan, entry.response
    if isinstance(answer, Invalid):
        return f"The agent calls this situation impossible, and says {quoted(answer.reason)}."
    if not plan:
        return "The agent did nothing." if entry.walk else "There was nothing to do."
    if entry.walk:
        return f"The agent did {count(len(plan), 'step')} of its own choice."
    if answer.steps == len(plan):
        return "It ran." if len(plan) == 1 else f"All {len(plan)} steps ran."
    refused = f"{english.step(plan[answer.steps])} was refused"
    if len(plan) == 1:
        return f"{refused}."
    ran = "No step ran" if not answer.steps else f"{count(answer.steps, 'step')} ran"
    return f"{ran}; step {answer.steps + 1} of {len(plan)}, {refused}."


def situation(english: English, state: State, step: Step) -> str:
    """What is true of the step's objects and of constants, or what is not if that is shorter."""
    universe = state.universe
    atoms = sorted(universe.atom(p) for p in dict.fromkeys(universe.positions(step)))
    true = [a for a in atoms if a in state]
    false = [a for a in atoms if a not in state]
    others = len(state) - len(true)
    beside = f"; besides, {count(others, 'fact')} with other objects" if others else ""
    if len(false) < len(true):
        told = f"every fact about its objects is true{f' but {_some(english, false)}' if false else ''}"
    else:
        told = (
            f"of the facts about its objects only {_some(english, true)}"
            if true
            else "no fact about its objects is true"
        )
    return f"{told}{beside}"


def _some(english: English, atoms: Sequence[Atom]) -> str:
    return listed(_cut([english.atom(a) for a in atoms], FACTS, "more fact"))


def plan_lines(english: English, entry: Entry) -> Iterator[str]:
    """The steps, with what became of each; the middle of a long plan is left out."""
    plan, answer = entry.query.plan, entry.response
    ran = answer.steps if isinstance(answer, PlanResponse) else 0
    tried = ran + 1 if isinstance(answer, PlanResponse) and not entry.walk else ran
    for number, step in enumerate(plan):
        if len(plan) > STEPS and STEPS // 2 <= number < min(ran, len(plan) - 1) - STEPS // 2 + 2:
            continue
        if number > ran + 1:
            yield f"{count(len(plan) - number, 'more step')} not tried"
            return
        became = "ran" if number < ran else "refused" if number < tried else "not tried"
        yield f"{number + 1}. {english.step(step)}: {became}{_effect(english, entry, number)}"


def _effect(english: English, entry: Entry, number: int) -> str:
    """What the agent said that the step changed, if it said so."""
    answer = entry.response
    if not isinstance(answer, PlanResponse) or number >= answer.steps:
        return ""
    pair = states_around(entry, number)
    return f"; {changes(english, *pair)}" if pair is not None else ""


def states_around(entry: Entry, number: int) -> tuple[State, State] | None:
    """The states before and after a step that ran, if the agent told both."""
    answer = entry.response
    assert isinstance(answer, PlanResponse)
    told = entry.states or answer.states
    if told is not None:
        return (told[number - 1] if number else entry.query.state), told[number]
    return (entry.query.state, answer.state) if number == 0 and answer.steps == 1 else None


def state_before(entry: Entry, number: int) -> State | None:
    """The state in which a step was tried, if the agent told it."""
    answer = entry.response
    if number == 0 or not isinstance(answer, PlanResponse):
        return entry.query.state
    told = entry.states or answer.states
    if told is not None:
        return told[number - 1]
    return answer.state if number == answer.steps else None


def changes(english: English, before: State, after: State) -> str:
    risen, fallen = _missing(after, before), _missing(before, after)
    told = [
        f"{_some(english, atoms)} became {word}"
        for atoms, word in ((risen, "true"), (fallen, "false"))
        if atoms
    ]
    return " and ".join(told) or "nothing changed"


def whole_change(english: English, entry: Entry) -> str:
    """What is different at the end from the start."""
    assert isinstance(entry.response, PlanResponse)
    return changes(english, entry.query.state, entry.response.state)


def steps_of(entry: Entry, action: str) -> list[tuple[int, Step]]:
    """The steps of an action that were tried."""
    answer = entry.response
    if isinstance(answer, Invalid):
        return []
    return [(n, s) for n, s in enumerate(entry.query.plan[: answer.steps + 1]) if s.action == action]


def _missing(one: State, other: State) -> list[Atom]:
    return sorted(set(one) - set(other), key=lambda a: a.text)


def _cut(parts: list[str], most: int, noun: str) -> list[str]:
    if len(parts) <= most + 1:
        return parts
    return [*parts[:most], count(len(parts) - most, noun)]
