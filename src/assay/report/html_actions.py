"""What the agent can do: a paragraph per action whose literals open their evidence."""

from __future__ import annotations

from collections.abc import Mapping

from assay.core.quantity import count
from assay.report.findings import Action, Findings, Point
from assay.report.html_journal import question_link
from assay.report.html_pictures import Gallery
from assay.report.markup import Markup, element, join, prose
from assay.report.paragraph import Mention
from assay.report.rows import Row

WITNESSES = 6
"""So many questions behind a literal are told; the others are named."""


def actions_section(findings: Findings, networks: Mapping[str, str], gallery: Gallery) -> Markup:
    rows = {row.number: row for row in findings.journal}
    note = (
        f"{findings.legend} Every underlined literal can be opened: it shows the questions that settled it."
    )
    if findings.outcome == "contradiction":
        note += " All of this was concluded before the answers contradicted each other."
    return join(
        element("p", note.strip(), class_="note"),
        *(action_article(action, rows, gallery, networks.get(action.name)) for action in findings.actions),
    )


def action_article(
    action: Action, rows: Mapping[int, Row], gallery: Gallery, network: str | None = None
) -> Markup:
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
        *(evidence_panel(point, rows, gallery.witness(action.name, point)) for point in mentioned),
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


def evidence_panel(point: Point, rows: Mapping[int, Row], pictures: Markup | None = None) -> Markup:
    told = point.witnesses[:WITNESSES]
    rest = [w.question for w in point.witnesses[WITNESSES:]]
    return element(
        "div",
        element("p", "Evidence that ", prose(point.says), class_="claim"),
        pictures,
        element(
            "ol",
            *(
                element(
                    "li",
                    element("p", question_link(w.question), " ", prose(w.shows), class_="shows"),
                    element("p", prose(rows[w.question].question), class_="asked"),
                    element("p", prose(rows[w.question].answer), class_="answered"),
                    class_="decisive" if w.decisive else None,
                )
                for w in told
            ),
        ),
        element("p", "Also: ", join(*map(question_link, rest), between=", "), ".") if rest else None,
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
        element("summary", f"All {count(len(action.points), 'point')} that were looked into"),
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
        seen = point.mode == "absent"
        said = "no difference to be seen" if seen else f"{said}, or what always goes with it"
    links = [element("a", str(n), href=f"#q{n}", aria_label=f"question {n}") for n in point.evidence[-4:]]
    kind = "open" if point.status == "open" else "quiet" if point.mode == "absent" else None
    return element(
        "td", said, element("small", " ", join(*links, between=" ")) if links else None, class_=kind
    )
