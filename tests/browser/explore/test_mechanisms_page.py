"""The lesson on mechanisms on a phone: whoever moves the dial sees the picture move."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from tests.servers.browsing import PHONE, settled
from tests.servers.server import Server


@pytest.mark.slow
def test_dial_and_picture_fit_one_screen_of_a_phone(
    server: Server, open_context: Callable[..., BrowserContext]
) -> None:
    page = open_context(viewport=PHONE).new_page()
    page.goto(server.address("mechanisms"))
    settled(page)
    names = ("why", "far", "worst", "one", "pair", "counts", "many", "formula", "choice")
    for step, name in enumerate(names):
        page.locator(".st-key-mechanisms_step button").nth(step).click()
        dial = settled(page).locator(f".st-key-card_dial_mechanisms_{name}_epsilon").bounding_box()
        chart = page.get_by_test_id("stPlotlyChart").first.bounding_box()
        assert dial is not None
        assert chart is not None
        assert dial["y"] < chart["y"]
        assert chart["y"] + chart["height"] - dial["y"] <= PHONE[1]
