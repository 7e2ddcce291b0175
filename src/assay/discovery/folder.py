"""The result folder of a study: files that anyone can read without assay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from assay.core.quantity import count
from assay.core.reach import LowLevelAgent
from assay.core.symbols import Atom
from assay.discovery.capability import Description
from assay.discovery.case import Example, Refusal
from assay.discovery.sentences import Teller, missing_sentence
from assay.discovery.study import Study, told
from assay.errors import InputError
from assay.pddl.writer import write_domain
from assay.report.capabilities import write_capabilities_page
from assay.store.folder import CAPABILITIES, DESCRIPTION, MODEL, REACHES, RUN, SUMMARY, replace
from assay.store.place import make_empty_folder
from assay.store.plain import decode_json, read_plain
from assay.store.trust import tag

KIND = "capabilities"


def begin(out: Path, options: dict[str, Any]) -> None:
    """Notes how the run was started, so that it can be resumed."""
    make_empty_folder(out)
    try:
        replace(out / RUN, _json(options | {"kind": KIND} | tag(options["agent"])))
    except OSError as error:
        raise InputError(f"cannot write to {out}: {error.strerror}") from error


def write_study(study: Study, agent: LowLevelAgent, out: Path) -> None:
    """Everything but the journal, which is there already."""
    pictures = _pictures(study, agent, out)
    files = {
        MODEL: to_pddl(study.description, study.agent).encode(),
        DESCRIPTION: _page(study, pictures).encode(),
        SUMMARY: _json(study.summary()),
        CAPABILITIES: _json(to_dict(study, pictures)),
    }
    for name, content in files.items():
        replace(out / name, content)
    write_capabilities_page(out)


def is_study(folder: Path) -> bool:
    return (folder / REACHES).is_file()


def read_capabilities(folder: Path) -> dict[str, Any]:
    return _read(folder, CAPABILITIES)


def read_summary(folder: Path) -> dict[str, Any]:
    return _read(folder, SUMMARY)


def _read(folder: Path, name: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = decode_json(read_plain(folder / name))
    except OSError as error:
        raise InputError(
            f"{folder} holds nothing finished about an agent that presses keys: {error.strerror}: {name}"
        ) from error
    except msgspec.DecodeError as error:
        raise InputError(f"{folder / name}: {error}") from error
    return found


def to_pddl(description: Description, agent: str) -> str:
    notes = [f"What {agent} can do. Derived facts are named as far as they concern the parameters."]
    notes += [f"({q.symbol.name}) means {q.meaning}" for q in description.quantified]
    return write_domain(description.model, {"": notes})


def to_dict(study: Study, pictures: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """The capabilities with what stands behind each."""
    told_by = Teller(study.description)
    return {
        "agent": study.agent,
        "quantified": {
            q.symbol.name: {"predicate": q.base.name, "open": list(q.open), "meaning": q.meaning}
            for q in study.description.quantified
        },
        "capabilities": [
            {
                "name": c.name,
                "sentence": told_by.sentence(c),
                "parameters": {p.name: p.types[0] for p in c.action.header.parameters},
                "precondition": sorted(map(str, c.action.needed)),
                "effects": sorted(map(str, c.action.plain_effects)),
                "executed": c.executed,
                "refused": c.refused,
                "idle_literals": c.idle,
                "uneven_situations": c.uneven,
                "expressible": c.expressible,
                "remarks": told_by.remarks(c),
                "pictures": list(pictures.get(c.name, ())),
                "examples": [_example(study, e) for e in c.examples],
                "refusals": [_refusal(study, r) for r in c.refusals],
                "promised": [_refusal(study, r) for r in c.promised],
            }
            for c in study.description.capabilities
        ],
        "missing": [
            {
                "name": m.name,
                "sentence": missing_sentence(m),
                "effects": sorted([str(a) for a in m.added] + [f"(not {a})" for a in m.removed]),
                "refusals": [_refusal(study, r) for r in m.refusals],
            }
            for m in study.description.missing
        ],
    }


def _example(study: Study, example: Example) -> dict[str, Any]:
    bits = study.findings.atlas.bits(example.before)
    return {"keys": list(example.keys), "entry": example.entry, "state": told(study.findings, bits)}


def _refusal(study: Study, refusal: Refusal) -> dict[str, Any]:
    atlas = study.findings.atlas
    before, after = atlas.bits(refusal.before), atlas.bits(refusal.after)
    universe = study.findings.facts.universe
    return {
        "entry": refusal.entry,
        "realisations": refusal.realisations,
        "state": told(study.findings, before),
        "added": universe.texts(after & ~before),
        "removed": universe.texts(before & ~after),
    }


def _page(study: Study, pictures: dict[str, tuple[str, str]]) -> str:
    page = Teller(study.description).page(study.agent, pictures)
    summary = study.summary()
    reached = "that the start states lead to"
    explored = f"all {reached}" if summary["explored_all"] else f"not all {reached}"
    lines = [
        "## How this was found out",
        "",
        study.verdict,
        "",
        f"{count(summary['agent_questions'], 'question')} reached the agent: "
        f"{count(summary['user_questions'], 'question')} in "
        "these words, and the tasks it was watched at. In the simulator "
        f"{count(summary['situations_explored'], 'situation')} were looked at, {explored}.",
    ]
    if summary["gave_up"]:
        lines += ["", f"{summary['gave_up']} times the agent gave up; that is evidence of nothing."]
    if summary["violations_count"]:
        lines += [
            "",
            f"The vocabulary is too coarse in {count(summary['violations_count'], 'situation')}: states that "
            "look the same do not reach one another inside that situation. For example "
            + " ".join(f"({text})" for text in summary["violations"][0]["state"])
            + ".",
        ]
    return f"{page}\n" + "\n".join(lines) + "\n"


def _pictures(study: Study, agent: LowLevelAgent, out: Path) -> dict[str, tuple[str, str]]:
    draw = getattr(agent, "picture", None)
    found: dict[str, tuple[str, str]] = {}
    if draw is None:
        return found
    (out / "pictures").mkdir(exist_ok=True)
    for capability in study.description.capabilities:
        if capability.examples:
            example = capability.examples[0]
            names = f"pictures/{capability.name}-before.png", f"pictures/{capability.name}-after.png"
            for name, low in zip(names, (example.before, example.after), strict=True):
                replace(out / name, draw(low))
            found[capability.name] = names
    return found


def parse_interest(texts: list[str]) -> tuple[Atom, ...]:
    return tuple(Atom.parse(text) for text in texts)


def _json(data: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n"
