"""One claim as one clause: "pick-up needs that X is clear"."""

from __future__ import annotations

from assay.core.symbols import Literal
from assay.knowledge.dossier import Claim, Part, Status
from assay.report.describe import doubt
from assay.report.words import Speaker


def statement(speaker: Speaker, claim: Claim) -> str:
    """What the claim says, or what it leaves open."""
    names, name = speaker.names(claim.action), claim.action
    if claim.status is Status.OPEN:
        return f"open for {name}: {doubt(speaker, claim, names)}"
    positive = claim.mode == "+"
    fact = speaker.clause(Literal(claim.atom, positive or claim.mode == "absent"), names)
    if claim.part is Part.PRECONDITION:
        if claim.status is Status.INDISTINGUISHABLE and claim.atom.predicate != "=":
            if claim.mode == "absent":
                return f"no situation within reach tells, for {name}, {doubt(speaker, claim, names)}"
            return f"{name} needs that {fact}, or what goes with it in every situation within reach"
        if claim.mode == "absent":
            return f"{name} does not depend on whether {fact}"
        return f"{name} needs that {fact}"
    if claim.mode == "absent":
        return f"{name} does not change whether {fact}"
    return f"after {name}, {fact}"
