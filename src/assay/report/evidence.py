"""The questions that a report refers to, in words, and others while there is room."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from assay.core.quantity import count
from assay.core.query import PlanResponse
from assay.language.answers import plan_lines, situation, verdict, whole_change
from assay.language.english import English
from assay.report.content import Block, EntryText, Item, Items, Section, Table, Text, Warning
from assay.report.overview import tells_states
from assay.result import Result
from assay.store.journal import AGAIN, AUDIT, Entry

ENTRY_LETTERS = 2_500
"""Of one question and its answer; a dozen steps fit."""
ALL_LETTERS = 400_000
"""Of all; the page stays below a megabyte with the markup around them."""
_REFERENCE = re.compile(r"#([1-9]\d*)")
_SOURCES = {AGAIN: "asked again", AUDIT: "drawn at random"}


def evidence(result: Result, english: English, sections: Iterable[Section]) -> Section:
    """Every question that these sections name, as far as there is room."""
    named = {n for section in sections for block in section.blocks for n in _references(block)}
    kept: list[EntryText] = []
    room = ALL_LETTERS
    for entry in sorted(result.entries, key=lambda e: (e.number not in named, e.number)):
        text = _text(english, entry)
        room -= len(text.head) + sum(map(len, text.lines))
        if room < 0:
            break
        kept.append(text)
    left_out = len(result.entries) - len(kept)
    note = f" {count(left_out, 'more')} in journal.jsonl." if left_out else ""
    lead = Text(f"{len(kept):,} questions and answers, in order.{note}")
    return Section("evidence", "Questions and answers", (lead, *sorted(kept, key=lambda t: t.number)))


def _references(block: Block) -> Iterator[int]:
    match block:
        case Text(text) | Warning(text):
            yield from map(int, _REFERENCE.findall(text))
        case Items(items):
            yield from _of_items(items)
        case Table(head, _):
            yield from map(int, _REFERENCE.findall(" ".join(head)))


def _of_items(items: Iterable[Item]) -> Iterator[int]:
    for item in items:
        yield from map(int, _REFERENCE.findall(item.text))
        yield from _of_items(item.items)


def _text(english: English, entry: Entry) -> EntryText:
    source = "from a log" if entry.logged else _SOURCES.get(entry.source, "")
    head = f"{verdict(english, entry)}{f' ({source})' if source else ''}"
    return EntryText(entry.number, head, tuple(_cut(_lines(english, entry))))


def _lines(english: English, entry: Entry) -> Iterator[str]:
    plan = entry.query.plan
    if new := entry.query.new_objects:
        yield f"Made up for this question: {count(len(new), 'object')}."
    yield from plan_lines(english, entry)
    if plan:
        yield f"Before the first step: {situation(english, entry.query.state, plan[0])}."
    answer = entry.response
    if isinstance(answer, PlanResponse):
        if 0 < answer.steps < len(plan):
            yield f"Before the refused step: {situation(english, answer.state, plan[answer.steps])}."
        if answer.steps > 1 and not tells_states(entry):
            yield f"At the end: {whole_change(english, entry)}."


def _cut(lines: Iterable[str]) -> Iterator[str]:
    room = ENTRY_LETTERS
    for line in lines:
        room -= len(line)
        if room < 0:
            yield "and more, in journal.jsonl"
            return
        yield line
