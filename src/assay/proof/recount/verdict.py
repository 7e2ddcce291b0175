"""The recount: what a journal proves of a model, and whether a certificate claims more.

The strength of an action is the highest level of which every requirement is shown by an answer, or listed
as not realised; that of the model is the least of the actions that ran and are not contradicted. Where an
answer is not as the model foretells there is no strength.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.core.model import Model
from assay.core.quantity import count
from assay.proof.recount.certificate import Certificate
from assay.proof.recount.claims import CONTRADICTED, DEFAULT_LEVEL, OPEN, ActionVerdict, Subject, shows
from assay.proof.recount.coverage import Class
from assay.proof.recount.evidence import Collector, Evidence
from assay.proof.recount.foretelling import Foretelling
from assay.proof.recount.questions import Journal


@dataclass(frozen=True)
class Verdict:
    actions: tuple[ActionVerdict, ...]
    evidence: Evidence
    problems: tuple[str, ...]
    """Everything that is claimed and not so."""
    strength: int | None
    """The strength of the model as recounted."""
    claimed: int | None = None

    @property
    def shown(self) -> Class | None:
        """The class of the model: what is covered of every action that ran."""
        if self.strength is None:
            return None
        classes = [a.shown for a in self.actions if a.shown is not None]
        return Class(*(min(values) for values in zip(*classes, strict=True)))

    @property
    def holds(self) -> bool:
        return not self.problems


def coverage(journal: Journal, model: Model, level: int = DEFAULT_LEVEL, others: bool = False) -> Verdict:
    """What any journal proves of a model, whoever chose the questions; tallies are for the level.

    With `others` it is also counted how other objects were varied.
    """
    ran = {step[0] for q in journal.questions if not q.invalid for step in q.plan[: q.ran]}
    headers = journal.vocabulary.actions
    subjects = [
        Subject.derived(journal.vocabulary, h, model.action.get(h.name), h.name in ran) for h in headers
    ]
    return _judged(journal, model, subjects, level, others)


def recount(
    journal: Journal, model: Model, certificate: Certificate, level: int = DEFAULT_LEVEL, others: bool = False
) -> Verdict:
    """Whether the journal shows all that the certificate claims of the model."""
    claims = certificate.actions
    headers = journal.vocabulary.actions
    subjects = [
        Subject.claimed(journal.vocabulary, h, model.action.get(h.name), claims.get(h.name)) for h in headers
    ]
    found = _judged(journal, model, subjects, level, others)
    unknown = sorted(claims.keys() - journal.vocabulary.action.keys())
    problems = [
        *found.problems,
        *(f"The certificate speaks of an action {name!r}, which there is not." for name in unknown),
        *_of_the_whole(certificate, found),
    ]
    return Verdict(found.actions, found.evidence, tuple(problems), found.strength, certificate.strength)


def _judged(journal: Journal, model: Model, subjects: list[Subject], level: int, others: bool) -> Verdict:
    contradicted = {s.name for s in subjects if s.status == CONTRADICTED}
    unclaimed = {s.name for s in subjects if s.unclaimed}
    collector = Collector(
        {s.name: s.features for s in subjects}, Foretelling(model), contradicted, unclaimed, others
    )
    evidence = collector.add_all(journal.questions)
    kinds = sorted(evidence.kinds) if others else []
    actions = tuple(s.verdict(evidence.actions[s.name], journal.questions, kinds, level) for s in subjects)
    problems = [str(m) for m in evidence.mismatches]
    problems += [f"{a.name}: {problem}." for a in actions for problem in a.problems]
    return Verdict(actions, evidence, tuple(problems), None if evidence.mismatches else _least(actions))


def _least(actions: Iterable[ActionVerdict]) -> int | None:
    """The least strength of the actions that ran; None if one of them has none."""
    strengths = [a.strength for a in actions if a.ran and a.status != CONTRADICTED]
    known = [s for s in strengths if s is not None]
    return min(known) if known and len(known) == len(strengths) else None


def _of_the_whole(certificate: Certificate, found: Verdict) -> Iterator[str]:
    claimed, strength = certificate.strength, found.strength
    if claimed is not None and (strength is None or claimed > strength):
        yield f"The certificate claims strength {claimed} of the model; {shows(strength)}."
    if certificate.states_between and found.evidence.untold:
        answers = count(found.evidence.untold, "answer")
        yield f"The certificate says that the states between steps were told; in {answers} they were not."
    statuses = {a.status for a in found.actions}
    if (CONTRADICTED in statuses) != (certificate.outcome == "contradiction"):
        which = "an action is" if CONTRADICTED in statuses else "no action is"
        yield f"The outcome is {certificate.outcome!r}, and {which} marked as contradicted."
    if certificate.outcome == "complete" and OPEN in statuses:
        yield "The outcome is 'complete', and an action is marked as open."
