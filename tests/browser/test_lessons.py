"""Lessons and attacks in a browser: steps by click and by keyboard; each new step begins at its top, on a phone too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from pages.ui.lessons.lesson import SERIES
from tests.accessibility import hard_to_read, violations
from tests.browsing import LAPTOP, PHONE, RequestLog, settled, sideways_scroll, stepped
from tests.server import Server

NAMES = sorted(name for series in SERIES.values() for name in series)
PICTURES = '[data-testid="stPlotlyChart"], [data-testid="stDataFrame"], [data-testid="stTable"], .stMain table'
"""An attack may begin with a table: that is what was published."""


@pytest.mark.parametrize("name", NAMES)
def test_every_step_fits_a_phone_and_begins_at_its_top(
    server: Server, open_context: Callable[..., BrowserContext], request_log: RequestLog, name: str
) -> None:
    page = open_context(viewport=PHONE).new_page()
    page.goto(server.address(name))
    settled(page)
    for _ in stepped(page, name):
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert sideways_scroll(page) == 0
        page.wait_for_function("() => document.querySelector('[data-testid=\"stMain\"]').scrollTop === 0")
        assert violations(page) + hard_to_read(page) == []
    expect(page.get_by_role("heading", level=1)).to_have_text("One question to check yourself")
    assert not request_log.foreign_hosts


@pytest.mark.parametrize("name", NAMES)
def test_the_first_screen_of_a_laptop_holds_picture_and_finding(
    server: Server, open_context: Callable[..., BrowserContext], name: str
) -> None:
    page = open_context(viewport=LAPTOP).new_page()
    page.goto(server.address(name))
    settled(page)
    picture = page.locator(PICTURES).first.bounding_box()
    assert picture is not None
    assert picture["y"] + picture["height"] <= LAPTOP[1]


def test_a_question_is_answered_from_the_keyboard(server: Server, browser_page: Page) -> None:
    page = browser_page
    page.goto(server.address("definition"))
    settled(page)
    menu = page.locator(".st-key-definition_step button")
    menu.last.focus()
    page.keyboard.press("Enter")
    settled(page)
    page.locator(".st-key-definition_check input").first.focus()
    page.keyboard.press("Space")
    settled(page)
    button = page.get_by_role("button", name="Check my answer")
    expect(button).to_be_enabled()
    button.focus()
    page.keyboard.press("Enter")
    settled(page)
    expect(page.get_by_text("Not quite.")).to_be_visible()


STEPS_AGREE = """([titles, step]) => {
    const menu = [...document.querySelectorAll(".st-key-definition_step button")];
    const lit = menu.findIndex(button => button.getAttribute("aria-checked") === "true");
    const back = document.querySelector(".st-key-definition_back button");
    const shown = back ? parseInt(back.innerText.replace("← ", "")) : 0;
    const title = document.querySelector("h1").innerText;
    return lit === shown && (step === null ? title === titles[lit] : lit === step && !titles.includes(title));
}"""
CLICK = "selector => document.querySelector(selector)?.click()"
WAITS = (0, 60, 90, 120, 150)


def test_quick_clicks_end_on_the_step_that_is_lit(server: Server, browser_page: Page) -> None:
    """A click on the menu while the way on is still at work: highlight, way back and title come to belong together."""
    page = browser_page
    page.goto(server.address("definition"))
    menu = settled(page).locator(".st-key-definition_step button")
    titles: list[str] = []
    for step in range(menu.count()):
        menu.nth(step).click()
        page.wait_for_function(STEPS_AGREE, arg=[titles, step])
        titles.append(page.get_by_role("heading", level=1).inner_text())
    for wait in WAITS:
        for way, step in (("next", 7), ("back", 4), ("next", 2)):
            page.evaluate(CLICK, f".st-key-definition_{way} button")
            page.wait_for_timeout(wait)
            menu.nth(step).click()
            settled(page)
            page.wait_for_function(STEPS_AGREE, arg=[titles, None], timeout=15_000)
