"""From a learner to its finding: terms with the entries that show them, and what could not be realised."""

from __future__ import annotations

from collections.abc import Container

from assay.core.symbols import Literal
from assay.learn.action import ActionLearner
from assay.learn.coverage import Missing
from assay.learn.dnf import Term, bits
from assay.learn.finding import (
    LEVELS,
    Finding,
    FoundTerm,
    Level,
    NotRealised,
    OtherObject,
    Status,
    TermLiteral,
)
from assay.learn.formulation import action_model
from assay.learn.hypothesis import Hypothesis

MOST_ENTRIES = 5
"""Entries named beside a literal: a reader looks at few."""


def finding_of(learner: ActionLearner) -> Finding:
    hypothesis, evidence = learner.hypothesis, learner.hypothesis.evidence
    conflict = evidence.conflict
    status = learner.status
    return Finding(
        action=learner.name,
        status=status,
        model=action_model(hypothesis) if hypothesis.terms else None,
        strength=learner.level if status is Status.LEARNED else None,
        level=_level(learner) if status is Status.LEARNED else None,
        others=tuple(
            OtherObject(f.type, tuple(hypothesis.features.spelled(f))) for f in hypothesis.quantified
        ),
        terms=tuple(found_term(hypothesis, term) for term in hypothesis.terms),
        not_realised=tuple(_not_realised(learner, hypothesis)),
        trouble=learner.trouble or "",
        conflict=(conflict[0].entry, conflict[1].entry) if conflict else None,
        runs=len(evidence.runs),
        refusals=len(evidence.refusals),
    )


def _level(learner: ActionLearner) -> Level | None:
    if learner.level is None:
        return None
    level = LEVELS[learner.level]
    strengths = [learner.coverage.run_strength(t, level.run) for t in learner.hypothesis.terms]
    return level._replace(run=min([level.run, *strengths]))


def found_term(hypothesis: Hypothesis, term: Term) -> FoundTerm:
    mask, value = term
    rows = [(hypothesis.row(e), e) for e in hypothesis.evidence.examples]
    literals = []
    for place in bits(mask):
        turned = value ^ 1 << place
        entries = sorted({e.entry for row, e in rows if not e.ran and row & mask == turned})
        literals.append(
            TermLiteral(_literal(hypothesis, place), bool(value >> place & 1), tuple(entries[:MOST_ENTRIES]))
        )
    runs = sorted({e.entry for row, e in rows if e.ran and row & mask == value})
    return FoundTerm(tuple(literals), tuple(runs[:MOST_ENTRIES]))


def _literal(hypothesis: Hypothesis, place: int) -> Literal | int:
    width = hypothesis.features.width
    return Literal(hypothesis.features.own[place]) if place < width else place - width


def literal_text(hypothesis: Hypothesis, place: int, bit: int) -> str:
    return TermLiteral(_literal(hypothesis, place), bool(bit)).text()


def _not_realised(learner: ActionLearner, hypothesis: Hypothesis) -> list[NotRealised]:
    """Of the terms that stand; what concerned earlier ones is of no interest."""
    number = {term: n for n, term in enumerate(hypothesis.terms)}
    around, found = hypothesis.width, []
    not_realised = learner.coverage.not_realised
    for missing, why in not_realised.items():
        places, wanted = missing.pattern
        # whether anything else is around, and which argument stands in, is no part of the class
        if missing.term not in number or len(places) != len(wanted):
            continue
        if around in places:
            if wanted[places.index(around)] or not _either_way(not_realised, missing, around):
                continue
            missing = _without(missing, around)
        found.append(spelled(hypothesis, number[missing.term], missing, why))
    return found


def _either_way(not_realised: Container[Missing], missing: Missing, around: int) -> bool:
    """Whether it names all features there are, and is not realised with other objects around either."""
    places, wanted = missing.pattern
    if len(places) - 1 < around - missing.term[0].bit_count():
        return False
    crowded = tuple(1 if place == around else bit for place, bit in zip(places, wanted, strict=True))
    return missing._replace(pattern=(places, crowded)) in not_realised


def _without(missing: Missing, around: int) -> Missing:
    places, wanted = missing.pattern
    kept = [(place, bit) for place, bit in zip(places, wanted, strict=True) if place != around]
    return missing._replace(pattern=(tuple(p for p, _ in kept), tuple(b for _, b in kept)))


def spelled(hypothesis: Hypothesis, term: int, missing: Missing, why: str) -> NotRealised:
    value = missing.term[1]
    turned = tuple(literal_text(hypothesis, p, value >> p & 1) for p in missing.turned)
    places, wanted = missing.pattern
    pattern = tuple(literal_text(hypothesis, p, b) for p, b in zip(places, wanted, strict=False))
    return NotRealised(term, turned, pattern, why)
