"""Each item of the course is opened in a browser: what its row says stands there (whose numbers are the engine's)."""

from __future__ import annotations

from itertools import groupby

import pytest
from playwright.sync_api import Page

from pages.lesson.lesson import SERIES
from tests.examples.course import CourseItem, course_items
from tests.servers.browsing import settled, stepped
from tests.servers.server import ROOT, Server

MAIN = '[data-testid="stMain"]'
PAGES = {
    page: list(items)
    for page, items in groupby(
        sorted(course_items(ROOT / "docs" / "course.md"), key=lambda one: one.page), key=lambda one: one.page
    )
}


@pytest.mark.parametrize("name", PAGES)
def test_what_a_row_says_stands_on_its_page(server: Server, browser_page: Page, name: str) -> None:
    browser_page.goto(server.address(name))
    texts = {"": _text(settled(browser_page))}
    if any(name in series for series in SERIES.values()):
        menu = browser_page.locator(f".st-key-{name}_step button").all_inner_texts()
        names = [words.partition("· ")[2] for words in menu]
        texts = dict(zip(names, (texts[""], *map(_text, stepped(browser_page, name))), strict=True))
    assert [one for one in PAGES[name] if not _is_said(one, texts)] == []


def _is_said(one: CourseItem, texts: dict[str, str]) -> bool:
    return one.said in texts[one.step]


def _text(page: Page) -> str:
    return " ".join(page.locator(MAIN).inner_text().split())
