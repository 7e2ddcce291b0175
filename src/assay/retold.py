"""The files of a result folder derived from its journal once more, by the code that wrote them, to compare.

Files that another version of assay wrote are not compared: it may have written the same in other words. What
the checker proves about the model does not depend on this.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assay.agents.guard import Guard
from assay.core.query import PlanQuery, Response
from assay.core.setting import Setting
from assay.errors import AgentError, AssayError
from assay.proof.folder_integrity import agent_problems, file_problems, summary_member_problems
from assay.result import Outcome, Result
from assay.session import DEFAULT_STRENGTH, RECHECK, Session
from assay.sitting import SOFTWARE
from assay.store.chain import read_lines
from assay.store.folder import (
    CERTIFICATE,
    DESCRIPTION,
    JOURNAL,
    MODEL,
    RUN,
    SUMMARY,
    missing_files,
    read_options,
)
from assay.store.plain import decode_json, read_plain

BROKEN_OFF = (Outcome.INTERRUPTED, Outcome.FAILED)
"""Ends that no journal shows."""


class _Nobody:
    """Stands where the agent was: everything that is asked is in the journal."""

    def __init__(self, setting: Setting) -> None:
        profile = setting.profile
        self.vocabulary, self.objects, self.start = profile.vocabulary, profile.objects, profile.start
        self.new_objects, self.tells_states = profile.new_objects, profile.tells_states

    def ask(self, query: PlanQuery, /) -> Response:
        raise AgentError("nobody is there to answer")


def derived(folder: Path, told: str = "") -> Result:
    """The result that the journal gives, with the costs that it knows of."""
    options, lines = read_options(folder), read_lines(folder / JOURNAL)
    setting = Setting.from_dict(lines.data[0])
    recorded = lines.data[1:]
    session = Session(
        Guard(_Nobody(setting)),
        setting,
        recorded,
        options.get("strength", DEFAULT_STRENGTH),
        len(recorded) - setting.traces,
        options.get("audit", 0),
        options.get("recheck", RECHECK),
        None,
    )
    outcome = session.go()
    return session.result(Outcome(told) if told in BROKEN_OFF else outcome)


def retold_problems(folder: Path) -> Iterator[str]:
    """What is not as the journal gives it, in sentences; a folder without an end has nothing to compare."""
    if not (folder / RUN).exists():
        return  # no run of ours made it: there is nothing that it should be
    try:
        options = read_options(folder)
        if (folder / CERTIFICATE).exists() and "version" in options:
            yield from missing_files(folder, DESCRIPTION, SUMMARY)
        if not (folder / SUMMARY).exists() or options.get("version") != SOFTWARE["version"]:
            return
        told = decode_json(read_plain(folder / SUMMARY))
        result = derived(folder, str(told.get("outcome")))
        yield from agent_problems(result.setting, options)
        yield from file_problems(
            folder, {MODEL: result.to_pddl().encode(), DESCRIPTION: result.describe().encode()}
        )
        yield from summary_member_problems(told, result.summary())
    except AssayError as error:
        yield f"{str(error).rstrip('.')}."
