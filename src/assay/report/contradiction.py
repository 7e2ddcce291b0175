"""Two answers that contradict each other, side by side."""

from __future__ import annotations

from collections.abc import Iterator

from assay.core.query import PlanResponse
from assay.core.symbols import Step
from assay.language.answers import changes, situation, state_before, states_around, steps_of
from assay.language.english import English
from assay.learn.finding import Finding
from assay.report.content import Block, Table, Text
from assay.result import Result
from assay.store.journal import Entry

Tried = tuple[int, Step]


def both_answers(result: Result, english: English, finding: Finding) -> Iterator[Block]:
    if finding.conflict is None:
        yield Text("The entries are not known.")
        return
    number = {e.number: e for e in result.entries}
    pair = [number[n] for n in finding.conflict if n in number]
    if len(pair) < 2:
        return
    action = finding.action.partition("[")[0]
    steps = _disagreeing(pair[0], pair[1], action)
    columns = [_column(english, entry, tried) for entry, tried in zip(pair, steps, strict=True)]
    rows = zip(("Tried", "Where", "Answer"), *columns, strict=True)
    yield Table(("", *(f"#{e.number}" for e in pair)), tuple(rows))


def _disagreeing(one: Entry, other: Entry, action: str) -> tuple[Tried | None, Tried | None]:
    """The steps that were tried at the same point and answered differently, as far as states are told."""
    first, second = steps_of(one, action), steps_of(other, action)
    for a in first:
        for b in second:
            if _view(one, a) == _view(other, b) and _outcome(one, a) != _outcome(other, b):
                return a, b
    return (first[-1] if first else None), (second[-1] if second else None)


def _view(entry: Entry, tried: Tried) -> frozenset[tuple[str, ...]] | None:
    """The facts about the step's arguments, whichever objects these are."""
    before = state_before(entry, tried[0])
    return None if before is None else _lifted(before, tried[1])


def _lifted(state: object, step: Step) -> frozenset[tuple[str, ...]]:
    place = {a: f"?{n}" for n, a in enumerate(step.args)}
    return frozenset(
        (atom.predicate, *(place.get(a, a) for a in atom.args))
        for atom in state  # type: ignore[attr-defined]
        if not atom.args or set(atom.args) & set(place)
    )


def _outcome(entry: Entry, tried: Tried) -> object:
    if not _ran(entry, tried):
        return None
    around = states_around(entry, tried[0])
    return True if around is None else _lifted(around[1], tried[1])


def _ran(entry: Entry, tried: Tried) -> bool:
    return isinstance(entry.response, PlanResponse) and tried[0] < entry.response.steps


def _column(english: English, entry: Entry, tried: Tried | None) -> tuple[str, str, str]:
    if tried is None:
        return "no step of it", "", ""
    number, step = tried
    before = state_before(entry, number)
    where = "the agent did not tell this state" if before is None else situation(english, before, step)
    answer = "refused"
    if _ran(entry, tried):
        around = states_around(entry, number)
        answer = "it ran" + (f"; {changes(english, *around)}" if around is not None else "")
    return english.step(step), where, answer
