"""Did a run keep out of the states that it was told never to enter?

Where questions began and ended is in the journal; what lies between follows from the model, which is proved
from the same journal. Logs are not looked at: nobody asked for what is in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.core.execution import Execution
from assay.core.model import Model
from assay.core.query import PlanResponse
from assay.core.setting import Setting
from assay.pddl.conditions import read_condition
from assay.store.journal import Entry


def trespasses(setting: Setting, entries: Iterable[Entry], model: Model) -> Iterator[int]:
    """The questions that passed through a forbidden state."""
    if not setting.never:
        return
    forbidden = read_condition(setting.never, setting.universe, "--never")
    execution = Execution(model, setting.universe)
    for entry in entries:
        if not entry.logged and any(map(forbidden.holds, _passed(entry, execution))):
            yield entry.number


def _passed(entry: Entry, execution: Execution) -> Iterator[int]:
    yield entry.query.state.bits
    if isinstance(entry.response, PlanResponse):
        yield entry.response.state.bits
        bits = entry.query.state.bits
        for step in entry.query.plan[: entry.response.steps]:
            after = execution.apply(bits, step) if step.action in execution.model.action else None
            if after is None:
                return  # the model does not give this answer, which is said elsewhere
            yield (bits := after)
