"""One intent, one charge: rapid clicks, a reload in between, two tabs on one practice account."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browsing import settled
from tests.server import Server


def open_account(page: Page, server: Server) -> None:
    page.goto(server.address("release"))
    settled(page)
    page.get_by_role("button", name="Open the account").click()
    expect(page.get_by_role("button", name="Release this answer")).to_be_visible()
    settled(page)


def test_three_rapid_clicks_are_one_charge(fresh_server: Server, browser_page: Page) -> None:
    page = browser_page
    open_account(page, fresh_server)
    page.get_by_role("button", name="Release this answer").click(click_count=3, delay=5)
    expect(page.get_by_text("History: 1 answer released")).to_be_visible()
    settled(page)
    page.reload()
    expect(settled(page).get_by_text("History: 1 answer released")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("ε 2.9")


def test_a_second_intent_is_a_second_charge(fresh_server: Server, browser_page: Page) -> None:
    page = browser_page
    open_account(page, fresh_server)
    for count in ("1 answer", "2 answers"):
        page.get_by_role("button", name="Release this answer").click()
        expect(page.get_by_text(f"History: {count} released")).to_be_visible()
        settled(page)


def test_two_browsers_spend_one_budget(fresh_server: Server, open_context: Callable[..., BrowserContext]) -> None:
    first, second = open_context().new_page(), open_context().new_page()
    open_account(first, fresh_server)
    second.goto(fresh_server.address("release"))
    settled(second)
    for page in (first, second):
        page.get_by_role("button", name="Release this answer").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("The answer")
    second.reload()
    expect(settled(second).get_by_role("heading", level=1)).to_contain_text("ε 2.8")
