"""The index, a run that is going on, and what a browser is not allowed to do."""

from __future__ import annotations

import re
import subprocess

from playwright.sync_api import expect

from .conftest import HOSTILE_FOLDER, Opener, Watch, fits_its_width, picture, run_url


def test_the_index_leads_to_every_folder(visit: Opener, base: str) -> None:
    page = visit(base)
    expect(page.get_by_role("row")).to_have_count(4)
    expect(page.get_by_role("row", name="delivery delivery Complete")).to_contain_text("28 of 28")
    expect(page.get_by_role("link", name=HOSTILE_FOLDER)).to_be_visible()
    assert page.locator("main img").count() == 0
    picture(page, "index-desktop")
    page.get_by_role("link", name=HOSTILE_FOLDER).click()
    expect(page.locator(".bar .name")).to_have_text(HOSTILE_FOLDER)
    page.get_by_role("link", name="All results").click()
    page.get_by_role("link", name="delivery", exact=True).click()
    expect(page.locator("#standing-line")).to_have_text(
        "Complete: 7 questions asked, 28 of 28 points decided."
    )


def test_the_index_on_a_phone(visit: Opener, base: str) -> None:
    page = visit(base, width=390, height=844)
    expect(page.get_by_role("link", name="delivery", exact=True)).to_be_visible()
    assert fits_its_width(page)


def test_a_finished_run_is_not_asked_about_again(visit: Opener, base: str, watch: Watch) -> None:
    page = visit(run_url(base, "delivery"))
    expect(page.locator("body")).to_have_attribute("data-finished", "1")
    page.wait_for_timeout(2500)
    assert sum(url.endswith("/live") for url in watch.requests) == 1


def test_a_run_in_progress_updates_the_page(
    visit: Opener, slow_run: tuple[str, subprocess.Popen[bytes]], watch: Watch
) -> None:
    base, run = slow_run
    page = visit(base)
    link = page.get_by_role("link", name="going")
    expect(link).to_be_visible()  # the index was opened before the folder was there
    link.click()
    line = page.locator("#standing-line")
    expect(line).to_have_text(re.compile(r"Going on: [1-9]\d* questions? asked, \d+ of 28 points decided\."))
    expect(page.locator("#last")).to_contain_text("Suppose")
    expect(page.locator("#emerging li")).to_have_count(3)
    seen = {line.inner_text()}
    first = page.locator("#journal-table tbody").count()
    page.locator("#journal-search").fill("load")
    points = page.locator("details", has_text="that were looked into").first
    points.locator("summary").click()
    while run.poll() is None:
        seen.add(line.inner_text())
        if len(seen) == 4:
            page.evaluate("window.scrollTo(0, 0)")
            picture(page, "live-desktop")
        page.wait_for_timeout(100)
    assert run.returncode == 0
    assert len(seen) >= 4
    expect(line).to_have_text(re.compile(r"Complete: \d+ questions asked, 28 of 28 points decided\."))
    expect(page.locator("#standing-more")).to_be_hidden()
    expect(page.locator(".verdict")).to_have_text("Everything a question can settle is settled.")
    last = page.locator("#journal-table tbody").count()
    assert last > first
    # what was typed is still there and still at work on what came later
    expect(page.locator("#journal-search")).to_have_value("load")
    expect(page.locator("#journal-search")).to_be_visible()
    expect(points).to_have_attribute("open", "")
    expect(page.locator("#journal-count")).to_have_text(re.compile(rf"\d+ of {last} questions"))
    page.locator("#journal-search").fill("nothing of the kind")
    expect(page.locator("#journal-count")).to_have_text(f"0 of {last} questions")
    page.locator(".literal").first.click()
    expect(page.locator(".evidence:visible")).to_have_count(1)
    page.wait_for_timeout(500)
    asked = sum(url.endswith("/live") for url in watch.requests)
    page.wait_for_timeout(2500)
    assert sum(url.endswith("/live") for url in watch.requests) == asked


def test_the_policy_stops_scripts_and_requests(visit: Opener, base: str, watch: Watch) -> None:
    page = visit(run_url(base, "delivery"))
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
        }"""
    )
    reached = page.evaluate("fetch('http://127.0.0.1:9/').then(() => true, () => false)")
    assert page.evaluate("window.ran") is None
    assert reached is False
    assert len([text for text in watch.trouble if "Content Security Policy" in text]) >= 2
    watch.trouble.clear()


def test_pictures_of_the_page(visit: Opener, base: str) -> None:
    for name, options in {
        "page-desktop": {},
        "page-dark": {"dark": True},
        "page-phone": {"width": 390, "height": 844},
    }.items():
        page = visit(run_url(base, "delivery"), **options)
        expect(page.locator("#standing-line")).to_contain_text("Complete")
        picture(page, name)
