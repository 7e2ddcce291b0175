"""The page: well-formed, complete, self-contained, and deaf to what names try to do."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from assay.core.vocabulary import Vocabulary
from assay.report.findings import Findings, read_findings
from assay.report.html import report_html, script_text
from assay.report.html_journal import cut
from assay.report.markup import element, prose
from assay.report.paragraph import Mention
from assay.report.write import write_report

VOID = {"meta", "br", "hr", "input", "link"}
HOSTILE = "<img src=x onerror=alert(1)>\"'&</script><script>alert(2)</script>"


class Page(HTMLParser):
    """Checks that tags close in order, and collects what matters."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.stack and self.stack[-1] not in ("style", "script"):
            self.text += data

    def values(self, attribute: str) -> list[str]:
        return [attrs[attribute] or "" for _, attrs in self.tags if attribute in attrs]

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)


@pytest.fixture(scope="module")
def pages(folders: dict[str, Path]) -> dict[str, tuple[Findings, str]]:
    return {
        name: (read_findings(folder), write_report(folder).read_text()) for name, folder in folders.items()
    }


def plain(text: str) -> str:
    return text.replace("`", "")


def test_everything_is_there(pages: dict[str, tuple[Findings, str]]) -> None:
    for found, html in pages.values():
        page = Page(html)
        assert found.title in page.text
        assert found.headline in page.text
        for action in found.actions:
            assert action.name in page.text
            assert plain("".join(p.text if isinstance(p, Mention) else p for p in action.text)) in page.text
            for point in action.points:
                assert all(plain(w.shows) in page.text for w in point.witnesses[:6])
        for row in found.journal:
            assert plain(row.question) in page.text
            assert plain(row.answer) in page.text
            assert f"q{row.number}" in page.values("id")
        assert found.origin.command in page.text
        assert found.origin.journal_hash in page.text
        assert found.error in page.text


def test_ids_are_unique_and_references_lead_somewhere(pages: dict[str, tuple[Findings, str]]) -> None:
    for _, html in pages.values():
        page = Page(html)
        ids = page.values("id")
        assert len(ids) == len(set(ids))
        assert all(ref.startswith("#") and ref[1:] in ids for ref in page.values("href"))
        assert {ref for refs in page.values("aria-labelledby") for ref in refs.split()} <= set(ids)
        assert set(page.values("aria-controls")) <= set(ids)


def test_landmarks_and_headings(pages: dict[str, tuple[Findings, str]]) -> None:
    for _, html in pages.values():
        page = Page(html)
        for landmark in ("header", "main", "nav", "footer", "h1", "title"):
            assert page.count(landmark) >= 1
        assert page.count("main") == page.count("h1") == 1
        levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1
        assert all(b <= a + 1 for a, b in pairwise(levels))
        assert next(attrs for tag, attrs in page.tags if tag == "html")["lang"] == "en"


def test_literals_are_buttons(pages: dict[str, tuple[Findings, str]]) -> None:
    page = Page(pages["blocksworld"][1])
    literals = [attrs for tag, attrs in page.tags if tag == "a" and attrs.get("role") == "button"]
    assert len(literals) == 9 + 18
    panels = {attrs.get("id"): attrs for _, attrs in page.tags}
    for attrs in literals:
        assert attrs["aria-expanded"] == "false"
        assert "hidden" in panels[attrs["aria-controls"]]


def test_nothing_comes_from_outside(pages: dict[str, tuple[Findings, str]]) -> None:
    for _, html in pages.values():
        page = Page(html)
        assert not page.values("src")
        assert page.count("link") == page.count("iframe") == 0
        assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org/2000/svg)", html)


def test_only_its_own_script_may_run(pages: dict[str, tuple[Findings, str]]) -> None:
    digest = base64.b64encode(hashlib.sha256(script_text().encode()).digest()).decode()
    for _, html in pages.values():
        page = Page(html)
        policy = next(attrs["content"] for _, attrs in page.tags if "http-equiv" in attrs) or ""
        assert f"script-src 'sha256-{digest}'" in policy
        assert "default-src 'none'" in policy
        assert page.count("script") == 1
        assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]


def test_hostile_names_stay_text(folders: dict[str, Path]) -> None:
    """Names are checked where they come in; the page does not rely on it."""
    found = read_findings(folders["blocksworld"])
    action = found.actions[0]
    point = replace(action.points[0], key="h", atom=HOSTILE, fact=HOSTILE, says=HOSTILE)
    hostile = replace(
        action,
        name=HOSTILE,
        task=HOSTILE,
        text=(HOSTILE, Mention(HOSTILE, "h", "precondition")),
        points=(point,),
        doubts=(HOSTILE,),
    )
    row = replace(found.journal[0], question=HOSTILE, answer=HOSTILE, settled=(HOSTILE,), facts=(HOSTILE,))
    origin = replace(found.origin, command=HOSTILE, agent=HOSTILE, citation=HOSTILE)
    html = report_html(
        replace(
            found,
            title=HOSTILE,
            error=HOSTILE,
            legend=HOSTILE,
            never_ran=(HOSTILE,),
            model=HOSTILE,
            actions=(hostile,),
            journal=(row, *found.journal[1:]),
            origin=origin,
        )
    )
    page = Page(html)
    assert page.count("script") == 1
    assert page.count("img") == 0
    assert page.text.count(HOSTILE) > 12
    assert "<img" not in html


def test_hostile_words_of_a_real_agent(pages: dict[str, tuple[Findings, str]]) -> None:
    found, html = pages["failed"]
    assert "<script>alert" in found.error
    assert "<script>alert" not in html


def test_a_vocabulary_may_have_any_title(make, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    from assay.agents.model import ModelAgent
    from assay.core.model import ActionModel, Model

    vocabulary = Vocabulary.of(predicates={"lit": []}, actions={"light": []}, name=HOSTILE)
    nothing = frozenset[object]()
    model = Model(vocabulary, (ActionModel.strips(vocabulary.action["light"], nothing, nothing),))  # type: ignore[arg-type]
    page = Page(write_report(make(ModelAgent(model), spec=f"python:{HOSTILE}")).read_text())
    assert HOSTILE in page.text
    assert page.count("script") == 1


def test_size_stays_reasonable(pages: dict[str, tuple[Findings, str]]) -> None:
    assert len(pages["blocksworld"][1]) < 200_000
    found, _ = pages["budget"]
    rows = tuple(replace(found.journal[i % 6], number=i + 1) for i in range(500))
    long = report_html(replace(found, journal=rows, curve=tuple(range(501))))
    assert len(long) < 6_000_000


def test_networks_are_put_in_as_they_are(folders: dict[str, Path]) -> None:
    found = read_findings(folders["blocksworld"])
    html = report_html(found, {"stack": "<svg><title>network</title></svg>"})
    assert html.count("<svg><title>network</title></svg>") == 1


def test_small_markup() -> None:
    assert element("p", "a < b", element("b", "c"), class_="x", hidden=True, title=None) == (
        '<p class="x" hidden>a &lt; b<b>c</b></p>'
    )
    assert prose("see `on` <now>") == "see <code>on</code> &lt;now&gt;"
    assert prose("one ` alone") == "one ` alone"
    assert cut("word " * 100).endswith("word …")
    assert cut("`" + "long name " * 40 + "`").count("`") % 2 == 0
