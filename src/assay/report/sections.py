"""The sections of a report of a deterministic agent, from its result alone."""

from __future__ import annotations

from assay.language.english import English
from assay.report.actions import action_sections
from assay.report.content import Report
from assay.report.overview import overview
from assay.result import Result


def title(result: Result) -> str:
    name = result.setting.profile.vocabulary.name
    return f"What the {name if name.lower().endswith('agent') else f'{name} agent'} can do"


def description(result: Result) -> Report:
    """What people read first: the answers in short, then every action."""
    english = English(result.setting.profile.vocabulary)
    return Report(title(result), (overview(result, english), *action_sections(result, english)))
