"""Whom the noise hurts, and what to change where no epsilon meets both targets, on a phone and by axe-core's rules."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.accessibility import violations
from tests.servers.browsing import PHONE, picked, settled, sideways_scroll
from tests.servers.server import Server


@pytest.mark.slow
def test_the_look_and_the_changes_fit_a_phone_and_break_no_rule(
    server: Server, open_context: Callable[..., BrowserContext]
) -> None:
    page = open_context(viewport=PHONE).new_page()
    page.goto(server.address("tradeoff"))
    question = settled(page).locator(".st-key-tradeoff_question input").first
    picked(question, lambda options: options.filter(has_text="self_rated_health"))
    page.locator(".st-key-closer_look").get_by_text("Who pays", exact=True).click()
    expect(page.get_by_role("heading", name="In 1 of 4 groups the noise is larger than a tenth")).to_be_visible()
    for label, text in (("Accepted error, rows", "20"), ("Accepted belief, out of 100", "51")):
        box = settled(page).get_by_label(label)
        box.fill(text)
        box.press("Enter")
    expect(page.get_by_text("Any one of these is enough:")).to_be_visible()
    assert violations(settled(page)) == []
    assert sideways_scroll(page) == 0
    accept = page.get_by_role("button", name=re.compile(r"^Accept \d"))
    accepted = accept.inner_text().removeprefix("Accept ").replace(",", "")
    accept.click()
    expect(page.get_by_text("Any one of these is enough:")).to_have_count(0)
    expect(page.get_by_label("Accepted error, rows")).to_have_value(accepted)
