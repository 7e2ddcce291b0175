"""The frame of every report: one file with style and script, which needs no network and allows none.

It works from disk, light and dark, on paper and on a phone. A policy in the page allows no script but its own
and no request at all.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from assay.report.markup import Markup, element


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
