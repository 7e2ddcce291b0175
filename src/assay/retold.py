"""The files of a result folder derived from its journal once more, by the code that wrote them, to compare.

Files that another version of assay wrote are not compared: it may have written the same in other words. What
the checker proves about the model does not depend on this.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assay.core.query import PlanResponse
from assay.errors import AssayError, InputError
from assay.proof.folder_integrity import agent_problems, file_problems, summary_member_problems
from assay.report.findings import findings
from assay.report.html import report_html
from assay.report.html_pictures import read_gallery
from assay.report.networks import networks
from assay.report.reach import known_certificate
from assay.report.reading import Reading, read_folder
from assay.report.write import REPORT
from assay.result import Costs, Outcome, Result
from assay.sitting import SOFTWARE
from assay.store.folder import CERTIFICATE, MODEL
from assay.store.journal import Entry
from assay.store.plain import as_written


def retold_problems(folder: Path) -> Iterator[str]:
    """What is not as the journal gives it, in sentences; a folder without an end has nothing to compare."""
    try:
        reading = read_folder(folder)
    except AssayError as error:
        yield f"{str(error).rstrip('.')}."
        return
    yield from agent_problems(reading.record.setting, reading.options)
    certificate = known_certificate(folder / CERTIFICATE)
    if certificate is None or certificate.misses(reading.record.entries):
        return  # what is wrong then is said elsewhere
    if not reading.summary or reading.options.get("version") != SOFTWARE["version"]:
        return
    try:
        with as_written(folder):
            result = _result(reading)
            drawings = networks(reading.fold.knowledge.model())
            report = report_html(findings(reading), drawings, read_gallery(folder)).encode()
    except InputError as error:
        yield f"summary.json cannot be used: {error}."
        return
    yield from file_problems(folder, {MODEL: result.to_pddl().encode(), REPORT: report})
    yield from summary_member_problems(reading.summary, result.summary())


def _result(reading: Reading) -> Result:
    """The result as it was, with what only the summary tells of how the run went."""
    told, fold = reading.summary, reading.fold
    tried = [e for e in reading.record.entries if not e.logged]
    costs = Costs(questions=fold.questions, steps=sum(map(_steps, tried)))
    return Result(fold.knowledge, reading.record.entries, Outcome(str(told.get("outcome"))), costs)


def _steps(entry: Entry) -> int:
    """Actions tried: those that ran, and the refused one."""
    if not isinstance(entry.response, PlanResponse):
        return 0
    return entry.response.steps + (entry.response.steps < len(entry.query.plan))
