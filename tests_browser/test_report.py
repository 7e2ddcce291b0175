"""report.html from disk, and the same report in the live page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .conftest import HOSTILE_FOLDER, Opener, fits_its_width, picture, run_url

Where = Callable[[str], str]


@pytest.fixture(params=["from disk", "served"])
def where(request: pytest.FixtureRequest, shelf: Path, base: str) -> Where:
    """The address of a folder's report."""
    if request.param == "served":
        return lambda name: run_url(base, name)
    return lambda name: (shelf / name / "report.html").as_uri()


def test_a_click_on_a_literal_shows_its_evidence(visit: Opener, where: Where) -> None:
    page = visit(where("delivery"))
    literal = page.locator(".literal", has_text="P is at L").first
    panel = page.locator(f"[id='{literal.get_attribute('aria-controls')}']")
    expect(panel).to_be_hidden()
    literal.click()
    expect(panel).to_be_visible()
    expect(literal).to_have_attribute("aria-expanded", "true")
    expect(panel).to_contain_text("The agent refused")
    expect(panel.get_by_role("link").first).to_be_visible()
    literal.click()
    expect(panel).to_be_hidden()


def test_the_keyboard_does_it_too(visit: Opener, where: Where) -> None:
    page = visit(where("delivery"))
    literal = page.locator(".literal").first
    panel = page.locator(f"[id='{literal.get_attribute('aria-controls')}']")
    literal.focus()
    page.keyboard.press("Space")
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_search_in_the_journal(visit: Opener, where: Where) -> None:
    page = visit(where("delivery"))
    rows = page.locator("#journal-table tbody")
    expect(rows).to_have_count(7)
    page.locator("#journal-search").fill("unload refused")
    expect(page.locator("#journal-count")).not_to_have_text("7 questions")
    shown = [row for row in rows.all() if row.is_visible()]
    assert 0 < len(shown) < 7
    assert all("unload" in (row.text_content() or "").lower() for row in shown)
    page.locator("#journal-search").fill("nothing of the kind")
    expect(page.locator("#journal-count")).to_have_text("0 of 7 questions")
    page.locator("#journal-search").fill("")
    assert all(row.is_visible() for row in rows.all())


@pytest.mark.parametrize("name", ["delivery", "stopped", HOSTILE_FOLDER])
def test_readable_on_a_phone(visit: Opener, where: Where, name: str) -> None:
    page = visit(where(name), width=390, height=844)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for literal in page.locator(".literal").all():
        literal.click()
    for summary in page.locator("details > summary").all():
        if summary.is_visible():
            summary.click()
    assert fits_its_width(page)


def test_markup_in_names_is_text(visit: Opener, where: Where) -> None:
    page = visit(where(HOSTILE_FOLDER))
    expect(page.get_by_role("heading", level=1)).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("img").count() == 0
    assert page.evaluate("document.querySelectorAll('[onerror]').length") == 0
    expect(page.locator("body")).to_contain_text("broken <img src=x onerror=alert(1)>")


def test_what_is_open_is_said(visit: Opener, where: Where) -> None:
    page = visit(where("stopped"))
    expect(page.locator("body")).to_contain_text("Not complete")


def opened(page: Page) -> Page:
    page.locator(".literal").first.click()
    return page


def test_pictures_of_the_report(visit: Opener, shelf: Path) -> None:
    address = (shelf / "delivery" / "report.html").as_uri()
    picture(opened(visit(address)), "report-desktop")
    picture(opened(visit(address, dark=True)), "report-dark")
    picture(opened(visit(address, width=390, height=844)), "report-phone")
