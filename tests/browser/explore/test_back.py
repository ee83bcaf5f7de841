"""The browser's Back: at the first press it leads to the page before, whatever was turned and kept in between."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.explore.test_main_path import go, typed
from tests.servers.browsing import settled
from tests.servers.server import Server


def test_one_press_leads_to_the_page_before(server: Server, browser_page: Page) -> None:
    """The last press leaves the app, and the way forward opens it anew, as a reload would."""
    page = browser_page
    for path in ("definition", "tradeoff"):
        page.goto(server.address(path))
        settled(page)
    for name in ("Budget", "Questions", "Trade-off"):
        go(page, name)
    typed(page, "epsilon, typed", "2")
    page.get_by_role("button", name="Keep this epsilon in the plan").click()
    settled(page)
    expect(page).to_have_url(re.compile("plan="))
    kept = page.url.partition("?")[2]
    go(page, "Release")
    for path in ("tradeoff", "queries", "budget", "tradeoff"):
        page.go_back()
        settled(page)
        assert page.url == f"{server.address(path)}?{kept}"
    page.go_back()
    expect(page).to_have_url(server.address("definition"))
    page.go_forward()
    expect(settled(page).get_by_label("epsilon, typed", exact=True)).to_have_value("2")
