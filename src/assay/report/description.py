"""description.md: the report's first sections as Markdown."""

from __future__ import annotations

from assay.report.markdown import markdown
from assay.report.sections import description
from assay.result import Result


def describe(result: Result) -> str:
    return markdown(description(result))
