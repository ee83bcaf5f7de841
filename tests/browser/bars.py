"""A bar at the foot of a page: low, at the very foot, and no wider than the window."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from playwright.sync_api import Page

from tests.servers.browsing import settled, sideways_scroll


def is_low_and_at_the_foot(page: Page, viewport: tuple[int, int], highest: Mapping[tuple[int, int], float]) -> None:
    """In this window; `highest` in pixels for each."""
    width, height = viewport
    page.set_viewport_size({"width": width, "height": height})
    settled(page)
    box = page.get_by_test_id("stBottom").bounding_box()
    assert box is not None
    assert box["height"] <= highest[viewport]
    assert box["y"] + box["height"] == pytest.approx(height, abs=1)
    assert sideways_scroll(page) == 0
