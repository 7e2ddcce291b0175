"""Questions worth asking again of an agent that nobody vouches for: does it answer as it did?

A run rarely asks anything twice, and chance that decides whether a step runs looks like a condition: each
step is tried once, and happens or not. So when a simulator has nothing more to tell, some questions are put
again. Those in which most steps ran are the most telling, for every one of them has to run again. As many as
it takes to have every action that ran among them are put several times, for chance may well give one answer
twice; and of the longest of the rest so many that a twentieth of all questions is. Of an action that never
ran there are only refusals: it is tried again, as often, wherever it was refused.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from assay.core.query import PlanResponse
from assay.store.journal import Entry

TIMES = 8
"""How often a run of each action is asked for again: chance of 30 % is noticed in 94 of 100 runs."""
SHARE = 20
"""One question in so many is asked again at least."""
MOST_REFUSALS = 50
"""How often actions that never ran are tried again altogether."""
REFUSALS = 3
"""How often each refusal is asked for again on which it rests that an action never runs."""


def confirmations(entries: Sequence[Entry]) -> list[Entry]:
    """Entries whose questions to ask again, in this order."""
    asked = [e for e in entries if not e.logged and isinstance(e.response, PlanResponse)]
    ran = sorted((e for e in asked if _ran(e)), key=lambda e: -len(_ran(e)))
    covering: list[Entry] = []
    seen: set[str] = set()
    for entry in ran:
        if not seen.issuperset(_ran(entry)):
            covering.append(entry)
            seen.update(_ran(entry))
    more = max(0, -(-len(asked) // SHARE) - len(covering))
    rest = [entry for entry in ran if entry not in covering][:more]
    never = [e for e in asked if _refused(e) - seen]
    return [*covering * TIMES, *rest, *(never * TIMES)[:MOST_REFUSALS]]


def refusals(entries: Sequence[Entry], never: Collection[str]) -> list[Entry]:
    """Entries whose questions to ask again before it is claimed that these actions never run."""
    return ([e for e in entries if not e.logged and _refused(e) & set(never)] * REFUSALS)[:MOST_REFUSALS]


def _ran(entry: Entry) -> list[str]:
    """The actions that ran, step by step."""
    steps = entry.response.steps if isinstance(entry.response, PlanResponse) else 0
    return [step.action for step in entry.query.plan[:steps]]


def _refused(entry: Entry) -> set[str]:
    """The action at which the plan stopped, if it did."""
    if not isinstance(entry.response, PlanResponse):
        return set()
    return {step.action for step in entry.query.plan[entry.response.steps :][:1]}
