"""Why, why not, what if and can it, by clicking alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Opener, fits_its_width, picture, run_url


@pytest.fixture(params=[(1280, 900), (390, 844)], ids=["desk", "phone"])
def page(request: pytest.FixtureRequest, visit: Opener, base: str) -> Page:
    width, height = request.param
    page = visit(run_url(base, "delivery"), width=width, height=height)
    page.get_by_role("tab", name="Try it").click()
    expect(page.locator("#try-true button").first).to_be_visible()
    return page


def fact(page: Page, atom: str) -> Locator:
    return page.locator(f"[data-atom='{atom}']")


def do(page: Page, step: str) -> None:
    page.locator(f"[data-step='{step}']").click()


def planned(page: Page) -> None:
    do(page, "load letter red depot")
    expect(page.get_by_role("button", name="Remove step 1")).to_be_visible()
    do(page, "drive red depot market")
    expect(page.locator("#try-plan li")).to_have_count(2)
    expect(page.get_by_role("button", name="After step 2")).to_have_attribute("aria-pressed", "true")


def test_why(page: Page) -> None:
    planned(page)
    expect(page.locator("#try-true")).to_contain_text("Letter is in red")
    fact(page, "in letter red").click()
    answer = page.locator("#try-answer")
    expect(answer).to_contain_text("letter is in red")
    expect(answer).to_contain_text("Step 1 (load letter into red at depot) is taken")
    expect(answer).to_be_in_viewport()
    assert fits_its_width(page)
    if page.evaluate("window.innerWidth") > 1000:
        page.locator("#try").scroll_into_view_if_needed()
        page.evaluate("document.querySelector('.tabs').scrollIntoView()")
        picture(page, "try-desktop")
    else:
        picture(page, "try-phone")


def test_why_not_and_the_plan_that_does_it(page: Page) -> None:
    planned(page)
    fact(page, "at letter market").click()
    expect(page.locator("#try-answer")).to_contain_text("unload letter from red at market")
    page.get_by_role("button", name="Use this plan").click()
    expect(page.locator("#try-plan li")).to_have_count(3)
    expect(page.locator("#try-true")).to_contain_text("Letter is at market")


def test_what_if(page: Page) -> None:
    planned(page)
    page.get_by_role("button", name="At the start").click()
    expect(page.locator("#try-true")).to_contain_text("Red is at depot")
    fact(page, "at red depot").click()
    page.get_by_role("button", name="What if it had not been so?").click()
    table = page.locator("#try-answer table")
    expect(table).to_contain_text("Load letter into red at depot: could not run")
    expect(table).to_contain_text("Drive red from depot to market: not reached")
    assert fits_its_width(page)


def test_ask(page: Page) -> None:
    fact(page, "at letter harbour").click()
    page.get_by_role("button", name="Can it come to be so?").click()
    answer = page.locator("#try-answer")
    expect(answer).to_contain_text("Yes, in 4 steps at best")
    expect(answer).to_contain_text("rests on settled facts")
    expect(answer.locator("ol.found li")).to_have_count(4)
    page.get_by_role("button", name="Use this plan").click()
    expect(page.locator("#try-true")).to_contain_text("Letter is at harbour")


def test_a_goal_of_several_facts(page: Page) -> None:
    fact(page, "in letter red").click()
    page.get_by_role("button", name="Add to the goal").click()
    fact(page, "at red market").click()
    expect(page.locator("#try-answer")).to_contain_text("Red is at market", ignore_case=True)
    page.get_by_role("button", name="Add to the goal").click()
    expect(page.locator("#try-goal li")).to_have_count(2)
    page.get_by_role("button", name="Can all of this be reached?").click()
    expect(page.locator("#try-answer")).to_contain_text("Yes, in 2 steps at best")


def test_a_goal_that_cannot_be(page: Page) -> None:
    fact(page, "road depot harbour").click()
    page.get_by_role("button", name="Can it come to be so?").click()
    expect(page.locator("#try-answer")).to_contain_text("No: it can never be")


def test_a_start_of_ones_own(page: Page) -> None:
    page.get_by_role("button", name="Change the start by clicking facts").click()
    fact(page, "at red depot").click()
    expect(page.locator("#try-false")).to_contain_text("Red is not at depot")
    fact(page, "at red harbour").click()
    expect(page.locator("#try-true")).to_contain_text("Red is at harbour")
    expect(page.get_by_label("Start from")).to_have_value("own")
    expect(page.locator("[data-step='load letter red depot']")).to_have_count(0)
    expect(page.locator("[data-step='drive red harbour depot']")).to_have_count(1)


def test_an_answer_that_comes_late_does_not_undo_a_later_click(page: Page) -> None:
    page.evaluate("""() => {
        const real = window.fetch;
        window.fetch = async (...call) => {
            window.fetch = real;
            const answer = await real(...call);
            await new Promise((done) => setTimeout(done, 500));
            document.body.dataset.late = 'yes';
            return answer;
        };
    }""")
    page.get_by_role("button", name="Change the start by clicking facts").click()
    fact(page, "at red depot").click()
    expect(page.locator("body[data-late]")).to_have_count(1)
    page.wait_for_timeout(100)
    expect(page.locator("#try-false")).to_contain_text("Red is not at depot")


def test_a_step_that_cannot_be_done(page: Page) -> None:
    page.get_by_label("Next step").select_option("unload")
    page.get_by_label("package P", exact=True).select_option("crate")
    page.get_by_label("truck T", exact=True).select_option("blue")
    page.get_by_label("location L", exact=True).select_option("harbour")
    page.get_by_role("button", name="Add this step").click()
    expect(page.locator("#try-plan")).to_contain_text("cannot be done here")
    page.get_by_role("button", name="Why not?").click()
    expect(page.locator("#try-answer")).to_contain_text("it needs that crate is in blue")
    page.get_by_role("button", name="Remove step 1").click()
    expect(page.locator("#try-plan")).to_contain_text("No steps yet")


def test_a_step_that_the_model_does_not_speak_of(page: Page) -> None:
    page.get_by_label("Next step").select_option("drive")
    page.get_by_role("button", name="Add this step").click()
    expect(page.locator("#try-answer")).to_contain_text("choose each object once")
    expect(page.locator("#try-plan")).to_contain_text("No steps yet")
    do(page, "load letter red depot")
    expect(page.get_by_role("button", name="Remove step 1")).to_be_visible()
    expect(page.locator("#try-true")).to_contain_text("Letter is in red")


def test_only_facts_about_chosen_objects(page: Page) -> None:
    page.locator("#try-objects").get_by_role("button", name="letter").click()
    expect(fact(page, "at red depot")).to_have_count(0)
    expect(fact(page, "at letter depot")).to_have_count(1)
    page.locator("#try-objects").get_by_role("button", name="letter").click()
    expect(fact(page, "at red depot")).to_have_count(1)


def test_another_situation(page: Page) -> None:
    start = page.get_by_label("Start from")
    expect(start.locator("option").first).to_contain_text("Situation 1")
    start.select_option("empty")
    expect(page.locator("#try-true button")).to_have_count(0)
    expect(page.locator("#try-possible")).to_contain_text("Nothing that is known")


def test_the_keyboard_changes_tabs(visit: Opener, base: str) -> None:
    page = visit(run_url(base, "delivery"))
    page.get_by_role("tab", name="Report").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Try it")).to_be_focused()
    expect(page.locator("#try")).to_be_visible()
    expect(page.locator("#report")).to_be_hidden()
    page.reload()
    expect(page.locator("#try")).to_be_visible()


def test_a_model_that_is_not_settled_says_so(visit: Opener, base: str) -> None:
    page = visit(run_url(base, "stopped") + "#try")
    fact(page, "at letter market").click()
    page.get_by_role("button", name="Can it come to be so?").click()
    expect(page.locator("#try-answer")).to_contain_text(re.compile("not settled|never seen|Not known"))
