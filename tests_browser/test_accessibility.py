"""axe-core over every page, light and dark, with everything opened that can be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .conftest import HOSTILE_FOLDER, Opener, run_url


def findings(page: Page, axe: str) -> list[str]:
    """What axe-core calls serious or critical."""
    page.evaluate(axe)
    result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert result["passes"]
    return [
        f"{v['id']} ({v['impact']}): {v['help']}: {[n['html'][:200] for n in v['nodes'][:3]]}"
        for v in result["violations"]
        if v["impact"] in ("serious", "critical")
    ]


def opened(page: Page) -> Page:
    for literal in page.locator(".literal").all():
        literal.click()
    for summary in page.locator("details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()
    return page


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
class TestPages:
    def test_report_from_disk(self, visit: Opener, shelf: Path, axe: str, dark: bool) -> None:
        for name in ("delivery", "stopped", HOSTILE_FOLDER):
            page = opened(visit((shelf / name / "report.html").as_uri(), dark=dark))
            assert findings(page, axe) == []

    def test_page_of_a_folder(self, visit: Opener, base: str, axe: str, dark: bool) -> None:
        for name in ("delivery", "stopped"):
            page = visit(run_url(base, name), dark=dark)
            expect(page.locator("#standing-line")).to_contain_text("points decided")
            assert findings(opened(page), axe) == []

    def test_index(self, visit: Opener, base: str, axe: str, dark: bool) -> None:
        assert findings(visit(base, dark=dark), axe) == []

    def test_try_it(self, visit: Opener, base: str, axe: str, dark: bool) -> None:
        page = visit(run_url(base, "delivery") + "#try", dark=dark)
        page.locator("[data-step='load letter red depot']").click()
        page.locator("[data-atom='at letter market']").click()
        expect(page.locator("#try-answer")).to_contain_text("The plan in full")
        page.get_by_role("button", name="Add to the goal").click()
        assert findings(page, axe) == []

    @pytest.mark.parametrize("width", [390])
    def test_on_a_phone(
        self, visit: Opener, base: str, axe: str, dark: bool, width: int, shelf: Path
    ) -> None:
        addresses: list[Callable[[], str]] = [
            lambda: base,
            lambda: run_url(base, "delivery"),
            lambda: run_url(base, "delivery") + "#try",
            lambda: (shelf / "delivery" / "report.html").as_uri(),
        ]
        for address in addresses:
            page = visit(address(), width=width, height=844, dark=dark)
            page.wait_for_load_state("networkidle")
            assert findings(page, axe) == []
