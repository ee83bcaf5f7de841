"""The words of a page in a browser: one click away, in nobody's way, and on to the glossary within the same session."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from pages.phrasing.glossary import TERMS, WORDS
from tests.browser.accessibility import violations
from tests.servers.browsing import LAPTOP, PHONE, settled, sideways_scroll
from tests.servers.server import Server


def opened(page: Page) -> Page:
    """The list of words below a page, opened from the keyboard."""
    button = page.get_by_role("button", name="Glossary for this page")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
    return page


def test_words_open_by_keyboard_fit_and_lead_to_the_glossary_within_the_session(
    server: Server, browser_page: Page
) -> None:
    page = browser_page
    page.goto(server.address("truncation"))
    settled(page)
    for width, height in (PHONE, LAPTOP):
        page.set_viewport_size({"width": width, "height": height})
        body = settled(opened(page)).get_by_test_id("stPopoverBody")
        for name in WORDS["truncation"]:
            expect(body.get_by_text(TERMS[name].meaning)).to_be_attached()
        assert sideways_scroll(page) == 0
        assert violations(page) == []
        page.keyboard.press("Escape")
        expect(body).to_have_count(0)
    page.locator(".st-key-truncation_next button").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Cut at")
    settled(opened(page))
    page.get_by_role("link", name="The whole glossary").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{len(TERMS)} words, one sentence each")
    settled(page)
    page.get_by_label("Search").fill("cut off")
    page.get_by_label("Search").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("with “cut off”")
    settled(page)
    page.locator(".stMain").get_by_role("link", name="Truncation").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Cut at")
    assert len(page.context.pages) == 1
