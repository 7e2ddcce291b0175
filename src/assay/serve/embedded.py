"""The report as a part of the live page: the same sections, without the frame that makes it a file.

The page brings style and script from its own address, as its policy allows none inside it.
"""

from __future__ import annotations

from pathlib import Path

from assay.report.findings import findings
from assay.report.html import report_body
from assay.report.html_pictures import read_gallery
from assay.report.markup import Markup
from assay.report.networks import networks
from assay.report.reading import read_folder


def report_content(folder: Path) -> str:
    reading = read_folder(folder)
    drawings = networks(reading.fold.knowledge.model())
    return embedded(report_body(findings(reading), drawings, read_gallery(folder)))


def embedded(body: Markup) -> str:
    # the page has a main part already, and the report is in it; text of the agent has no "<" left in it
    return str(body).replace("<main ", "<div ").replace("</main>", "</div>")
