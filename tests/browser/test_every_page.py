"""Every page by its own address: it opens, fits a phone, asks nobody else, and shows no raw error."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browsing import PHONE, RequestLog, settled, sideways_scroll
from tests.server import ROOT, Server

PAGES = sorted(
    path.stem for path in (ROOT / "pages").glob("*/*.py") if path.parent.name != "ui" and path.stem != "__init__"
)


def test_all_pages_are_known() -> None:
    assert {"welcome", "data", "queries", "tradeoff", "budget", "release"} <= set(PAGES)


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_deep_link_opens_on_a_phone(
    server: Server,
    open_context: Callable[..., BrowserContext],
    request_log: RequestLog,
    name: str,
    color_scheme: str,
) -> None:
    page = open_context(viewport=PHONE, color_scheme=color_scheme).new_page()
    page.goto(server.address("" if name == "welcome" else name))
    settled(page)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    assert "plan=" in page.url
    assert sideways_scroll(page) == 0
    assert not request_log.foreign_hosts
    assert "Traceback" not in server.log()
