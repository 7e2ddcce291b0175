"""The journal as a table that can be searched; without the script it is still a table."""

from __future__ import annotations

from collections.abc import Iterable

from assay.core.quantity import count
from assay.report.findings import Findings
from assay.report.markup import Markup, element, join, prose
from assay.report.rows import Row

CUT = 190
"""Longer sentences are shortened until somebody asks for more."""


def journal_section(findings: Findings) -> Markup:
    search = element(
        "div",
        element("label", "Search questions, answers and what they settled", for_="journal-search"),
        element("input", id="journal-search", type="search", autocomplete="off", spellcheck="false"),
        element("p", count(len(findings.journal), "question"), id="journal-count", role="status"),
        class_="search",
    )
    return join(search, journal_table(findings.journal))


def journal_table(rows: Iterable[Row]) -> Markup:
    heads = (
        element("th", title, scope="col", role="columnheader")
        for title in ("No.", "Asked", "Answered", "Settled")
    )
    return element(
        "table",
        element("caption", "Every question and its answer, in order", class_="unseen"),
        element("thead", element("tr", *heads, role="row"), role="rowgroup"),
        *(journal_rows(row) for row in rows),
        id="journal-table",
        class_="journal",
        role="table",
    )


def journal_rows(row: Row) -> Markup:
    """One question: what everybody reads, and what is there for those who ask for more."""
    settled = join(*(element("li", prose(said)) for said in row.settled))
    cleared = (
        f"{count(row.cleared, 'point')} that {'does' if row.cleared == 1 else 'do'} not matter"
        if row.cleared
        else ""
    )
    if cleared and row.settled:
        cleared = f"and {cleared}"
    button = element(
        "button",
        "more",
        element("span", f" about question {row.number}", class_="unseen"),
        type="button",
        class_="more",
        aria_expanded="false",
        aria_controls=f"q{row.number}-more",
    )
    return element(
        "tbody",
        element(
            "tr",
            element(
                "th",
                str(row.number),
                element("small", " log") if row.logged else None,
                scope="row",
                role="rowheader",
            ),
            element("td", element("p", prose(cut(row.question))), button, role="cell", data_label="Asked"),
            element("td", element("p", prose(cut(row.answer))), role="cell", data_label="Answered"),
            element(
                "td",
                element("ul", settled) if row.settled else None,
                element("p", cleared or (None if row.settled else "nothing new"), class_="quiet"),
                role="cell",
                data_label="Settled",
            ),
            role="row",
            class_=row.ending,
        ),
        element(
            "tr",
            element("td", _more(row), colspan=4, role="cell"),
            id=f"q{row.number}-more",
            class_="rest",
            role="row",
            hidden=True,
        ),
        id=f"q{row.number}",
        role="rowgroup",
    )


def _more(row: Row) -> Markup:
    steps = [
        element("li", prose(step), class_="stop" if row.first_step + i == row.refused else None)
        for i, step in enumerate(row.steps)
    ]
    plan = element("ol", *steps, start=row.first_step, class_="plan")
    facts = element("ul", *(element("li", prose(fact)) for fact in row.facts), class_="facts")
    more = f"and {count(row.facts_left_out, 'more fact')}, in the journal" if row.facts_left_out else None
    untried = f"{count(row.untried, 'more step')} would have followed" if row.untried else None
    return join(
        element("p", prose(row.question)),
        element("p", prose(row.answer), class_="answered"),
        element("p", "The plan", class_="small-title"),
        plan if steps else element("p", "nothing to do"),
        element("p", untried, class_="quiet") if untried else None,
        element("p", "True at the start", class_="small-title"),
        facts if row.facts else element("p", "nothing"),
        element("p", more, class_="quiet") if more else None,
    )


def cut(text: str) -> str:
    """At most so many characters, ending with a whole word and no open backquote."""
    if len(text) <= CUT:
        return text
    short = text[:CUT].rsplit(" ", 1)[0]
    if short.count("`") % 2:
        short = short.rsplit("`", 1)[0].rstrip()
    return f"{short} …"


def question_link(number: int) -> Markup:
    return element("a", f"Question {number}", href=f"#q{number}", class_="question")
