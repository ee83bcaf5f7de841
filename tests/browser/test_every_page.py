"""Addresses open their pages by themselves, and a picture holds its own names on every window."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.walks import at_first_sight
from tests.servers.browsing import LAPTOP, PHONE, settled
from tests.servers.server import Server

DRAWN_TO_FIT = """() => {
    const chart = document.querySelector('[data-testid="stPlotlyChart"]');
    return Math.abs(chart.querySelector('.main-svg').getBoundingClientRect().width - chart.clientWidth) < 2;
}"""
NAMES_INSIDE = """() => {
    const chart = document.querySelector('[data-testid="stPlotlyChart"]').getBoundingClientRect();
    return [...document.querySelectorAll('.legendtext')].every(name => {
        const box = name.getBoundingClientRect();
        return box.height > 0 && box.top >= chart.top && box.bottom <= chart.bottom;
    });
}"""


def test_an_address_opens_its_page_in_a_menu_or_not(server: Server, browser_page: Page) -> None:
    """What the menu leads to, and at which address, is seen by a walk (test_canaries)."""
    for name, title in (("glossary", "sentence each"), ("answers", "released"), ("projector", "projector")):
        browser_page.goto(server.address(name))
        settled(browser_page)
        expect(browser_page.get_by_role("heading", level=1)).to_contain_text(title)
        assert [*at_first_sight(browser_page)] == []


def test_the_budget_names_its_lines_inside_the_picture(emptied_server: Server, browser_page: Page) -> None:
    page = browser_page
    page.goto(emptied_server.address("budget"))
    settled(page)
    page.locator(".st-key-share_0_box input").fill("0.2")
    page.locator(".st-key-share_0_box input").press("Enter")
    expect(page.locator(".live-burn .detail b").first).to_have_text(
        "All 3 questions fit: they would spend ε 0.4 of ε 3."
    )
    settled(page).get_by_text("Other ways, too").click()
    expect(page.locator(".legendtext").first).to_be_visible()
    for width, height in (LAPTOP, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(DRAWN_TO_FIT)
        assert page.evaluate(NAMES_INSIDE)
