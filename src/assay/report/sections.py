"""The sections of a report of a deterministic agent, from its result alone."""

from __future__ import annotations

from collections.abc import Iterator

from assay.core.visible import visible
from assay.language.english import English
from assay.report.actions import action_sections
from assay.report.content import Code, Report, Section, Table
from assay.report.evidence import evidence
from assay.report.overview import overview
from assay.result import Result


def title(result: Result) -> str:
    name = visible(result.setting.profile.vocabulary.name)
    return f"What the {name if name.lower().endswith('agent') else f'{name} agent'} can do"


def description(result: Result) -> Report:
    """What people read first: the answers in short, then every action."""
    english = English(result.setting.profile.vocabulary)
    return Report(title(result), (overview(result, english), *action_sections(result, english)))


def sections(result: Result) -> Report:
    """The whole report: the description, and what it rests on."""
    told = description(result)
    return Report(told.title, (*told.sections, *_appendix(result, told.sections)))


def _appendix(result: Result, told: tuple[Section, ...]) -> Iterator[Section]:
    yield Section("model", "The model as PDDL", (Code(result.to_pddl()),), folded=True)
    yield Section("run", "How it was asked", (Table(("", ""), tuple(_run(result))),), folded=True)
    yield evidence(result, English(result.setting.profile.vocabulary), told)


def _run(result: Result) -> Iterator[tuple[str, str]]:
    setting, costs = result.setting, result.costs
    yield "Strength asked for", str(result.aim)
    yield "Strategy", setting.strategy
    yield "Seed", str(setting.seed)
    yield "Questions may start from", f"{setting.profile.start.value} state"
    yield "Questions may bring new objects", "yes" if setting.profile.new_objects else "no"
    yield "Seconds", f"{costs.seconds:.1f}, of these {costs.agent_seconds:.1f} for the agent to answer"
    yield "To check", "`assay verify` recounts every claim from journal.jsonl"
