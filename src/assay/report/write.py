"""The report of a deterministic run on disk: as data and as a page, which can be made again from the data."""

from __future__ import annotations

from pathlib import Path

from assay.report.content import CONTENT, encode, read_content
from assay.report.html import report_body, report_html
from assay.report.page import document
from assay.report.pictures.gallery import gallery, with_pictures
from assay.report.pictures.take import take_pictures
from assay.report.sections import sections
from assay.result import Result
from assay.store.folder import JOURNAL, replace
from assay.store.journal import read
from assay.store.plain import as_written

REPORT = "report.html"


def report_files(result: Result) -> dict[str, bytes]:
    """The report as data and as a page."""
    report = sections(result)
    return {CONTENT: encode(report), REPORT: report_html(report).encode()}


def write_report(folder: Path, result: Result) -> Path:
    with as_written(folder):
        for name, content in report_files(result).items():
            replace(folder / name, content)
    return folder / REPORT


def add_pictures(folder: Path, agent: object) -> None:
    """Pictures of a run that has ended, and a page that shows them, if the agent has a `picture` method."""
    if getattr(agent, "picture", None) is None:
        return
    record = read(folder / JOURNAL, apart=True)
    if take_pictures(folder, agent, record) is not None:
        refresh_report(folder)


def refresh_report(folder: Path) -> Path:
    """Makes the page again from the report's data, and says where it is."""
    report = read_content(folder)
    body = with_pictures(report_body(report), gallery(folder))
    with as_written(folder):
        replace(folder / REPORT, document(report.title, body).encode())
    return folder / REPORT
