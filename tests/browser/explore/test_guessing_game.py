"""The guessing game in a browser: one round is one click, in sight on a laptop, told to screen readers, by keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.servers.browsing import LAPTOP, settled
from tests.servers.server import Server

BUTTONS = (".st-key-guessing_noisy_in button", ".st-key-guessing_noisy_out button")


def test_a_round_is_one_click_and_nothing_moves(server: Server, browser_page: Page) -> None:
    page = browser_page
    page.goto(server.address("guessing"))
    settled(page).locator(".st-key-guessing_step button").nth(2).click()
    settled(page)
    told = page.get_by_role("status").filter(has_text="Pablo")
    expect(told).to_contain_text("Click your guess")
    places = [page.locator(button).bounding_box() for button in BUTTONS]
    assert all(place and place["y"] + place["height"] <= LAPTOP[1] for place in places)
    for number, button in enumerate((*BUTTONS, *BUTTONS), start=1):
        page.locator(button).click()
        expect(page.get_by_text(f"Round {number + 1}: published")).to_be_visible()
        expect(told).to_have_text(re.compile("^(✓ Right|✗ Wrong): Pablo was"))
        expect(page.get_by_text(f"of {number}", exact=False).first).to_be_visible()
    assert [page.locator(button).bounding_box() for button in BUTTONS] == places
    page.locator(BUTTONS[0]).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Round 6: published")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
