"""The HTML that the server sends. Every name and every sentence is escaped here, and nowhere else.

The page of a folder is a frame around the report: above it how the run stands, beside it "Try it". The script
fills the frame; without it the report is still there to be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

_DOCUMENT = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
{styles}
</head>
<body>
{body}
</body>
</html>
"""


def _document(title: str, body: str, scripts: Sequence[str] = ()) -> str:
    links = "\n".join(f'<link rel="stylesheet" href="/static/{name}">' for name in ("report.css", "page.css"))
    tags = "".join(f'\n<script src="/static/{name}" defer></script>' for name in scripts)
    return _DOCUMENT.format(title=escape(title), styles=links + tags, body=body)


def index(title: str, standings: Sequence[dict[str, Any]]) -> str:
    body = f"""\
<header class="bar"><p class="brand">assay</p></header>
<main class="frame" data-page="index">
<h1>Results in {escape(title)}</h1>
<div id="rows">{rows(standings)}</div>
</main>"""
    return _document(f"{title} - assay", body, scripts=["page.js"])


def rows(standings: Sequence[dict[str, Any]]) -> str:
    """The index's table; it says by itself whether it is worth asking for again."""
    if not standings:
        return (
            '<p data-going="1">There is no result folder here yet. '
            "<code>assay run AGENT --out FOLDER</code> makes one; this page will show it.</p>"
        )
    going = any(not row.get("finished") and "problem" not in row for row in standings)
    lines = "\n".join(map(_row, standings))
    return f"""\
<table class="results" data-going="{int(going)}">
<thead><tr><th scope="col">Result</th><th scope="col">Agent</th><th scope="col">How it stands</th>
<th scope="col" class="number">Questions</th><th scope="col" class="number">Strength</th>
<th scope="col">Last answer</th></tr></thead>
<tbody>
{lines}
</tbody></table>"""


def _row(row: dict[str, Any]) -> str:
    link = (
        f'<th scope="row" data-label="Result"><a href="{escape(row["href"])}">{escape(row["name"])}</a></th>'
    )
    when = f'<td data-label="Last answer">{escape(row["when"])}</td>'
    if "problem" in row:
        return f'<tr>{link}<td colspan="4">Cannot be read: {escape(row["problem"])}</td>{when}</tr>'
    return (
        f"<tr>{link}"
        f'<td data-label="Agent">{escape(row["agent"])}</td>'
        f'<td data-label="How it stands">{escape(row["outcome"])}</td>'
        f'<td data-label="Questions" class="number">{escape(str(row["questions"]))}</td>'
        f'<td data-label="Strength" class="number">{escape(row.get("strength", ""))}</td>{when}</tr>'
    )


def folder(*, name: str, report: str, files: Sequence[str], back: bool, when: str, followed: bool) -> str:
    """The page of a result; a run that is not followed has nothing beside its report."""
    up = '<a href="/">All results</a>' if back else ""
    downloads = "".join(f'<li><a href="files/{escape(f)}" download>{escape(f)}</a></li>' for f in files)
    body = f"""\
<header class="bar"><p class="brand">assay</p><p class="name">{escape(name)}</p>{up}</header>
<main class="frame" data-page="{"folder" if followed else "report"}">
<section id="standing" aria-label="How the run stands">
<p id="standing-line" role="status">Last answer: {escape(when)}.</p>
<div id="standing-more" hidden>
<ul id="actions" class="plain"></ul>
<div id="last"></div>
</div>
</section>
<div class="tabs" role="tablist" aria-label="Views" hidden>
<button type="button" role="tab" id="tab-report" data-panel="report" aria-selected="true">Report</button>
<button type="button" role="tab" id="tab-try" data-panel="try" aria-selected="false">Try it</button>
</div>
<section id="report" aria-labelledby="tab-report">{report}</section>
<section id="try" aria-labelledby="tab-try" hidden></section>
<footer class="files"><h2>Files of this result</h2><ul class="downloads">{downloads}</ul></footer>
</main>"""
    return _document(f"{name} - assay", body, scripts=["report.js", "page.js"])


def problem(message: str) -> str:
    return f'<p class="problem">This result cannot be shown: {escape(message)}.</p>'


def failure(message: str) -> str:
    body = f"""\
<header class="bar"><p class="brand">assay</p></header>
<main class="frame"><h1>That did not work</h1>
<p>{escape(message)}</p><p><a href="/">To the start</a></p></main>"""
    return _document("assay", body)
