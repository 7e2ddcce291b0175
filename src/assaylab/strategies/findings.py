"""From the evidence of one action to its finding: what is learned, what is open, which entries show it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.core.model import ActionModel
from assay.core.symbols import Literal
from assay.core.universe import indices
from assay.learn.conjunctive import VersionSpace
from assay.learn.finding import LEVELS, Finding, FoundTerm, Status, TermLiteral
from assay.learn.remaining import models_of

if TYPE_CHECKING:
    from assaylab.strategies.conjunctive import ActionRecord

MOST_ENTRIES = 5
"""Entries named beside a literal: a reader looks at few."""


def finding_of(record: ActionRecord, done: bool, equality: bool) -> Finding:
    """What is known of the action; `done` if its strategy has nothing left to ask."""
    space, evidence, conflict = record.space, record.evidence, record.evidence.conflict
    vocabulary = record.features.numbering.vocabulary
    model = None if record.trouble else next(models_of(vocabulary, record.header.name, space), None)
    term = _term(record, model) if model is not None else None
    covered = term is not None and bool(term.runs) and all(x.refusals for x in term.literals)
    learned = not record.trouble and space.decided and covered
    return Finding(
        action=record.header.name,
        status=_status(record, learned, done),
        model=model,
        strength=0 if learned else None,
        level=LEVELS[0] if learned else None,
        terms=(term,) if term else (),
        trouble=record.trouble,
        conflict=(conflict[0].entry, conflict[1].entry) if conflict else None,
        runs=len(evidence.runs),
        refusals=len(evidence.refusals),
        notes=tuple(_notes(record, equality)),
    )


def _status(record: ActionRecord, learned: bool, done: bool) -> Status:
    if record.evidence.conflict:
        return Status.CONTRADICTED
    if learned:
        return Status.LEARNED
    tried_in_vain = bool(record.evidence.refusals) and not record.evidence.runs
    return Status.NEVER_RAN if done and tried_in_vain and not record.trouble else Status.OPEN


def _term(record: ActionRecord, model: ActionModel) -> FoundTerm:
    """The precondition, with the refusals in which one literal alone was violated."""
    place = {atom: n for n, atom in enumerate(record.atoms)}
    literals = sorted(model.needed, key=lambda x: place[x.atom])
    mask = sum(1 << place[x.atom] for x in literals)
    value = sum(1 << place[x.atom] for x in literals if x.positive)
    refused: dict[int, list[int]] = {}
    for example in record.evidence.refusals:
        refused.setdefault((example.point.own ^ value) & mask, []).append(example.entry)
    runs = [e.entry for e in record.evidence.runs if e.point.own & mask == value]
    return FoundTerm(
        tuple(
            TermLiteral(
                Literal(x.atom), x.positive, tuple(refused.get(1 << place[x.atom], ())[:MOST_ENTRIES])
            )
            for x in literals
        ),
        tuple(runs[:MOST_ENTRIES]),
    )


def _notes(record: ActionRecord, equality: bool) -> Iterator[str]:
    """What is open, in sentences."""
    space, atoms = record.space, record.atoms
    if equality:
        yield "Steps that name one object twice were not tried."
    if not space.ran or record.trouble:
        return
    for n in indices(space.open_needs):
        yield f"Whether it needs {Literal(atoms[n], bool(space.may_true >> n & 1))} is open."
    for clause in space.clauses:
        parts = [
            str(Literal(atoms[n], bool(clause.true >> n & 1))) for n in indices(clause.true | clause.false)
        ]
        yield f"At least one of these is needed: {', '.join(parts)}."
    for n in indices(space.open_effects):
        yield f"Whether it {_modes(space, n)} {atoms[n]} is open."


def _modes(space: VersionSpace, place: int) -> str:
    """The effects that are left, in words."""
    words = (("adds", space.may_add), ("deletes", space.may_delete), ("keeps", space.may_keep))
    return " or ".join(word for word, mask in words if mask >> place & 1)
