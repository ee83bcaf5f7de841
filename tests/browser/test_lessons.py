"""A lesson in a browser: its question by keyboard, and clicks that come too soon (test_canaries sees every step)."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.servers.browsing import settled
from tests.servers.server import Server


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
    const known = Object.values(titles).includes(title);
    return lit === shown && (step === null ? title === titles[lit] : lit === step && !known);
}"""
CLICK = "selector => { window.left = document.querySelector('h1').innerText; document.querySelector(selector).click() }"
GONE = "document.querySelector('h1').innerText !== window.left"
MOMENTS = (
    "() => true",
    f"() => awaited.size > 0 || {GONE}",
    f"() => document.querySelector('.stApp').dataset.testScriptState === 'running' || {GONE}",
    f"() => {GONE}",
)
"""At once, once the server is asked, once it is at work, and once its first words are there."""


def test_quick_clicks_end_on_the_step_that_is_lit(server: Server, browser_page: Page) -> None:
    """A click on the menu while the way on is still at work: highlight, way back and title come to belong together."""
    page = browser_page
    page.goto(server.address("definition"))
    menu = settled(page).locator(".st-key-definition_step button")
    titles: dict[str, str] = {}
    for step in (7, 4, 0):
        menu.nth(step).click()
        page.wait_for_function(STEPS_AGREE, arg=[titles, step])
        titles[str(step)] = page.get_by_role("heading", level=1).inner_text()
    for moment, (way, step) in zip(MOMENTS, 2 * (("next", 7), ("back", 4)), strict=True):
        page.evaluate(CLICK, f".st-key-definition_{way} button")
        page.wait_for_function(moment)
        menu.nth(step).click()
        settled(page)
        page.wait_for_function(STEPS_AGREE, arg=[titles, None])
