"""Puts `report.html` into a result folder."""

from __future__ import annotations

from pathlib import Path

from assay.report.findings import findings
from assay.report.html import report_html
from assay.report.networks import networks
from assay.report.reading import read_folder
from assay.store.folder import replace

REPORT = "report.html"


def write_report(folder: Path) -> Path:
    """Write the report of a result folder, or refresh it, and say where it is."""
    reading, path = read_folder(folder), folder / REPORT
    drawings = networks(reading.fold.knowledge.model())
    replace(path, report_html(findings(reading), drawings).encode())
    return path
