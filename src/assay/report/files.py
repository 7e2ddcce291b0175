"""The files of a result folder beside the journal: model, problem, certificate, summary, description."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from assay.core.quantity import count
from assay.learn.finding import Finding, Status
from assay.pddl.writer import write_domain, write_problem
from assay.report.write import report_files
from assay.result import Result
from assay.store.folder import CERTIFICATE, DESCRIPTION, MODEL, SUMMARY, summary_file

PROBLEM = "problem.pddl"
CERTIFICATE_VERSION = 2


def result_files(result: Result, journal_hash: str) -> dict[str, bytes]:
    """What a result folder holds beside the journal that ends in this hash."""
    model = result.to_pddl().encode()
    return {
        MODEL: model,
        PROBLEM: problem_file(result).encode(),
        DESCRIPTION: result.describe().encode(),
        **report_files(result),
        SUMMARY: summary_file(result.summary()),
        CERTIFICATE: msgspec.json.format(
            msgspec.json.encode(certificate(result, model, journal_hash)), indent=1
        )
        + b"\n",
    }


def domain_file(result: Result) -> str:
    """The model as PDDL, with what it rests on as comments."""
    notes: dict[str, list[str]] = {"": _head(result)}
    for finding in result.findings:
        if finding.model is not None and finding.status is not Status.CONTRADICTED:
            notes[finding.model.header.name] = _note(finding)
    return write_domain(result.model, notes)


def _head(result: Result) -> list[str]:
    strength = result.strength
    sure = "No strength reached by all actions." if strength is None else f"Strength {strength}."
    lines = [f"Learned by assay from {count(result.questions, 'question')}. {sure}"]
    if not result.setting.equality:
        lines.append("Different parameters stand for different objects, and none for a constant.")
    missing = [f"{f.action} ({f.status.value})" for f in result.findings if not _written(f)]
    if missing:
        lines.append(f"Not described: {', '.join(missing)}.")
    return lines


def _written(finding: Finding) -> bool:
    return finding.model is not None and finding.status is not Status.CONTRADICTED


def _note(finding: Finding) -> list[str]:
    if finding.status is Status.LEARNED:
        return [f"strength {finding.strength}"]
    return [f"not settled: {finding.trouble or 'not asked enough'}"]


def problem_file(result: Result) -> str:
    """The agent's objects, and the first situation that it offers."""
    setting = result.setting
    constants = {c.name for c in setting.profile.vocabulary.constants}
    objects = [o for o in setting.profile.objects if o.name not in constants]
    initial = list(setting.offered[0]) if setting.offered else []
    name = setting.profile.vocabulary.name
    return write_problem(f"{name}-situation", name, objects, initial)


def certificate(result: Result, model: bytes, journal_hash: str) -> dict[str, Any]:
    """What is claimed of each action; `assay verify` recounts it from the journal."""
    return {
        "assay": CERTIFICATE_VERSION,
        "entries": len(result.entries),
        "journal": journal_hash,
        "model": hashlib.sha256(model).hexdigest(),
        "strength": result.strength,
        "states_between": result.setting.profile.tells_states,
        "outcome": result.outcome.value,
        "actions": {f.action: _claim(f) for f in result.findings},
    }


def _claim(finding: Finding) -> dict[str, Any]:
    claim: dict[str, Any] = {
        "status": finding.status.value,
        "strength": finding.strength,
        "class": list(finding.level) if finding.level is not None else None,
        "others": [{"type": o.type, "profile": [_text(x) for x in o.profile]} for o in finding.others],
        "terms": [[x.text() for x in t.literals] for t in finding.terms],
        "not_realised": [
            {"term": n.term, "turned": list(n.turned), "pattern": list(n.pattern), "why": n.why}
            for n in finding.not_realised
        ],
    }
    if finding.conflict is not None:
        claim["contradiction"] = list(finding.conflict)
    return claim


def _text(literal: Any) -> str:
    return literal.atom.text if literal.positive else f"not {literal.atom.text}"


def summary(result: Result) -> Mapping[str, Any]:
    """The numbers of a run, by the names that every kind of run uses."""
    costs = result.costs
    return {
        "outcome": result.outcome.value,
        "complete": result.complete,
        "strength": result.strength,
        "aim": result.aim,
        "questions": costs.questions,
        "asked_again": costs.asked_again,
        "sampled": costs.sampled,
        "traces": result.setting.traces,
        "steps": costs.steps,
        "actions": {
            f.action: {
                "status": f.status.value,
                "strength": f.strength,
                "terms": len(f.terms),
                "runs": f.runs,
                "refusals": f.refusals,
                **({"trouble": f.trouble} if f.trouble else {}),
                **({"contradiction": list(f.conflict)} if f.conflict else {}),
            }
            for f in result.findings
        },
        "disagreements": [list(pair) for pair in result.disagreements],
        "strategy": result.setting.strategy,
        "seed": result.setting.seed,
        "start": result.setting.profile.start.value,
        "new_objects": result.setting.profile.new_objects,
        "equality": result.setting.equality,
        "seconds": round(costs.seconds, 6),
        "agent_seconds": round(costs.agent_seconds, 6),
        "retries": costs.retries,
        "error": result.error,
    }
