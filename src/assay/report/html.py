"""The report as one HTML page: no network, works from disk, light and dark, on paper and on a phone.

Each section is a function from findings to HTML, so that another page can show it too; `document` puts
sections, style and script into one file. Whatever comes from the agent is text (see `markup`), and a policy
in the page allows no script but its own and no request at all.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from importlib.resources import files

from assay.core.quantity import count
from assay.report.curve import curve_svg
from assay.report.describe import log_sentence
from assay.report.findings import Findings
from assay.report.html_actions import actions_section
from assay.report.html_journal import journal_section, question_link
from assay.report.html_pictures import Gallery
from assay.report.markup import Markup, element, join, prose
from assay.report.quantity import duration

DOUBTS = 8
"""So many open points of an action are told; the others are counted."""


def report_html(
    findings: Findings, networks: Mapping[str, str] | None = None, gallery: Gallery | None = None
) -> str:
    """The whole page. `networks` has an SVG for each action that has one."""
    return document(findings.title, report_body(findings, networks or {}, gallery))


def report_body(findings: Findings, networks: Mapping[str, str], gallery: Gallery | None = None) -> Markup:
    """What the page shows, without style and script."""
    gallery = gallery or Gallery()
    sections = [
        ("can", "What it can do", actions_section(findings, networks, gallery)),
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
    return join(
        element("a", "Skip to the report", class_="skip", href="#main"),
        element("header", overview(findings, gallery), contents, class_="page"),
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
    )


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


def overview(findings: Findings, gallery: Gallery) -> Markup:
    agent = findings.origin.agent
    who = join("An agent opened as ", element("code", agent)) if agent else join("An agent")
    return join(
        element("p", "assay report", class_="kicker"),
        element("h1", findings.title),
        element(
            "p",
            join(
                who,
                f" was asked {count(findings.questions, 'question')} and never shown what is learned here. ",
            ),
            element(
                "strong", findings.headline, class_="verdict" if findings.complete else "verdict partial"
            ),
            class_="lead",
        ),
        element("p", "What went wrong: ", element("q", findings.error), class_="warning")
        if findings.error
        else None,
        _conflict(findings, gallery),
        figures(findings),
        gallery.animation(),
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
        (f"{done:,} of {slots.total:,}", "points decided", f"{slots.open:,} open"),
        (f"{findings.steps:,}", "steps tried", f"{duration(findings.seconds)} in all"),
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


def _conflict(findings: Findings, gallery: Gallery) -> Markup | None:
    if findings.conflict is None:
        return None
    numbers = [question_link(n) for n in findings.conflict.numbers]
    return element(
        "div",
        element("p", "These answers do not go together: ", join(*numbers, between=", "), "."),
        gallery.contradiction(),
        element("details", element("summary", "Why"), element("pre", findings.conflict.text, tabindex=0)),
        class_="warning",
    )


# --- what is settled


def settled_section(findings: Findings) -> Markup:
    slots = findings.slots
    text = (
        f"The vocabulary allows {count(slots.total, 'point')}: for each action and each fact about its "
        f"things, whether the action needs it and what it does to it. {slots.settled:,} are settled."
    )
    if findings.out_of_reach:
        how = f" (proved by {findings.proof})" if findings.proof else ""
        where = f"in any situation that the agent can get into{findings.by_steps}{how}"
        text += f" {findings.out_of_reach:,} make no difference {where}."
    if findings.idle_points:
        text += f" {findings.idle_points:,} are about actions that never work in any situation within reach."
    if void := slots.indistinguishable - findings.out_of_reach - findings.idle_points:
        text += (
            f" {void:,} make no difference that any question could show, for example "
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
                    join("To ", prose(action.task), f": {count(len(action.doubts), 'point')} open."),
                    element("details", element("summary", "Which"), element("ul", *doubts)),
                )
            )
    share = [(slots.settled, "settled"), (slots.indistinguishable, "alike"), (slots.open, "open")]
    bar = element(
        "div",
        *(element("span", class_=kind, style=f"flex-grow:{number}") for number, kind in share if number),
        class_="share",
        role="img",
        aria_label=f"{slots.settled} settled, {slots.indistinguishable} alike, {slots.open} open",
    )
    forbidden = [element("p", prose(sentence)) for sentence in findings.forbidden]
    listed = element("ul", *items, class_="unsettled") if items else None
    return join(element("p", text), bar, listed, *forbidden)


# --- how it was learned


def learned_section(findings: Findings) -> Markup:
    parts = [
        f"{count(findings.questions, 'question')} were asked"
        if findings.questions != 1
        else "1 question was asked"
    ]
    if findings.search:
        parts.append(f"{findings.search:,} of them to find a first situation in which an action runs")
    if findings.rejected:
        parts.append(f"{findings.rejected:,} about situations that the agent calls impossible")
    text = f"{', '.join(parts)}."
    if findings.logged:
        text += f" {log_sentence(findings.logged)}"
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
