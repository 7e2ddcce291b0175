"""The last look before anything is claimed: does the model give every answer that was recorded?

Conditions are fitted to what was watched of each step. Quantified conditions and effects on other objects depend
on everything in the question, so models that have them are executed on all answers once more. So are plans of
which only the last state was told: what happened between had been foretold by earlier models. The guarantee: a
model that denies one of its own answers is never called learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.query import PlanResponse
from assay.core.symbols import Step
from assay.core.universe import State
from assay.core.vocabulary import Vocabulary
from assay.learn.finding import Finding, Status
from assay.store.journal import Entry


def denied_by_answers(
    vocabulary: Vocabulary, findings: Sequence[Finding], entries: Iterable[Entry]
) -> dict[str, int]:
    """Learned actions whose model foretells something else than an answer shows, with the first such entry."""
    learned = [f.model for f in findings if f.model is not None and f.status is Status.LEARNED]
    model = Model(vocabulary, tuple(learned))
    watched = {a.header.name for a in learned if a.is_quantified}
    denied: dict[str, int] = {}
    constants = frozenset(c.name for c in vocabulary.constants)
    for entry in entries:
        response = entry.response
        if not isinstance(response, PlanResponse):
            continue
        states = entry.states if entry.states is not None else response.states
        if states is None and response.steps <= 1 and len(entry.query.plan) == 1:
            states = (response.state,) * response.steps
        actions = {step.action for step in entry.query.plan}
        execution = Execution(model, entry.query.state.universe)
        if states is None:
            spoken_of = actions <= model.action.keys() and _is_plain(entry.query.plan, constants)
            told = (response.steps, response.state)
            if spoken_of and execution.run(entry.query.state, entry.query.plan) != told:
                denied |= {action: denied.get(action, entry.number) for action in sorted(actions)}
        elif not actions.isdisjoint(watched):
            _compare(execution, entry, states, watched, denied)
    return denied


def _is_plain(plan: Sequence[Step], constants: frozenset[str]) -> bool:
    """Whether no step names an object twice, or a constant: of others no model speaks."""
    return all(len(set(s.args)) == len(s.args) and constants.isdisjoint(s.args) for s in plan)


def _compare(
    execution: Execution, entry: Entry, states: Sequence[State], watched: set[str], denied: dict[str, int]
) -> None:
    before = entry.query.state.bits
    for number, step in enumerate(entry.query.plan):
        if number > len(states):
            return
        after = states[number].bits if number < len(states) else None
        known = step.action in watched and len(set(step.args)) == len(step.args)
        if known and execution.apply(before, step) != after:
            denied.setdefault(step.action, entry.number)
        if after is None:
            return
        before = after


def withdrawn(finding: Finding, entry: int) -> Finding:
    """The finding without its claim."""
    return replace(
        finding,
        status=Status.OPEN,
        strength=None,
        level=None,
        trouble=f"the model does not give answer {entry}: something is not explained",
    )
