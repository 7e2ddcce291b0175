"""The report as a part of the live page: the same sections, without the frame that makes it a file.

The page brings style and script from its own address, as its policy allows none inside it.
"""

from __future__ import annotations

from pathlib import Path

from assay.report.content import CONTENT, read_content
from assay.report.html import report_body
from assay.report.markup import Markup, element


def report_content(folder: Path) -> str:
    if not (folder / CONTENT).is_file():
        return element("p", "The report is written when the run ends; it will appear here.", class_="hint")
    return embedded(report_body(read_content(folder)))


def embedded(body: Markup) -> str:
    # the page has a main part already, and the report is in it; text of the agent has no "<" left in it
    return str(body).replace("<main ", "<div ").replace("</main>", "</div>")
