"""The page about an agent that presses keys: every capability in a sentence, with its keys and two pictures.

It is made from the result folder alone, so it can be made again at any time. Whatever the files say is text,
and pictures are embedded only if they are PNG files of the folder itself.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from assay.core.quantity import count
from assay.errors import InputError
from assay.report.markup import Markup, element, join, prose
from assay.report.page import document
from assay.report.quantity import duration
from assay.store.folder import CAPABILITIES, SUMMARY, replace
from assay.store.plain import decode_json, read_inside, read_plain

REPORT = "report.html"
_PICTURES = "pictures"
_PNG = b"\x89PNG\r\n\x1a\n"


def write_capabilities_page(folder: Path) -> Path:
    """Write the page of a finished folder, or refresh it, and say where it is."""
    path = folder / REPORT
    content = capabilities_content(folder)
    title = f"What {_read(folder, CAPABILITIES)['agent']} can do"
    replace(path, document(title, content).encode())
    return path


def capabilities_content(folder: Path) -> Markup:
    """What the page of a finished folder shows."""
    try:
        return _content(folder, _read(folder, CAPABILITIES), _read(folder, SUMMARY))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"{folder}: {CAPABILITIES} or {SUMMARY} lacks something, or is of another version ({error!r})"
        ) from error


def _content(folder: Path, found: Mapping[str, Any], summary: Mapping[str, Any]) -> Markup:
    listed = [_capability(folder, c) for c in found["capabilities"]]
    missing = [element("li", prose(m["sentence"])) for m in found["missing"]]
    verdict = element(
        "strong", summary["verdict"], class_="verdict" if summary["complete"] else "verdict partial"
    )
    asked = count(summary["agent_questions"], "question")
    return join(
        element("a", "Skip to the report", class_="skip", href="#main"),
        element(
            "header",
            element("p", "assay report", class_="kicker"),
            element("h1", f"What {found['agent']} can do"),
            element("p", f"An agent that presses keys was asked {asked}. ", verdict, class_="lead"),
            _figures(summary),
            class_="page",
        ),
        element(
            "main",
            element("h2", "Capabilities"),
            join(*listed) if listed else element("p", "None was seen."),
            element("h2", "Never seen, although the simulator allows it") if missing else None,
            element("ul", *missing) if missing else None,
            element("h2", "How this was found out"),
            _learned(summary),
            id="main",
            class_="page",
            tabindex="-1",
        ),
    )


def _capability(folder: Path, found: Mapping[str, Any]) -> Markup:
    signature = ", ".join(name.removeprefix("?") for name in found["parameters"])
    keys = [element("code", " ".join(e["keys"])) for e in found["examples"]]
    serves = sorted({_predicate(text) for text in found["effects"]})
    items = [
        element("li", "Keys that did it: ", join(*keys, between=", ")) if keys else None,
        element("li", "Serves: ", join(*(element("code", name) for name in serves), between=", ")),
        *(element("li", prose(_plain(remark))) for remark in found["remarks"]),
    ]
    conditions = element("pre", element("code", _formulas(found)), tabindex=0, aria_label="As PDDL")
    return element(
        "section",
        element("h3", f"{found['name']}({signature})"),
        element("p", prose(found["sentence"])),
        _pictures(folder, found),
        element("ul", *items),
        _refusals([*found["promised"], *found["refusals"]]),
        element("details", element("summary", "Condition and effects as PDDL"), conditions),
        id=f"capability-{found['name']}",
    )


def _plain(remark: str) -> str:
    """A remark that was written for Markdown, as a sentence of its own."""
    text = remark.replace("**", "")
    return text[:1].upper() + text[1:]


def _predicate(literal: str) -> str:
    return literal.removeprefix("(not ").strip("()").split()[0]


def _formulas(found: Mapping[str, Any]) -> str:
    lines = [f"{name} - {kind}" for name, kind in found["parameters"].items()]
    return "\n".join(
        [*lines, "needs", *_indented(found["precondition"]), "brings about", *_indented(found["effects"])]
    )


def _indented(literals: list[str]) -> list[str]:
    return [f"  {text}" for text in literals] or ["  nothing"]


def _refusals(refusals: list[Mapping[str, Any]]) -> Markup | None:
    """Situations in which the simulator allows the change and the agent refused."""
    if not refusals:
        return None
    items = [
        element(
            "li", f"Question {r['entry']}: ", element("code", " ".join(f"({text})" for text in r["state"]))
        )
        for r in refusals
    ]
    return element("details", element("summary", "Where it refused"), element("ul", *items))


def _pictures(folder: Path, found: Mapping[str, Any]) -> Markup | None:
    figures = []
    for name, caption in zip(found["pictures"], ("Before", "After"), strict=False):
        if (source := _embedded(folder, name)) is not None:
            image = element("img", src=source, alt=f"{caption} {found['name']}", loading="lazy")
            figures.append(element("figure", image, element("figcaption", caption)))
    return element("div", *figures, class_="pictures") if figures else None


def _embedded(folder: Path, name: str) -> str | None:
    """The picture as an address that holds it; none if it is not there, or no picture."""
    try:
        content = read_inside(folder / _PICTURES / Path(name).name, folder)
    except (OSError, InputError):
        return None
    return f"data:image/png;base64,{base64.b64encode(content).decode()}" if content.startswith(_PNG) else None


def _figures(summary: Mapping[str, Any]) -> Markup:
    explored = "all that the starts lead to" if summary["explored_all"] else "not all that the starts lead to"
    tiles = [
        (len(summary["capabilities"]), "capabilities", ""),
        (summary["user_questions"], "questions in your words", ""),
        (summary["agent_questions"], "questions that reached the agent", f"{summary['gave_up']} given up"),
        (summary["situations_explored"], "situations explored", explored),
    ]
    return element(
        "dl",
        *(
            element(
                "div",
                element("dt", label),
                element("dd", f"{value:,}", class_="value"),
                element("dd", note) if note else None,
            )
            for value, label, note in tiles
        ),
        class_="figures",
    )


def _learned(summary: Mapping[str, Any]) -> Markup:
    texts = [
        f"{count(summary['agent_questions'], 'question')} reached the agent; "
        f"{count(summary['observed_changes'], 'change')} of the situation were seen in its answers. "
        f"It took {duration(summary['seconds'])}, of which the agent took "
        f"{duration(summary['agent_seconds'])}. "
        f"The seed was {summary['seed']}.",
    ]
    if summary["interest"]:
        texts.append(f"Only what changes {', '.join(summary['interest'])} was asked about.")
    if summary["violations_count"]:
        situation = " ".join(f"({text})" for text in summary["violations"][0]["state"])
        texts.append(
            f"The vocabulary is too coarse in {count(summary['violations_count'], 'situation')}: "
            f"states that look the same do not behave the same there. For example {situation}."
        )
    return join(*(element("p", text) for text in texts))


def _read(folder: Path, name: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = decode_json(read_plain(folder / name))
    except OSError as error:
        raise InputError(f"{folder} holds no finished study: {error.strerror}: {name}") from error
    except msgspec.DecodeError as error:
        raise InputError(f"{folder / name}: {error}") from error
    return found
