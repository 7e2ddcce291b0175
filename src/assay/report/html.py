"""The report as one HTML page: no network, works from disk, light and dark, on paper and on a phone.

Each section is a function from findings to HTML, so that another page can show it too; `document` puts
sections, style and script into one file. Whatever comes from the agent is text (see `markup`), and a policy
in the page allows no script but its own and no request at all.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from importlib.resources import files

from assay.report.curve import curve_svg
from assay.report.findings import Action, Findings, Point
from assay.report.markup import Markup, element, join, prose
from assay.report.paragraph import Mention
from assay.report.rows import Row

CUT = 190
"""Longer sentences in the journal are shortened until somebody asks for more."""
WITNESSES, DOUBTS = 6, 8
"""So many questions behind a literal, and open points of an action, are told; the others are counted."""


def report_html(findings: Findings, networks: Mapping[str, str] | None = None) -> str:
    """The whole page. `networks` has an SVG for each action that has one."""
    sections = [
        ("can", "What it can do", actions_section(findings, networks or {})),
        ("settled", "What is settled and what is not", settled_section(findings)),
        ("learned", "How it was learned", learned_section(findings)),
        ("journal", "Questions and answers", journal_section(findings)),
        ("origin", "Cite and reproduce", origin_section(findings)),
    ]
    contents = element(
        "nav",
        element("ul", *(element("li", element("a", title, href=f"#{key}")) for key, title, _ in sections)),
        aria_label="Contents",
    )
    body = [
        element("a", "Skip to the report", class_="skip", href="#main"),
        element("header", overview(findings), contents, class_="page"),
        element(
            "main",
            *(
                element(
                    "section",
                    element("h2", title, id=f"{key}-title"),
                    content,
                    id=key,
                    aria_labelledby=f"{key}-title",
                )
                for key, title, content in sections
            ),
            id="main",
            class_="page",
            tabindex="-1",
        ),
        element(
            "footer",
            element(
                "p", f"Written by assay {dict(findings.origin.versions)['assay']} from the journal alone."
            ),
            class_="page",
        ),
    ]
    return document(findings.title, join(*body))


def document(title: str, body: Markup) -> str:
    """A file that needs nothing else."""
    style, script = style_sheet(), script_text()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="generator", content="assay"),
        element("title", title),
        element("style", Markup(style)),
    )
    page = element("html", head, element("body", body, element("script", Markup(script))), lang="en")
    return f"<!doctype html>\n{page}\n"


def style_sheet() -> str:
    return (files("assay.report") / "page.css").read_text(encoding="utf-8")


def script_text() -> str:
    return (files("assay.report") / "page.js").read_text(encoding="utf-8")


# --- the top


def overview(findings: Findings) -> Markup:
    agent = findings.origin.agent
    who = join("An agent opened as ", element("code", agent)) if agent else join("An agent")
    return join(
        element("p", "assay report", class_="kicker"),
        element("h1", findings.title),
        element(
            "p",
            join(
                who,
                f" was asked {_count(findings.questions, 'question')} and never shown what is learned here. ",
            ),
            element(
                "strong", findings.headline, class_="verdict" if findings.complete else "verdict partial"
            ),
            class_="lead",
        ),
        element("p", "What went wrong: ", element("q", findings.error), class_="warning")
        if findings.error
        else None,
        _conflict(findings),
        figures(findings),
    )


def figures(findings: Findings) -> Markup:
    """The numbers that matter."""
    slots = findings.slots
    done = slots.settled + slots.indistinguishable
    tiles = [
        (f"{findings.questions:,}", "questions asked" if findings.questions != 1 else "question asked", "")
    ]
    if findings.comparable and findings.outcome != "contradiction":
        so_far = "" if findings.complete else " so far"
        tiles.append(
            (f"{findings.bound:,}", "fewest possible", f"one refusal for each condition found{so_far}")
        )
    tiles += [
        (f"{done:,} of {slots.total:,}", "points settled", f"{slots.open:,} open"),
        (f"{findings.steps:,}", "steps tried", f"{_seconds(findings.seconds)} in all"),
    ]
    return element(
        "dl",
        *(
            element(
                "div",
                element("dt", label),
                element("dd", value, class_="value"),
                element("dd", note) if note else None,
            )
            for value, label, note in tiles
        ),
        class_="figures",
    )


def _conflict(findings: Findings) -> Markup | None:
    if findings.conflict is None:
        return None
    numbers = [_question_link(n) for n in findings.conflict.numbers]
    return element(
        "div",
        element("p", "These answers do not go together: ", join(*numbers, between=", "), "."),
        element("details", element("summary", "Why"), element("pre", findings.conflict.text, tabindex=0)),
        class_="warning",
    )


# --- what it can do


def actions_section(findings: Findings, networks: Mapping[str, str]) -> Markup:
    rows = {row.number: row for row in findings.journal}
    note = (
        f"{findings.legend} " if findings.legend else ""
    ) + "Every underlined literal can be opened: it shows the questions that settled it."
    return join(
        element("p", note, class_="note"),
        *(action_article(action, rows, networks.get(action.name)) for action in findings.actions),
    )


def action_article(action: Action, rows: Mapping[int, Row], network: str | None = None) -> Markup:
    points = {point.key: point for point in action.points}
    mentioned = [points[piece.key] for piece in action.text if isinstance(piece, Mention)]
    return element(
        "article",
        element("h3", action.name),
        element(
            "p",
            *(_piece(piece) for piece in action.text),
            join(" ", element("a", "What is open", href="#settled")) if action.doubts else None,
            class_="says",
        ),
        *(evidence_panel(point, rows) for point in mentioned),
        _points(action),
        element(
            "details",
            element("summary", "Causes and effects as a picture"),
            element(
                "div",
                Markup(network),
                class_="network",
                tabindex=0,
                role="group",
                aria_label=f"Network of {action.name}",
            ),
        )
        if network
        else None,
        class_="action" if action.ran else "action never",
    )


def _piece(piece: str | Mention) -> Markup:
    if isinstance(piece, str):
        return prose(piece)
    return element(
        "a",
        prose(piece.text),
        class_=f"literal {piece.part}",
        role="button",
        href=f"#{piece.key}",
        aria_expanded="false",
        aria_controls=piece.key,
    )


def evidence_panel(point: Point, rows: Mapping[int, Row]) -> Markup:
    told = point.witnesses[:WITNESSES]
    rest = [w.question for w in point.witnesses[WITNESSES:]]
    return element(
        "div",
        element("p", "Evidence that ", prose(point.says), class_="claim"),
        element(
            "ol",
            *(
                element(
                    "li",
                    element("p", _question_link(w.question), " ", prose(w.shows), class_="shows"),
                    element("p", prose(rows[w.question].question), class_="asked"),
                    element("p", prose(rows[w.question].answer), class_="answered"),
                    class_="decisive" if w.decisive else None,
                )
                for w in told
            ),
        ),
        element("p", "Also: ", join(*map(_question_link, rest), between=", "), ".") if rest else None,
        id=point.key,
        class_="evidence",
        role="group",
        aria_label=f"Evidence that {point.says}",
        hidden=True,
    )


def _points(action: Action) -> Markup:
    """Every slot of the action, one fact a line."""
    facts: dict[str, dict[str, Point]] = {}
    for point in action.points:
        facts.setdefault(point.atom, {})[point.part] = point
    body = [
        element(
            "tr",
            element("th", prose(next(iter(parts.values())).fact), scope="row"),
            _verdict_cell(parts.get("precondition"), _NEEDS),
            _verdict_cell(parts.get("effect"), _EFFECTS),
        )
        for parts in facts.values()
    ]
    heads = (element("th", title, scope="col") for title in ("Fact", "Before", "Afterwards"))
    return element(
        "details",
        element("summary", f"All {_count(len(action.points), 'point')} that were looked into"),
        element(
            "div",
            element(
                "table",
                element("caption", f"What {action.name} needs and does, fact by fact", class_="unseen"),
                element("thead", element("tr", *heads)),
                element("tbody", *body),
                class_="points",
            ),
            class_="wide",
            tabindex=0,
            role="group",
            aria_label=f"All points of {action.name}",
        ),
    )


_NEEDS = {"+": "must be so", "-": "must not be so", "absent": "does not matter"}
_EFFECTS = {"+": "becomes so", "-": "ceases to be so", "absent": "stays as it was"}


def _verdict_cell(point: Point | None, words: Mapping[str, str]) -> Markup:
    if point is None:
        return element("td", "-")
    said = words[point.mode]
    if point.status == "open":
        said = "open"
    elif point.status == "indistinguishable":
        said = "no difference to be seen"
    links = [element("a", str(n), href=f"#q{n}", aria_label=f"question {n}") for n in point.evidence[-4:]]
    kind = "open" if point.status == "open" else "quiet" if point.mode == "absent" else None
    return element(
        "td", said, element("small", " ", join(*links, between=" ")) if links else None, class_=kind
    )


# --- what is settled


def settled_section(findings: Findings) -> Markup:
    slots = findings.slots
    text = (
        f"The vocabulary allows {_count(slots.total, 'point')}: for each action and each fact about its "
        f"things, whether the action needs it and what it does to it. {slots.settled:,} are settled."
    )
    if slots.indistinguishable:
        text += (
            f" {slots.indistinguishable:,} make no difference that any question could show, for example "
            "whether an action makes true what had to be true already."
        )
    text += f" {slots.open:,} are open." if slots.open else " None is open."
    items = [element("li", prose(sentence)) for sentence in findings.never_ran]
    for action in findings.actions:
        if action.doubts:
            left = len(action.doubts) - DOUBTS
            doubts = [element("li", prose(doubt)) for doubt in action.doubts[:DOUBTS]]
            if left > 0:
                doubts.append(element("li", f"and {left:,} more", class_="quiet"))
            items.append(
                element(
                    "li",
                    join("To ", prose(action.task), f": {_count(len(action.doubts), 'point')} open."),
                    element("details", element("summary", "Which"), element("ul", *doubts)),
                )
            )
    share = [(slots.settled, "settled"), (slots.indistinguishable, "alike"), (slots.open, "open")]
    bar = element(
        "div",
        *(element("span", class_=kind, style=f"flex-grow:{count}") for count, kind in share if count),
        class_="share",
        role="img",
        aria_label=f"{slots.settled} settled, {slots.indistinguishable} alike, {slots.open} open",
    )
    return join(element("p", text), bar, element("ul", *items, class_="unsettled") if items else None)


# --- how it was learned


def learned_section(findings: Findings) -> Markup:
    parts = [
        f"{_count(findings.questions, 'question')} were asked"
        if findings.questions != 1
        else "1 question was asked"
    ]
    if findings.search:
        parts.append(f"{findings.search:,} of them to find a first situation in which an action runs")
    if findings.rejected:
        parts.append(f"{findings.rejected:,} about situations that the agent calls impossible")
    text = f"{', '.join(parts)}."
    bound = None
    if findings.comparable and findings.outcome != "contradiction":
        bound = findings.bound
        found = "condition" if bound == 1 else "conditions"
        text += (
            f" At least {bound:,} were needed: each of the {bound:,} {found} found"
            f"{'' if findings.complete else ' so far'} takes a refusal of its own, and a question ends at "
            "its first refusal."
        )
    return join(
        element("p", text),
        element(
            "figure",
            curve_svg(findings.curve, findings.slots.total, bound),
            element("figcaption", "Points settled after each question."),
        ),
    )


# --- the journal


def journal_section(findings: Findings) -> Markup:
    search = element(
        "div",
        element("label", "Search questions, answers and what they settled", for_="journal-search"),
        element("input", id="journal-search", type="search", autocomplete="off", spellcheck="false"),
        element("p", _count(len(findings.journal), "question"), id="journal-count", role="status"),
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
        f"{_count(row.cleared, 'point')} that {'does' if row.cleared == 1 else 'do'} not matter"
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
            element("th", str(row.number), scope="row", role="rowheader"),
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
    more = f"and {_count(row.facts_left_out, 'more fact')}, in the journal" if row.facts_left_out else None
    untried = f"{_count(row.untried, 'more step')} would have followed" if row.untried else None
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


# --- cite and reproduce


def origin_section(findings: Findings) -> Markup:
    origin = findings.origin
    proof = {
        None: "There is no certificate.",
        True: "The certificate in this folder is about this journal; “assay verify” checks it.",
        False: "The certificate in this folder is about another journal, or an earlier state of this one.",
    }[origin.certified]
    facts = [
        ("Agent", origin.agent or "given in Python"),
        ("Strategy", origin.strategy),
        ("Seed", str(origin.seed)),
        *((name, value) for name, value in origin.versions),
        ("Journal", f"SHA-256 {origin.journal_hash}"),
    ]
    return join(
        element("h3", "To ask the same questions again"),
        element("pre", element("code", origin.command), tabindex=0, aria_label="Command"),
        element("dl", *(join(element("dt", k), element("dd", v)) for k, v in facts), class_="facts-list"),
        element("p", proof),
        element("h3", "To cite it"),
        element("blockquote", element("p", origin.citation)),
        element(
            "details",
            element("summary", "The model as PDDL"),
            element("pre", element("code", findings.model), tabindex=0, aria_label="The model as PDDL"),
        )
        if findings.model
        else None,
    )


# --- small things


def cut(text: str) -> str:
    """At most so many characters, ending with a whole word and no open backquote."""
    if len(text) <= CUT:
        return text
    short = text[:CUT].rsplit(" ", 1)[0]
    if short.count("`") % 2:
        short = short.rsplit("`", 1)[0].rstrip()
    return f"{short} …"


def _question_link(number: int) -> Markup:
    return element("a", f"Question {number}", href=f"#q{number}", class_="question")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _seconds(seconds: float) -> str:
    if seconds < 10:
        return f"{seconds:.2f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
