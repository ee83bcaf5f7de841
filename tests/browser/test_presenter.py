"""The presenter's path in Chromium: a remote's keys go on and back, a reload, a bar that is low and easy to read."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from pages.tour.presenting import STOPS
from tests.browser.accessibility import hard_to_read, violations
from tests.browser.bars import is_low_and_at_the_foot
from tests.servers.browsing import LAPTOP, PHONE, settled
from tests.servers.server import Server

HIGHEST = {LAPTOP: 95.0, PHONE: 160.0}
LAST = len(STOPS)


def arrived(page: Page, number: int) -> None:
    """Wait for a stop on its own page."""
    expect(page.locator(".on-show")).to_contain_text(f"{number} of {LAST} · {STOPS[number - 1].name}.")
    expect(page.locator(".on-show")).to_contain_text(STOPS[number - 1].say)
    settled(page)
    expect(page.locator("html[data-remote]")).to_have_count(1)


def test_a_remote_walks_the_path_and_back_through_a_reload(emptied_server: Server, browser_page: Page) -> None:
    page = browser_page
    page.goto(emptied_server.address(""))
    settled(page)
    page.get_by_role("button", name="Ten minutes for a minister").click()
    for number in range(1, LAST + 1):
        arrived(page, number)
        expect(page).to_have_url(re.compile(f"show={number}"))
        expect(page.get_by_test_id("stException")).to_have_count(0)
        if number == 4:
            page.reload()
            arrived(page, number)
        if number in (1, LAST):
            assert violations(page) == []
            assert hard_to_read(page) == []
            is_low_and_at_the_foot(page, PHONE, HIGHEST)
            is_low_and_at_the_foot(page, LAPTOP, HIGHEST)
        if number < LAST:
            page.keyboard.press("PageDown" if number % 2 else "ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    page.keyboard.press("PageUp")
    arrived(page, LAST - 1)
    page.keyboard.press("ArrowLeft")
    arrived(page, LAST - 2)
    page.locator(".st-key-tour_leave button").click()
    expect(page.locator(".on-show")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("show="))


def test_keys_move_what_has_the_focus_and_not_the_path(server: Server, browser_page: Page) -> None:
    page = browser_page
    page.goto(server.address("definition") + "?show=3")
    arrived(page, 3)
    runners = page.get_by_role("slider", name="Runners in the study")
    runners.press("ArrowRight")
    expect(page.get_by_text("Asking only 2,000 runners")).to_be_visible()
    page.get_by_test_id("stButtonGroup").get_by_role("radio").first.focus()
    page.keyboard.press("PageDown")
    settled(page)
    arrived(page, 3)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    arrived(page, 4)
    dial = page.get_by_role("slider", name="epsilon", exact=True)
    dial.press("ArrowRight")
    page.get_by_role("textbox").first.press("ArrowLeft")
    settled(page)
    arrived(page, 4)
