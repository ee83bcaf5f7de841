"""A lesson in a browser: its question by keyboard, and clicks that come too soon (test_canaries sees every step)."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

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
    button = page.locator(".st-key-definition_check_button button")
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


def grabbed(page: Page, slider: Locator, at: float = 0.5) -> tuple[float, float]:
    """Press the mouse's button on a slider, at a share of its width; where that is."""
    box = slider.bounding_box()
    assert box is not None
    place = box["x"] + at * box["width"], box["y"] + box["height"] / 2
    page.mouse.move(*place)
    page.mouse.down()
    return place


def test_the_picture_moves_while_the_hand_does(server: Server, browser_page: Page) -> None:
    """The control is a slider of Streamlit's own: it is heard when the hand lets go."""
    page = browser_page
    page.goto(server.address("composition"))
    settled(page).locator(".st-key-composition_next button").click()
    title = settled(page).get_by_role("heading", level=1)
    dial, others = page.get_by_label("epsilon", exact=True), page.get_by_role("slider", name="Answers published")
    seen = [title.inner_text()]
    x, y = grabbed(page, dial, at=0.6)
    for further in (0, 60):
        page.mouse.move(x + further, y, steps=3)
        expect(title).not_to_have_text(seen[-1])
        seen.append(title.inner_text())
    page.mouse.up()
    said = settled(page).locator(".moving-dial output").inner_text()
    expect(page.get_by_role("spinbutton", name="ε of each")).to_have_value(said)
    before, count = title.inner_text(), others.get_attribute("aria-valuenow") or ""
    x, y = grabbed(page, others)
    page.mouse.move(x + 60, y, steps=3)
    expect(others).not_to_have_attribute("aria-valuenow", count)
    assert title.inner_text() == before
    page.mouse.up()
    expect(title).not_to_have_text(before)


def test_how_it_is_computed_is_folded_and_opens_by_keyboard_and_on_paper(server: Server, browser_page: Page) -> None:
    """Folded, nobody sees a formula; a keyboard unfolds it, with MathML for screen readers, and print shows it."""
    page = browser_page
    page.goto(server.address("definition"))
    formula = settled(page).locator(".stMain .katex").first
    expect(formula).to_be_hidden()
    page.emulate_media(media="print")
    expect(formula).to_be_visible()
    page.emulate_media(media="screen")
    expect(formula).to_be_hidden()
    page.locator("summary", has_text="How is this computed?").focus()
    page.keyboard.press("Enter")
    expect(formula).to_be_visible()
    assert page.locator(".stMain .katex math").count() == 1
