"""The journal as rows for people: what was asked, what was answered, what it settled.

Questions can hold thousands of facts. A row tells the sentence of the question and of the answer, and lists
the last steps tried and the facts near them; what is not listed is counted, and stands in the journal.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.limits import LONGEST_TOLD
from assay.core.query import Invalid
from assay.core.symbols import Literal
from assay.core.visible import visible
from assay.report.names import Names
from assay.report.words import Speaker
from assay.store.journal import Entry

FACTS_LISTED, STEPS_LISTED = 40, 24


@dataclass(frozen=True, slots=True)
class Row:
    number: int
    question: str
    answer: str
    ending: str
    """"ran", "refused" or "impossible"."""
    tried: int
    """Steps tried, the refused one included."""
    settled: tuple[str, ...]
    """Literals of the model that this answer settled, in words."""
    cleared: int
    """Points that this answer showed not to matter."""
    facts: tuple[str, ...]
    facts_left_out: int
    steps: tuple[str, ...]
    first_step: int
    """The number of the first step listed."""
    untried: int
    """Steps after the refused one."""
    refused: int
    """The number of the step that was refused, or 0."""
    logged: bool = False
    """Whether it comes from a log of the agent."""


def row(speaker: Speaker, entry: Entry, settled: tuple[str, ...], cleared: int) -> Row:
    query, response = entry.query, entry.response
    ran = 0 if isinstance(response, Invalid) else response.steps
    stopped = not isinstance(response, Invalid) and ran < len(query.plan)
    focus = query.plan[ran : ran + 1] or query.plan[:1]
    near = {a for step in focus for a in step.args}
    facts = sorted(query.state, key=lambda atom: (not near.issuperset(atom.args), atom.text))
    last = ran + 1 if stopped else len(query.plan)
    first = max(0, last - STEPS_LISTED)
    return Row(
        number=entry.number,
        question=visible(speaker.question(query, response, walk=entry.walk), LONGEST_TOLD),
        answer=visible(speaker.answer(query, response, walk=entry.walk), LONGEST_TOLD),
        ending="impossible" if isinstance(response, Invalid) else "refused" if stopped else "ran",
        tried=ran + stopped,
        settled=settled,
        cleared=cleared,
        facts=tuple(speaker.clause(Literal(atom), Names.plain()) for atom in facts[:FACTS_LISTED]),
        facts_left_out=max(0, len(facts) - FACTS_LISTED),
        steps=tuple(speaker.step(step) for step in query.plan[first:last]),
        first_step=first + 1,
        untried=len(query.plan) - last,
        refused=ran + 1 if stopped else 0,
        logged=entry.logged,
    )
