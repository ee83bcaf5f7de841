"""What is chosen can be read, and what can be chosen can be seen, on light and on dark pages."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from tests.servers.browsing import settled, turned
from tests.servers.server import Server

READABLE, VISIBLE = 4.5, 3.0

_CONTRAST = """(element, [property, behind]) => {
    const parts = color => color.match(/[\\d.]+/g).map(Number);
    const over = ([r, g, b, a = 1], below) => [r, g, b].map((value, place) => a * value + (1 - a) * below[place]);
    const layers = [];
    for (let here = element.closest(behind); here; here = here.parentElement)
        layers.push(parts(getComputedStyle(here).backgroundColor));
    const ground = layers.reduceRight((below, top) => over(top, below), [0, 0, 0]);
    const linear = value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const light = color => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => sum + w * linear(color[i] / 255), 0);
    const ink = light(over(parts(getComputedStyle(element)[property]), ground)), paper = light(ground);
    return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
}"""


def contrast(element: Locator, *, ink: str = "color", behind: str = "*") -> float:
    """Of the text, or of a ring, with what lies behind it: the nearest element around it of that kind, and further."""
    return float(element.evaluate(_CONTRAST, [ink, behind]))


def test_what_is_chosen_can_be_read_and_a_faint_text_is_seen_as_faint(server: Server, browser_page: Page) -> None:
    page = browser_page
    page.goto(server.address("composition"))
    chosen_can_be_read(settled(page))
    heading = page.get_by_role("heading", level=1)
    assert contrast(heading) >= READABLE
    heading.evaluate("element => element.style.color = '#b0b0b0'")
    assert 1.0 < contrast(heading) < VISIBLE
    chosen_can_be_read(turned(page, "dark"))


def chosen_can_be_read(page: Page) -> None:
    """What was moved and pressed on the first steps of a lesson, and on the last, where nothing is chosen yet."""
    steps = page.locator(".st-key-composition_step button")
    steps.first.click()
    moved = settled(page).locator('[data-testid="stSliderThumbValue"]').first
    assert contrast(moved, behind='[data-testid="stSlider"]') >= READABLE
    steps.nth(1).click()
    settled(page)
    for key in ("step", "noise"):
        assert contrast(page.locator(f".st-key-composition_{key} button[data-selected] p").first) >= READABLE
    steps.last.click()
    ring = settled(page).locator('[data-testid="stRadio"] label > div > div:first-child').first
    assert contrast(ring, ink="borderTopColor", behind="label") >= VISIBLE
