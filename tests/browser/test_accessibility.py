"""The instruments of a walk (test_canaries): what would be in somebody's way, axe-core and the first sight notice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility import AXE, STOCK, hard_to_read, violations
from tests.browser.walks import MAIN, at_first_sight
from tests.servers.browsing import opened_context, settled
from tests.servers.server import Server

PLANTED = {
    "label": "<input type='text'>",
    "color-contrast": "<p style='color: #b0b0b0'>Hardly to be read</p>",
    "button-name": "<button></button>",
    "image-alt": "<img src='data:,'>",
    "list": "<ul><div>x</div></ul>",
    "listitem": "<li>x</li>",
    "presentation-role-conflict": "<section role='presentation' aria-label='x'>x</section>",
}
"""What breaks which rule."""


@pytest.mark.parametrize("within", ["html", MAIN])
def test_planted_faults_are_found(lesson: Page, within: str) -> None:
    """Also of rules that stock parts may break."""
    planted(lesson, f"<div>{''.join(PLANTED.values())}</div>")
    found = violations(lesson, within=within)
    removed(lesson)
    assert sorted(one.split(":")[0] for one in found) == sorted(PLANTED)


@pytest.fixture(scope="module")
def lesson(server: Server, browser: Browser) -> Iterator[Page]:
    """A long page without a fault."""
    page = opened_context(browser).new_page()
    page.goto(server.address("definition"))
    settled(page)
    assert violations(page) == []
    expect(page.locator("html")).to_have_attribute("lang", "en")
    yield page
    page.context.close()


SMALL_OR_CUT_OFF = {
    "Hardly to be read: 13 pixels": "<p style='font-size: 13px'>Hardly to be read</p>",
    "Shrunk: 8 pixels": "<svg><text y='20' font-size='16' transform='scale(.5)'>Shrunk</text></svg>",
    "Outside: cut off": "<div class='js-plotly-plot'><svg><text x='-9' y='20'>Outside</text></svg></div>",
}
AT_FIRST_SIGHT = {
    "exception: Boom": "<div data-testid='stException'>Boom</div>",
    "dialog: Page not found": "<div role='dialog'>Page not found</div>",
    "pixels wider than its window": "<div style='width: 1400px'>x</div>",
    "alive: <a href": "<a href='http://a.example'>x</a>",
    "alive: <img": "<img src='http://127.0.0.1:9/example.png' alt='x'>",
    "alive: <a xlink:href": "<svg><a xlink:href='http://a.example'>x</a></svg>",
    "alive: <span": "<span class='katex'><annotation>x^2</annotation></span>",
    "alive: a script has run": "<script>0</script>",
}
"""What is said of each, in the order in which it is said."""


def test_a_text_that_is_small_or_cut_off_is_found(lesson: Page) -> None:
    assert hard_to_read(lesson) == []
    planted(lesson, f"<div>{''.join(SMALL_OR_CUT_OFF.values())}</div>")
    found = hard_to_read(lesson)
    removed(lesson)
    assert found == [*SMALL_OR_CUT_OFF]


def test_what_is_wrong_at_first_sight_is_found(lesson: Page) -> None:
    planted(lesson, f"<div>{''.join(AT_FIRST_SIGHT.values())}</div>")
    lesson.evaluate("() => { window.alive = 1 }")
    found = [*at_first_sight(lesson)]
    removed(lesson)
    assert [said in one for said, one in zip(AT_FIRST_SIGHT, found, strict=True)] == [True] * len(AT_FIRST_SIGHT)
    assert lesson.evaluate("() => { window.alive = 0 }") is None
    assert [*at_first_sight(lesson)] == []


def planted(page: Page, html: str) -> None:
    """At the end of the page, below what the window shows."""
    page.evaluate("html => document.querySelector('.stMainBlockContainer').insertAdjacentHTML('beforeend', html)", html)


def removed(page: Page) -> None:
    page.evaluate("() => document.querySelector('.stMainBlockContainer').lastElementChild.remove()")


def test_the_copy_of_axe_is_the_one_that_was_published() -> None:
    said = (AXE.parent / "README.md").read_text(encoding="utf-8")
    assert f"`{hashlib.sha256(AXE.read_bytes()).hexdigest()}`" in said
    assert "| version | 4.14.1 |" in said
    assert AXE.read_text(encoding="utf-8").startswith("/*! axe v4.14.1\n")
    assert (AXE.parent / "LICENSE").is_file()
    assert set(STOCK) == {"list", "listitem", "presentation-role-conflict", "color-contrast"}
