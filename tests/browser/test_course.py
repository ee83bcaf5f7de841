"""Each item of the course is opened in a browser: what its row says stands there (whose numbers are the engine's)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import pytest
from playwright.sync_api import Page

from pages.lesson.lesson import SERIES
from tests.examples.course import course_items, plan_of
from tests.servers.browsing import settled, stepped
from tests.servers.server import ROOT, Server

MAIN = '[data-testid="stMain"]'
PAGES = {
    page: list(items)
    for page, items in groupby(
        sorted(course_items(ROOT / "docs" / "course.md"), key=lambda one: one.page), key=lambda one: one.page
    )
}


SAID = """([main, said]) => {
    const shown = document.querySelector(main);
    return [shown.innerText, shown.textContent].some(text => text.replace(/\\s+/g, ' ').includes(said));
}"""
"""In the open, or behind the switch "How is this computed?". Some steps are computed for a moment: it is waited for."""


@pytest.mark.parametrize("name", PAGES)
def test_what_a_row_says_stands_on_its_page(server: Server, browser_page: Page, name: str) -> None:
    plan = plan_of(name)
    browser_page.goto(server.address(name.partition(" ")[0]) + (f"?plan={plan}" if plan else ""))
    settled(browser_page)
    found = []
    for step in _steps(browser_page, name):
        for one in (one for one in PAGES[name] if one.step == step):
            browser_page.wait_for_function(SAID, arg=[MAIN, one.said])
            found.append(one)
    assert len(found) == len(PAGES[name])


def _steps(page: Page, name: str) -> Iterator[str]:
    """The name of each step while it is open; of a page without steps, none."""
    if not any(name in series for series in SERIES.values()):
        yield ""
        return
    menu = page.locator(f".st-key-{name}_step button").all_inner_texts()
    first, *others = (words.partition("· ")[2] for words in menu)
    yield first
    for _, step in zip(stepped(page, name), others, strict=True):
        yield step
