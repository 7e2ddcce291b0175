"""How a run stands, as plain data: for the index and for the browser that asks every second.

A run is finished when its summary counts as many questions as its journal holds; until then it is going
on, or was cut off, which nobody can tell from the files but by how long they have been silent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.core.limits import LONGEST_TOLD
from assay.core.visible import visible
from assay.errors import InputError
from assay.report.describe import OPEN_SECTION, describe, never_ran_sentence
from assay.report.reach import Reach
from assay.report.reading import covers
from assay.report.words import Speaker
from assay.result import Outcome
from assay.serve.follow import Follower
from assay.store.folder import SUMMARY
from assay.store.plain import decode_json, read_plain

SILENT = 120.0
"""After so many seconds without an answer the page says that the run may have been cut off."""
POINTS = 400
"""The learning curve is sent with at most so many points."""

WORDS: Mapping[str, str] = {
    Outcome.COMPLETE: "Complete",
    Outcome.OPEN: "Ended with open points",
    Outcome.BUDGET: "Stopped: the budget ran out",
    Outcome.CONTRADICTION: "The answers contradict every model of this class",
    Outcome.FAILED: "Stopped: the agent failed",
    Outcome.INTERRUPTED: "Stopped: it was interrupted",
}
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)


def standing(follower: Follower, folder: Path) -> dict[str, Any]:
    """What a row of the index says of a run. The follower must be up to date."""
    settled, total = follower.knowledge.slots_settled()
    summary = told(folder)
    finished = covers(summary, len(follower.fold.entries)) and "outcome" in summary
    silent = follower.silent_seconds()
    if finished:
        outcome = WORDS.get(str(summary["outcome"]), "Ended")
    elif follower.fold.contradicted:
        outcome = WORDS[Outcome.CONTRADICTION]
    elif silent > SILENT:
        outcome = f"No answer for {_minutes(silent)}: cut off, or a slow agent"
    else:
        outcome = "Going on"
    return {
        "agent": follower.setting.profile.vocabulary.name,
        "finished": finished,
        "outcome": outcome,
        "questions": follower.questions,
        "settled": settled,
        "slots": total,
    }


def live(follower: Follower, folder: Path) -> dict[str, Any]:
    """Everything the page shows of a run while it goes on."""
    knowledge = follower.knowledge
    model = knowledge.model()
    speaker = Speaker(knowledge.vocabulary, model)
    last = None
    if follower.fold.entries:
        entry = follower.fold.entries[-1]
        query, response = entry.query, entry.response
        last = {
            "number": entry.number,
            "question": visible(speaker.question(query, response, walk=entry.walk), LONGEST_TOLD),
            "answer": visible(speaker.answer(query, response, walk=entry.walk), LONGEST_TOLD),
        }
    return standing(follower, folder) | {
        "bound": knowledge.needed,
        "last": last,
        "actions": _actions(follower),
        "curve": _thinned(follower.fold.settled),
        "version": follower.hash[:16],
    }


def _actions(follower: Follower) -> list[dict[str, Any]]:
    """Each action in words, as far as it is known."""
    knowledge = follower.knowledge
    never_ran = [name for name, d in knowledge.dossiers.items() if not d.ran]
    tried = {name: d.tried for name, d in knowledge.dossiers.items()}
    reach, speaker = Reach.of(knowledge), Speaker(knowledge.vocabulary, knowledge.model())
    text = describe(knowledge.model(), knowledge.claims(), never_ran, tried, reach)
    parts = _SECTION.split(text)
    paragraph = {
        name: body.strip().split("\n\n")[0] for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }
    found = []
    for name, dossier in knowledge.dossiers.items():
        size = dossier.precondition.size + len(dossier.atoms)
        left = dossier.open_needs.bit_count() + dossier.open_effects.bit_count() if dossier.ran else size
        left = 0 if dossier.never_runs else left
        text = paragraph.get(name, "") if dossier.ran else "Not seen to run yet."
        if dossier.never_runs:
            text = never_ran_sentence(speaker, name, None, reach)
        text = text.removesuffix(f' See "{OPEN_SECTION}".')
        found.append({"name": name, "text": text, "settled": size - left, "slots": size})
    return found


def _thinned(curve: list[int]) -> list[tuple[int, int]]:
    """Points (question, slots settled), never more than the page can draw."""
    stride = max(1, -(-len(curve) // POINTS))
    return [*list(enumerate(curve))[:-1:stride], (len(curve) - 1, curve[-1])]


def told(folder: Path, file: str = SUMMARY) -> dict[str, Any]:
    """What a file says of the run; nothing, if it is not there or cannot be read."""
    try:
        found = decode_json(read_plain(folder / file))
    except (OSError, ValueError, RecursionError, InputError):
        return {}
    return found if isinstance(found, dict) else {}


def _minutes(seconds: float) -> str:
    if seconds < 7200:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.0f} hours" if seconds < 172800 else f"{seconds / 86400:.0f} days"
