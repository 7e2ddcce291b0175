"""The report of a deterministic run on disk: as data and as a page, which can be made again from the data."""

from __future__ import annotations

from pathlib import Path

from assay.report.content import CONTENT, encode, read_content
from assay.report.html import report_html
from assay.report.sections import sections
from assay.result import Result
from assay.store.folder import replace
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


def refresh_report(folder: Path) -> Path:
    """Makes the page again from the report's data, and says where it is."""
    with as_written(folder):
        replace(folder / REPORT, report_html(read_content(folder)).encode())
    return folder / REPORT
