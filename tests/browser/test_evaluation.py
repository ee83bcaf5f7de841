"""The evaluation of a promise in Chromium: two printed pages whatever it says, nothing fetched, nothing run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpengine.promises import Promise
from dpengine.promises.recorded import RECORDED
from dpengine.reports import evaluation_html
from tests.browser.explore.test_brief import require_two_sheets
from tests.browser.explore.test_label import LEAVING, offline, printed_pages, taken
from tests.examples.kept import HOSTILE
from tests.examples.promised import DAILY, LONGEST, MANY_TIMES, PAGES, SHORT
from tests.servers.browsing import PHONE, RequestLog, settled, sideways_scroll
from tests.servers.server import Server

DAY = date(2026, 11, 29)
WIDEST_RECORD = max(RECORDED.values(), key=lambda one: len(set(one.pages.values())))
CASES = {
    "short": evaluation_html(SHORT, day=DAY),
    "daily": evaluation_html(DAILY, day=DAY),
    "longest": evaluation_html(LONGEST, day=DAY, pages=PAGES),
    "many times": evaluation_html(MANY_TIMES, day=DAY, pages=PAGES),
    "read": evaluation_html(WIDEST_RECORD.promise, day=DAY, pages=WIDEST_RECORD.pages),
}


def hostile() -> list[Promise]:
    return [replace(DAILY, name=text[:120], by=text[:120]) for text in HOSTILE]


@pytest.mark.parametrize("documents", [[text] for text in CASES.values()] + [[]], ids=[*CASES, "hostile"])
def test_an_evaluation_is_two_pages_fetches_nothing_and_runs_nothing(
    tmp_path: Path, open_context: Callable[..., BrowserContext], request_log: RequestLog, documents: list[str]
) -> None:
    texts = documents or [evaluation_html(of, day=DAY) for of in hostile()]
    require_two_sheets(offline(open_context), tmp_path, texts)
    assert not [address for address in request_log.addresses if address.startswith(LEAVING)]


def test_evaluation_and_file_are_taken_from_the_page(
    tmp_path: Path, server: Server, browser_page: Page, open_context: Callable[..., BrowserContext]
) -> None:
    page = browser_page
    page.goto(server.address(f"promise?promise={DAILY.to_link()}"))
    settled(page)
    page.get_by_role("radio", name="Take along").click()
    settled(page)
    alone = offline(open_context)
    alone.goto(taken(page, "promise_evaluation", tmp_path).as_uri())
    expect(alone.get_by_role("heading", level=1)).to_have_text("ε 1.5 a day may add up to 547.5 in a year")
    assert printed_pages(alone, "A4") == 2
    assert Promise.from_json(taken(page, "promise_save", tmp_path).read_text(encoding="utf-8")) == DAILY
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert sideways_scroll(page) == 0
