"""A report as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.core.visible import as_markdown
from assay.report.content import Block, Code, EntryText, Item, Items, Report, Table, Text, Warning


def markdown(report: Report) -> str:
    parts = [f"# {as_markdown(report.title)}"]
    for section in report.sections:
        parts += [f"## {section.title}", *map(_block, section.blocks)]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> str:
    match block:
        case Text(text):
            return text
        case Warning(text):
            return f"> **Note:** {text}"
        case Items(items):
            return "\n".join(_items(items, ""))
        case Code(text):
            return f"```\n{text}\n```"
        case Table(head, rows):
            return "\n".join([_row(head), _row(["---"] * len(head)), *map(_row, rows)])
        case EntryText(number, head, lines):
            return "\n".join([f"#{number}: {head}", "", *(f"- {line}" for line in lines)])


def _items(items: Sequence[Item], indent: str) -> Iterator[str]:
    for item in items:
        yield f"{indent}- {item.text}"
        yield from _items(item.items, f"{indent}  ")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(c.replace('|', chr(92) + '|') for c in cells)} |"
