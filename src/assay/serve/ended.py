"""Runs that are shown when they have ended: those with chance, and those of agents that press keys.

Their reports are made from the files that a run leaves at its end, so there is nothing to follow before, and
no model of certain effects to try things out with.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.core.visible import visible
from assay.core.vocabulary import LONGEST_NAME
from assay.errors import InputError
from assay.proof.chance import is_chance
from assay.report.capabilities import capabilities_content
from assay.report.chance_folder import chance_content
from assay.report.markup import Markup
from assay.result import Outcome
from assay.serve.live import WORDS, told
from assay.store.folder import REACHES, RUN

GOING = "Not ended yet"


def is_for_the_end(folder: Path) -> bool:
    """Whether the folder holds such a run."""
    return (folder / REACHES).is_file() or is_chance(folder)


def ended_standing(folder: Path) -> dict[str, Any]:
    """What a row of the index says of such a run."""
    summary, agent = told(folder), told(folder, RUN).get("agent")
    row = {
        "agent": visible(str(agent or "agent"), LONGEST_NAME),
        "finished": "complete" in summary,
        "outcome": GOING,
    }
    if not row["finished"]:
        return row | {"questions": ""}
    if "agent_questions" in summary:
        ended = WORDS[Outcome.COMPLETE if summary["complete"] else Outcome.OPEN]
        return row | {"outcome": ended, "questions": summary["agent_questions"]}
    ended = WORDS.get(str(summary.get("outcome", "")), "Ended")
    return row | {"outcome": ended, "questions": summary.get("questions", "")}


def ended_content(folder: Path) -> Markup:
    """The report of such a run, once there is one."""
    if "complete" not in told(folder):
        raise InputError("this run has not ended yet; its report will be here when it has, after a reload")
    return capabilities_content(folder) if (folder / REACHES).is_file() else chance_content(folder)
