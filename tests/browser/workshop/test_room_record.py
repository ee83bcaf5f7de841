"""A room's record in Chromium: fetches nothing, runs nothing, fits paper and phone whatever the names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from dpengine.reports import RoomRecord, room_record
from tests.browser.explore.test_label import LEAVING, PAPER, offline, printed_pages, written
from tests.examples.kept import HOSTILE
from tests.examples.rooms_kept import hostile, longest, record
from tests.servers.browsing import PHONE, RequestLog


@pytest.mark.parametrize(("of", "most"), [(record(), 3), (hostile(HOSTILE), 4), (longest(), 14)])
def test_a_record_prints_fits_and_does_nothing(
    tmp_path: Path, open_context: Callable[..., BrowserContext], request_log: RequestLog, of: RoomRecord, most: int
) -> None:
    page = offline(open_context)
    page.goto(written(tmp_path, room_record(of, names=True)))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert all(1 <= printed_pages(page, paper) <= most for paper in PAPER)
    for width, height in ((794, 1123), PHONE):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert page.evaluate("() => window.alive === undefined")
    assert page.evaluate("() => document.querySelectorAll('script, img, link, iframe').length") == 0
    assert page.evaluate("() => document.querySelectorAll('a').length") == 2
    assert not [address for address in request_log.addresses if address.startswith(LEAVING)]
