"""How a run ended, in one sentence that cannot flatter: it counts every action."""

from __future__ import annotations

from collections import Counter

from assay.core.quantity import count
from assay.language.lists import listed
from assay.learn.finding import Finding, Status
from assay.result import Outcome, Result

_WHY = {
    Outcome.OPEN: "no further question would help",
    Outcome.BUDGET: "the budget ran out",
    Outcome.CONTRADICTION: "some answers contradict each other",
    Outcome.INTERRUPTED: "it was interrupted",
    Outcome.FAILED: "the agent failed",
}


def headline(result: Result) -> str:
    standing = listed(_standing(result.findings))
    text = (
        f"Complete: {standing}." if result.complete else f"Not complete, {_WHY[result.outcome]}: {standing}."
    )
    if left_out := sum(len(f.not_realised) for f in result.findings):
        text += f" {count(left_out, 'pattern')} of facts could not be shown, and are left out of this."
    return text


def _standing(findings: tuple[Finding, ...]) -> list[str]:
    """How many actions stand where, the best first."""
    levels = Counter(f.strength for f in findings if f.status is Status.LEARNED and f.strength is not None)
    told = [
        f"{'all ' if number == len(findings) > 1 else ''}{count(number, 'action')} at strength {level}"
        for level, number in sorted(levels.items(), reverse=True)
    ]
    others = Counter(f.status for f in findings if f.status is not Status.LEARNED or f.strength is None)
    for status, words in _OTHERS.items():
        if number := others[status]:
            told.append(f"{number} {words[number > 1]}")
    return told or ["there is no action"]


_OTHERS = {
    Status.OPEN: ("not settled", "not settled"),
    Status.LEARNED: ("not settled", "not settled"),
    Status.CONTRADICTED: ("contradicts itself", "contradict themselves"),
    Status.NEVER_RAN: ("never ran", "never ran"),
}
