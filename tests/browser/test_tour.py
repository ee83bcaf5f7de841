"""The tour in Chromium: by keyboard, through a reload, its mark while the page goes on, its bar low and narrow."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, Page, expect

from pages.tour.steps import STEPS
from tests.browser.accessibility import violations
from tests.browser.bars import is_low_and_at_the_foot
from tests.servers.browsing import LAPTOP, PHONE, RequestLog, settled
from tests.servers.server import Server

HIGHEST = {LAPTOP: 56.0, PHONE: 135.0}
LONGEST = 1 + max(range(len(STEPS)), key=lambda place: len(STEPS[place].notice))
FOCUSED = "() => document.activeElement.closest('.st-key-tour_next') !== null"


def bar(page: Page) -> Locator:
    return page.locator(".tour-words")


def pressed(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button").press("Enter")


def arrived(page: Page, number: int) -> None:
    """Wait for a step on its own page."""
    step = STEPS[number - 1]
    expect(bar(page)).to_contain_text(f"{number} of {len(STEPS)} · {step.name}.")
    expect(bar(page)).to_contain_text(step.notice)
    settled(page)


def test_the_whole_tour_by_keyboard_with_a_reload_in_the_middle(
    server: Server,
    open_context: Callable[..., BrowserContext],
    request_log: RequestLog,
) -> None:
    page = open_context().new_page()
    page.goto(server.address("tour"))
    settled(page)
    pressed(page, "tour_start")
    for number in range(1, len(STEPS) + 1):
        arrived(page, number)
        if number == 4:
            page.reload()
            arrived(page, number)
        is_low_and_at_the_foot(page, PHONE, HIGHEST)
        if number == LONGEST:
            is_low_and_at_the_foot(page, LAPTOP, HIGHEST)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert number != 2 or violations(page) == []
        expect(page.get_by_role("img", name=f"Step {number} of {len(STEPS)}")).to_be_visible()
        if number < len(STEPS):
            page.locator(".st-key-tour_next button").focus() if number in (1, 4) else page.wait_for_function(FOCUSED)
            page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("One question to check yourself")
    pressed(page, "tour_leave")
    expect(bar(page)).to_have_count(0)
    expect(page).not_to_have_url(re.compile("tour="))
    assert not request_log.foreign_hosts


def test_a_moved_dial_has_its_mark_and_what_is_left_is_resumed_from_the_menu(
    server: Server, browser_page: Page
) -> None:
    page = browser_page
    page.goto(server.address("tradeoff") + "?tour=4")
    arrived(page, 4)
    expect(bar(page)).not_to_contain_text("Done")
    finding = page.get_by_role("heading", level=1)
    before = finding.inner_text()
    page.get_by_role("slider", name="epsilon", exact=True).press("ArrowRight")
    expect(bar(page)).to_contain_text("✓ Done.")
    expect(finding).not_to_have_text(before)
    pressed(page, "tour_leave")
    expect(bar(page)).to_have_count(0)
    page.get_by_test_id("stTopNavSection").filter(has_text="Start").click()
    page.get_by_role("menuitem", name="Resume the tour (4 of 8)").click()
    page.get_by_role("button", name="Resume the tour (step 4 of 8)").click()
    arrived(page, 4)
    expect(bar(page)).to_contain_text("✓ Done.")
