"""Every page of every role, light and dark, has nothing of our own making in anybody's way, by axe-core's rules."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pages.ui import menu
from tests.accessibility import AXE, STOCK, hard_to_read, violations
from tests.browsing import RequestLog, followed, settled
from tests.screens import ROLES, spend_a_little
from tests.server import Server

TITLES = {
    "curator": [title for one in {**menu.CURATORS, **menu.FOR_ALL}.values() for title in one.values()],
    "analyst": [title for one in menu.FOR_ALL.values() for title in one.values()],
}


@pytest.fixture(scope="module", params=sorted(TITLES))
def visited(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Server]]:
    """A server that somebody of this role visits, with answers to look at."""
    environment = ROLES["analyst_" if request.param == "analyst" else ""]
    with Server(tmp_path_factory.mktemp(request.param), environment=environment) as running:
        spend_a_little(running)
        yield request.param, running


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_breaks_a_rule_or_is_hard_to_read(
    visited: tuple[str, Server], open_context: Callable[..., BrowserContext], request_log: RequestLog, scheme: str
) -> None:
    role, server = visited
    page = open_context(color_scheme=scheme).new_page()
    page.goto(server.url)
    settled(page)
    found = {title: violations(followed(page, title)) + hard_to_read(page) for title in TITLES[role]}
    assert {title: seen for title, seen in found.items() if seen} == {}
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(len(TITLES[role]))
    assert not request_log.foreign_hosts


@pytest.mark.parametrize(
    ("rule", "html"),
    [
        ("label", "<input type='text'>"),
        ("color-contrast", "<p style='color: #b0b0b0'>Hardly to be read</p>"),
        ("button-name", "<button></button>"),
        ("image-alt", "<img src='data:,'>"),
        *((rule, html) for rule, html in (("list", "<ul><div>x</div></ul>"), ("listitem", "<li>x</li>"))),
        ("presentation-role-conflict", "<section role='presentation' aria-label='x'>x</section>"),
    ],
)
def test_a_planted_fault_is_found(lesson: Page, rule: str, html: str) -> None:
    """Also of rules that stock parts may break."""
    planted(lesson, html)
    found = violations(lesson)
    removed(lesson)
    assert [one.split(":")[0] for one in found] == [rule]


@pytest.fixture(scope="module")
def lesson(server: Server, browser: Browser) -> Iterator[Page]:
    """A long page without a fault."""
    page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
    page.goto(server.address("definition"))
    settled(page)
    assert violations(page) == []
    yield page
    page.context.close()


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<p style='font-size: 13px'>Hardly to be read</p>", "Hardly to be read: 13 pixels"),
        ("<svg><text y='20' font-size='16' transform='scale(.5)'>Shrunk</text></svg>", "Shrunk: 8 pixels"),
        ("<div class='js-plotly-plot'><svg><text x='-9' y='20'>Outside</text></svg></div>", "Outside: cut off"),
    ],
)
def test_a_text_that_is_small_or_cut_off_is_found(lesson: Page, html: str, said: str) -> None:
    assert hard_to_read(lesson) == []
    planted(lesson, html)
    found = hard_to_read(lesson)
    removed(lesson)
    assert found == [said]


def planted(page: Page, html: str) -> None:
    """At the end of the page, far below what the window shows."""
    page.evaluate("html => document.querySelector('.stMainBlockContainer').insertAdjacentHTML('beforeend', html)", html)


def removed(page: Page) -> None:
    page.evaluate("() => document.querySelector('.stMainBlockContainer').lastElementChild.remove()")


def test_the_copy_of_axe_is_the_one_that_was_published() -> None:
    said = (AXE.parent / "README.md").read_text(encoding="utf-8")
    assert f"`{hashlib.sha256(AXE.read_bytes()).hexdigest()}`" in said
    assert "| version | 4.14.1 |" in said
    assert AXE.read_text(encoding="utf-8").startswith("/*! axe v4.14.1\n")
    assert (AXE.parent / "LICENSE").is_file()
    assert set(STOCK) == {"list", "listitem", "presentation-role-conflict"}
