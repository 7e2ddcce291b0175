"""A report as one HTML page: sections in order, and every `#12` a link to that question and its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from assay.report.content import Block, Code, EntryText, Item, Items, Report, Section, Table, Text, Warning
from assay.report.markup import Markup, element, join
from assay.report.page import document

_SPAN = re.compile(r"`(?P<code>[^`]*)`|\*\*(?P<strong>[^*]*)\*\*|#(?P<entry>[1-9]\d*)")


def report_html(report: Report) -> str:
    return document(report.title, report_body(report))


def report_body(report: Report) -> Markup:
    """What the page shows, without style and script."""
    linked = frozenset(b.number for s in report.sections for b in s.blocks if isinstance(b, EntryText))
    contents = element(
        "nav",
        element(
            "ul",
            *(element("li", element("a", _bare(s.title), href=f"#{quote(s.key)}")) for s in report.sections),
        ),
        aria_label="Contents",
    )
    return join(
        element("a", "Skip to the report", class_="skip", href="#main"),
        element(
            "header",
            element("p", "assay report", class_="kicker"),
            element("h1", report.title),
            contents,
            class_="page",
        ),
        element(
            "main",
            *(_section(section, linked) for section in report.sections),
            id="main",
            class_="page",
            tabindex="-1",
        ),
    )


def _section(section: Section, linked: frozenset[int]) -> Markup:
    title = element("h2", prose(section.title, linked), id=f"{section.key}-title")
    content = join(*(_block(block, linked) for block in section.blocks))
    if section.folded:
        content = element("details", element("summary", "Show"), content)
    return element("section", title, content, id=section.key, aria_labelledby=f"{section.key}-title")


def _block(block: Block, linked: frozenset[int]) -> Markup:
    match block:
        case Text(text):
            return element("p", prose(text, linked))
        case Warning(text):
            return element("div", element("p", prose(text, linked)), class_="warning")
        case Items(items):
            return _items(items, linked)
        case Code(text):
            return element("pre", element("code", text), tabindex=0)
        case Table(head, rows):
            return _table(head, rows, linked)
        case EntryText(number, head, lines):
            points = (element("li", prose(line, linked)) for line in lines)
            summary = element("summary", element("b", f"#{number}"), " ", prose(head, linked))
            return element("details", summary, element("ul", *points), id=f"q{number}", class_="entry")


def _items(items: Sequence[Item], linked: frozenset[int]) -> Markup:
    return element(
        "ul",
        *(
            element("li", prose(item.text, linked), _items(item.items, linked) if item.items else None)
            for item in items
        ),
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], linked: frozenset[int]) -> Markup:
    heads = element("tr", *(element("th", prose(cell, linked), scope="col") for cell in head))
    body = (
        element(
            "tr",
            element("th", prose(row[0], linked), scope="row"),
            *(element("td", prose(cell, linked)) for cell in row[1:]),
        )
        for row in rows
    )
    return element(
        "div", element("table", element("thead", heads), element("tbody", *body)), class_="wide", tabindex=0
    )


def prose(text: str, linked: frozenset[int] = frozenset()) -> Markup:
    """Text with symbols as code, leads in bold, and entries that are in the page as links."""
    found: list[str] = []
    last = 0
    for span in _SPAN.finditer(text):
        found += [text[last : span.start()], _span(span, linked)]
        last = span.end()
    return join(*found, text[last:])


def _span(span: re.Match[str], linked: frozenset[int]) -> str:
    if span["code"] is not None:
        return element("code", span["code"])
    if span["strong"] is not None:
        return element("strong", span["strong"])
    if int(span["entry"]) not in linked:
        return span.group()
    return element("a", span.group(), href=f"#q{span['entry']}", class_="question")


def _bare(title: str) -> str:
    return title.replace("`", "")
