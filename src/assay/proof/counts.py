"""The summary's numbers, counted again from the journal and the certificate.

Not checked is what neither holds (times, how many answers came from the cache, how often the agent looked
again, why a run stopped early, how it was shown that no state within reach, or none allowed, tells more), nor
how many models are equivalent to this one. The alternatives are not counted but tried (`alternatives`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from assay.core.confinement import Confinement, lacks_objects
from assay.core.query import Invalid, PlanResponse, Start
from assay.proof.alternatives import refuted_alternatives
from assay.proof.certificate import Certificate
from assay.proof.examination import Examination
from assay.proof.slots import SlotAction
from assay.proof.verdict import Verdict
from assay.store.folder import SUMMARY
from assay.store.journal import Record
from assay.store.plain import decode_json, read_plain


def summary_problems(
    folder: Path,
    record: Record,
    examination: Examination,
    certificate: Certificate | None,
    verdict: Verdict,
    claimed: Mapping[str, SlotAction],
) -> Iterator[str]:
    """Where the summary, if there is one, says otherwise than the other files.

    That there must be one is looked after where the description is (`report.retelling`).
    """
    contradicted = verdict.contradiction
    try:
        summary = decode_json(read_plain(folder / SUMMARY))
    except FileNotFoundError:
        return
    except (OSError, msgspec.DecodeError) as error:
        yield f"{SUMMARY} cannot be used: {error}."
        return
    if not isinstance(summary, dict):
        yield f"{SUMMARY} is not what a run writes."
        return
    never_ran = _never_ran(record, examination)
    lacking = sorted(name for name in never_ran if lacks_objects(record.setting, name))
    counted = _asked(record) | _setting(record) | {"never_ran": never_ran, "lacking": lacking or None}
    if not contradicted:  # what the answer that contradicts the others was about is not counted any more
        counted |= _searched(record, examination)
    outcome = summary.get("outcome")
    if certificate is not None:
        counted |= _claimed(record, examination, certificate, summary)
        if (outcome == "complete") != certificate.complete:
            not_ = "" if certificate.complete else "not "
            yield f"{SUMMARY} says that the outcome is {outcome!r}; the certificate is {not_}complete."
    if contradicted != (outcome == "contradiction"):
        do = "" if contradicted else "do not "
        yield f"{SUMMARY} says that the outcome is {outcome!r}; the answers {do}contradict each other."
    for name, value in counted.items():
        told = summary.get(name)
        if told != value or isinstance(told, bool) != isinstance(value, bool):
            yield f"{SUMMARY} says {name} {_plain(told)}; the other files give {_plain(value)}."
    if not (contradicted or verdict.unexplained or verdict.left_out):
        yield from _refuted(summary.get("alternatives", {}), record, examination, claimed)


def _refuted(
    listed: Any, record: Record, examination: Examination, claimed: Mapping[str, SlotAction]
) -> Iterator[str]:
    vocabulary = record.setting.profile.vocabulary
    lifted = {name: vocabulary.lifted_atoms(name) for name in claimed}
    try:
        for found in refuted_alternatives(listed, lifted, examination, claimed):
            yield f"{SUMMARY} lists an alternative that the answers rule out: {found}."
    except (KeyError, TypeError, AttributeError):
        yield f"{SUMMARY} does not list alternatives as a run does."


def _plain(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _asked(record: Record) -> dict[str, Any]:
    asked = [entry for entry in record.entries if not entry.logged]
    tried = [
        min(entry.response.steps + 1, len(entry.query.plan))
        for entry in asked
        if isinstance(entry.response, PlanResponse)
    ]
    rejected = sum(isinstance(entry.response, Invalid) for entry in record.entries)
    return {"questions": len(asked), "steps": sum(tried), "rejected": rejected}


def _setting(record: Record) -> dict[str, Any]:
    setting = record.setting
    return {
        "traces": setting.traces,
        "strategy": setting.strategy,
        "seed": setting.seed,
        "start": setting.profile.start.value,
        "new_objects": setting.profile.new_objects,
        "equality": setting.equality,
    }


def _never_ran(record: Record, examination: Examination) -> list[str]:
    return [a.name for a in record.setting.profile.vocabulary.actions if a.name not in examination.ran]


def _searched(record: Record, examination: Examination) -> dict[str, Any]:
    """Questions that ended at an action that had never run, or left the plan to the agent, and the others."""
    ran: set[str] = set()
    search = 0
    for entry in record.entries:
        testimony = examination.testimony.get(entry.number)
        if testimony is not None:
            ran |= testimony.ran
            refused = testimony.refused
            sought = entry.walk > 0 or (refused is not None and refused.action not in ran)
            search += sought and not entry.logged
    questions = sum(not entry.logged for entry in record.entries)
    return {"search": search, "test": questions - search}


def _claimed(
    record: Record, examination: Examination, certificate: Certificate, summary: dict[str, Any]
) -> dict[str, Any]:
    """Slots by what is claimed of them; those of actions without claims are open.

    Of an action without slots nothing is claimed: whether it never runs is as the summary says.
    """
    setting, vocabulary = record.setting, record.setting.profile.vocabulary
    slots = dict.fromkeys(("total", "settled", "indistinguishable", "open"), 0)
    described = {claim.action for claim in certificate.claims}
    told = summary["idle"] if isinstance(summary.get("idle"), list) else []
    idle = described - examination.ran
    for claim in certificate.claims:
        slots[claim.status] += 1
    for header in vocabulary.actions:
        size = 2 * len(vocabulary.lifted_atoms(header.name))
        size += len(vocabulary.mergeable(header.name)) if setting.equality else 0
        slots["total"] += size
        slots["open"] += 0 if header.name in described else size
        if not size and header.name not in examination.ran and header.name in told:
            idle.add(header.name)
    needed = [c for c in certificate.claims if c.part == "precondition" and c.mode != "absent"]
    found = {
        "complete": certificate.complete,
        "slots": slots,
        "lower_bound": sum(claim.status == "settled" for claim in needed),
    }
    found["idle"] = sorted(idle) or None
    if setting.profile.start is not Start.ANY:
        found["idle"] = sorted(idle)
        found["confined"] = Confinement.of(setting).words
    return found
