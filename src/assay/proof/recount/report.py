"""A verdict in words and as JSON: what holds, what it is worth, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.core.quantity import count
from assay.proof.recount.claims import CONTRADICTED, LEARNED, NEVER_RAN, ActionVerdict
from assay.proof.recount.coverage import Tally
from assay.proof.recount.folder import FolderVerdict
from assay.proof.recount.verdict import Verdict
from assay.proof.recount.words import excluded, left_open, shown

COLUMNS = ("action", "strength", "runs", "refusals, one turned", "refusals, two turned", "not realised")


def headline(found: FolderVerdict) -> str:
    """Whether what is claimed is so, and the strength that the answers show."""
    strength = found.verdict.strength if found.verdict is not None else None
    holds = "Every claim holds" if found.holds else "Not every claim holds"
    if strength is None:
        return f"{holds}. The answers show no strength."
    return f"{holds}. The answers show strength {strength}."


def sentences(found: FolderVerdict) -> list[str]:
    """Problems first; then what the strength means, and what it rests on."""
    told = [*found.problems, *found.notes]
    if found.verdict is not None:
        told += _meaning(found.verdict)
    return told


def _meaning(verdict: Verdict) -> Iterator[str]:
    covered = verdict.shown
    if covered is not None:
        v, t, s = covered
        yield f"Strength {verdict.strength} is class ({v}, {t}, {s}). {shown(covered)}"
        yield excluded(covered)
        yield left_open(covered)
    for action in verdict.actions:
        yield from _apart(action)
    yield from _basis(verdict)


def _apart(action: ActionVerdict) -> Iterator[str]:
    """What is to be said of one action by itself."""
    if action.status == NEVER_RAN:
        tries = "1 try" if action.refused == 1 else f"{action.refused:,} tries"
        yield f"{action.name} never ran in {tries}; no more is known of it."
    if action.status == CONTRADICTED and not action.problems:
        yield f"{action.name} contradicts itself at one point; nothing else is claimed of it."
    for varied, what in ((action.runs_among, "it ran"), (action.refusals_among, "a needed fact was missing")):
        if varied.required:
            gap = f"; never: {varied.missing}" if varied.missing else ""
            yield (
                f"{action.name}: other objects were varied in {varied.covered:,} of {varied.required:,} ways "
                f"while {what}{gap}."
            )
    if action.excused:
        trust = f", {action.on_trust} listed for reasons that no journal shows" if action.on_trust else ""
        patterns = count(action.excused, "pattern")
        yield f"{action.name}: {patterns} were not realised; its strength leaves them out{trust}."


def _basis(verdict: Verdict) -> Iterator[str]:
    evidence = verdict.evidence
    if evidence.untold:
        answers = count(evidence.untold, "answer")
        yield (
            f"In {answers} the states between steps were not told: they are taken as foretold, because the "
            "last state was."
        )
    if evidence.of_open:
        answers = count(len({m.question for m in evidence.of_open}), "answer")
        yield f"Of open actions nothing is claimed; the model does not give {answers} about them."
    if evidence.logged:
        yield f"{count(evidence.logged, 'answer')} came from logs, and were never asked for."
    if evidence.invalid:
        yield f"{count(evidence.invalid, 'question')} were answered as invalid, and are no evidence."


def rows(verdict: Verdict) -> list[tuple[str, ...]]:
    """The table: covered of all, for each action that was counted."""
    return [
        (
            action.name,
            "none" if action.strength is None else str(action.strength),
            _of(action.runs),
            _of(action.alone),
            _of(action.together),
            str(action.excused or ""),
        )
        for action in verdict.actions
        if action.status == LEARNED
    ]


def _of(tally: Tally) -> str:
    return f"{tally.covered:,} of {tally.required:,}" if tally.required else ""


def as_dict(found: FolderVerdict) -> dict[str, Any]:
    verdict = found.verdict
    told: dict[str, Any] = {"holds": found.holds, "findings": sentences(found)}
    if verdict is None:
        return told | {"strength": None, "actions": {}}
    return told | {
        "strength": verdict.strength,
        "claimed": verdict.claimed,
        "class": verdict.shown,
        "answers": verdict.evidence.answers,
        "invalid": verdict.evidence.invalid,
        "logged": verdict.evidence.logged,
        "states_not_told": verdict.evidence.untold,
        "actions": {action.name: _action(action) for action in verdict.actions},
    }


def _action(action: ActionVerdict) -> dict[str, Any]:
    told: dict[str, Any] = {
        "status": action.status,
        "ran": action.ran,
        "refused": action.refused,
        "problems": action.problems,
    }
    if action.counted is None:
        return told
    tallies = {"runs": action.runs, "one_turned": action.alone, "two_turned": action.together}
    return told | {
        "strength": action.strength,
        "claimed": action.claimed,
        "class": action.shown,
        "counted": {
            "class": action.counted,
            **{
                name: {"covered": t.covered, "required": t.required, "not_realised": t.excused}
                for name, t in tallies.items()
            },
        },
        "others": {
            name: {"covered": v.covered, "required": v.required, "missing": v.missing}
            for name, v in (("runs", action.runs_among), ("refusals", action.refusals_among))
            if v.required
        },
        "missing": action.missing,
    }
