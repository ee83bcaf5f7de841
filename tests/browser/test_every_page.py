"""Every page by its own address: it opens, fits a phone, asks nobody else, and shows no raw error."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from pages.ui import menu
from tests.browsing import LAPTOP, PHONE, RequestLog, settled, sideways_scroll
from tests.server import ROOT, Server

PAGES = sorted(
    path.stem for path in (ROOT / "pages").glob("*/*.py") if path.parent.name != "ui" and path.stem != "__init__"
)


def test_all_pages_are_known() -> None:
    assert {"welcome", "data", "queries", "tradeoff", "budget", "release"} <= set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_deep_link_opens_on_a_phone(
    server: Server, open_context: Callable[..., BrowserContext], request_log: RequestLog, name: str
) -> None:
    """In one color scheme: both are looked at, page by page, where colors decide (test_accessibility)."""
    page = open_context(viewport=PHONE).new_page()
    page.goto(server.address(name))
    settled(page)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    assert ("plan=" in page.url) is (name not in menu.OF_A_ROOM)
    assert sideways_scroll(page) == 0
    assert not request_log.foreign_hosts
    assert "Traceback" not in server.log()


def test_an_emptied_dial_gets_a_sentence_and_keeps_its_pictures(server: Server, browser_page: Page) -> None:
    page = browser_page
    page.goto(server.address("tradeoff"))
    settled(page)
    box = page.get_by_label("epsilon, typed", exact=True)
    box.fill("")
    box.press("Enter")
    expect(page.get_by_text("Type a number, such as 0.5. The pictures still show 0.1.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("95 of 100 answers fall within ±30 people")


@pytest.mark.parametrize("viewport", [LAPTOP, PHONE])
def test_the_budget_names_its_lines_inside_the_picture(
    server: Server, open_context: Callable[..., BrowserContext], viewport: tuple[int, int]
) -> None:
    page = open_context(viewport=viewport).new_page()
    page.goto(server.address("budget"))
    settled(page)
    page.locator(".st-key-share_0_box input").fill("0.2")
    page.locator(".st-key-share_0_box input").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("All 3 questions fit: they spend ε 0.4 of ε 3")
    settled(page)
    names = page.locator(".legendtext")
    expect(names.first).to_be_visible()
    inside = page.evaluate(
        """() => {
            const chart = document.querySelector('[data-testid="stPlotlyChart"]').getBoundingClientRect();
            return [...document.querySelectorAll('.legendtext')].every(name => {
                const box = name.getBoundingClientRect();
                return box.height > 0 && box.top >= chart.top && box.bottom <= chart.bottom;
            });
        }"""
    )
    assert inside
