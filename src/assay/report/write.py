"""Puts `report.html` into a result folder, and the pictures, if there is an agent to show them."""

from __future__ import annotations

from pathlib import Path

from assay.report.findings import findings
from assay.report.html import report_html
from assay.report.html_pictures import read_gallery
from assay.report.networks import networks
from assay.report.pictures.take import take_pictures
from assay.report.reading import Reading, read_folder
from assay.store.folder import replace
from assay.store.plain import as_written

REPORT = "report.html"


def write_report(folder: Path, agent: object = None) -> Path:
    """Write the report of a result folder, or refresh it, and say where it is.

    An agent that shows states (`picture`) and has been asked the journal's questions is asked for pictures.
    """
    reading, path = read_folder(folder), folder / REPORT
    with as_written(folder):
        return _write(folder, path, agent, reading)


def _write(folder: Path, path: Path, agent: object, reading: Reading) -> Path:
    found, drawings = findings(reading), networks(reading.fold.knowledge.model())
    take_pictures(folder, agent, reading, found)
    replace(path, report_html(found, drawings, read_gallery(folder)).encode())
    return path
