"""report.html: one safe file, in which every piece of evidence is a click away."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli import app
from assay.errors import InputError
from assay.report.content import CONTENT, read_content
from assay.report.html import prose
from assay.report.write import REPORT, refresh_report

LARGEST = 1_000_000
"""Bytes of a page."""
WAYS = ["complete", "budget", "contradiction", "failed", "nowhere", "still", "nothing"]


class Page(HTMLParser):
    """What a page consists of."""

    VOID = frozenset({"meta", "br", "hr", "img", "input", "link"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.text = ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found["href"] or ""] if "href" in found else []
        self.sources += [found["src"] or ""] if "src" in found else []
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("way", WAYS)
def test_the_page_is_whole_and_needs_nothing_else(folders: dict[str, Path], way: str) -> None:
    content = (folders[way] / REPORT).read_bytes()
    assert len(content) < LARGEST
    page = Page(content.decode())
    assert len(set(page.ids)) == len(page.ids)
    assert all(link.startswith("#") for link in page.links)
    assert not page.sources
    assert {link[1:] for link in page.links if link != "#"} <= set(page.ids)


def test_evidence_is_a_click_away(folders: dict[str, Path]) -> None:
    page = Page((folders["complete"] / REPORT).read_text())
    entries = {link for link in page.links if re.fullmatch(r"#q\d+", link)}
    assert len(entries) > 5
    assert "was refused" in page.text


def test_long_journals_do_not_make_long_pages(make) -> None:
    from .conftest import domain_text

    folder = make(domain_text("rovers"))
    assert (folder / "journal.jsonl").stat().st_size > 3 * LARGEST
    assert (folder / REPORT).stat().st_size < LARGEST


def test_what_an_agent_wrote_is_text(folders: dict[str, Path]) -> None:
    for way in ("failed", "nowhere"):
        text = (folders[way] / REPORT).read_text()
        assert "<script>alert" not in text
        assert "<b>hall" not in text
        assert "Content-Security-Policy" in text
    assert prose("`<i>`<b>") == "<code>&lt;i&gt;</code>&lt;b&gt;"


def test_entries_in_quotes_are_no_links() -> None:
    assert str(prose("see #3 and `#4`, not #5", frozenset({3, 4}))) == (
        'see <a href="#q3" class="question">#3</a> and <code>#4</code>, not #5'
    )


def test_the_page_can_be_made_again(folders: dict[str, Path]) -> None:
    folder = folders["complete"]
    before = (folder / REPORT).read_bytes()
    (folder / REPORT).unlink()
    result = CliRunner().invoke(app, ["report", str(folder), "--json"])
    assert json.loads(result.stdout) == {"report": str(folder / REPORT)}
    assert (folder / REPORT).read_bytes() == before


def test_report_data_that_cannot_be_read_is_told(folders: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no report yet"):
        read_content(tmp_path)
    for damaged in (b"{", b"[]", b'{"title":"x","sections":[],"version":99}'):
        (tmp_path / CONTENT).write_bytes(damaged)
        with pytest.raises(InputError):
            refresh_report(tmp_path)
