"""By keyboard alone: Tab reaches everything that can be used, shows where it is, and is caught nowhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.accessibility import STILL
from tests.servers.browsing import opened_context, settled
from tests.servers.menus import followed
from tests.servers.server import Server

WALK = """within => {
    const region = document.querySelector(within);
    const all = (selector, root = region) => [...root.querySelectorAll(selector)].flatMap(
        element => [element, ...(element.shadowRoot ? all(selector, element.shadowRoot) : [])]);
    const deepest = (root = document) => {
        const active = root.activeElement;
        return active && active.shadowRoot && active.shadowRoot.activeElement ? deepest(active.shadowRoot) : active;
    };
    const host = element => element.getRootNode() === document ? element : host(element.getRootNode().host);
    const usable = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]';
    const shown = element => element.checkVisibility({visibilityProperty: true}) && !element.disabled
        && !element.closest('[inert], [aria-hidden="true"], [data-testid="stFileUploaderDropzone"]')
        && !element.matches(':is([data-testid="stSelectbox"], [data-testid="stMultiSelect"]) button[tabindex="-1"]');
    const look = element => ['outline', 'boxShadow', 'borderColor', 'backgroundColor', 'textDecoration', 'strokeWidth']
        .map(name => getComputedStyle(element)[name]).join();
    const around = element => {
        const seen = [element, ...element.querySelectorAll('*')].slice(0, 12);
        for (let up = element, steps = 0; up && steps < 5; up = up.parentElement, steps++)
            seen.push(up, ...(steps < 2 && up.parentElement ? up.parentElement.children : []));
        return seen.map(look).join('|');
    };
    const faint = element => element.matches('button, a') && !element.checkVisibility({opacityProperty: true});
    // What a list opens with is its text field; that it has a button for the mouse as well needs no stop.
    // A group of radio buttons, and one of buttons of which one is chosen, is one stop; arrows go on inside.
    const stop = element => element.closest('[role="radiogroup"], [data-testid="stButtonGroup"]') ?? element;
    const name = element => `${element.tagName.toLowerCase()} ${element.ariaLabel ?? ''} ${
        (element.closest('[class*="st-key-"]')?.className.match(/st-key-\\S+/) ?? [''])[0]} ${
        element.outerHTML.slice(0, 120)}`;
    window.walk = {
        reached: new Set(), last: null, unseen: [],
        step() {
            const {last} = this, here = deepest();
            if (last && last.element !== here && (last.faint || last.look === around(last.element)))
                this.unseen.push(name(last.element));
            const stays = here && here !== document.body && region.contains(host(here));
            this.last = stays ? {element: here, look: around(here), faint: faint(here)} : null;
            if (this.last) this.reached.add(stop(here));
            return this.last !== null;
        },
        missed() {
            return [...new Set(all(usable).filter(shown).map(stop))].filter(one => !this.reached.has(one)).map(name);
        },
        stops() { return new Set(all(usable).filter(shown).map(stop)).size },
    };
    const start = document.createElement('span');
    start.tabIndex = -1;
    region.prepend(start);
    start.focus();
    start.remove();
}"""
"""Begins before the first stop of a part of the page, from which a first Tab then goes on."""
WHOLE, MAIN = "body", ".stMain"
ROUNDS = 3
"""How often Tab may be pressed for each stop: some have more than one."""


def walked(page: Page, within: str) -> tuple[list[str], list[str]]:
    """What Tab does not reach on its way around the page, and what does not show that it has the focus."""
    page.mouse.move(0, 0)
    page.evaluate(WALK, within)
    for _ in range(ROUNDS * int(page.evaluate("() => walk.stops()"))):
        page.keyboard.press("Tab")
        if not page.evaluate("() => walk.step()"):
            break
    return page.evaluate("() => walk.missed()"), page.evaluate("() => walk.unseen")


@pytest.fixture(scope="module")
def page(server: Server, browser: Browser) -> Iterator[Page]:
    """The first page of a curator, from which the menu leads to all others."""
    page = opened_context(browser).new_page()
    page.goto(server.address())
    page.add_style_tag(content=STILL)
    yield settled(page)
    page.context.close()


def test_everything_is_reached_and_seen_on_a_whole_page(page: Page) -> None:
    assert walked(followed(page, "Welcome"), WHOLE) == ([], [])


@pytest.mark.parametrize("title", ["Trade-off", "Questions", "Budget"])
def test_everything_is_reached_and_seen_beside_the_menu(page: Page, title: str) -> None:
    assert walked(followed(page, title), MAIN) == ([], [])


@pytest.mark.parametrize(
    ("html", "missed", "unseen"),
    [
        ("<button tabindex='-1'>x</button>", 1, 0),
        ("<button style='outline: none'>x</button>", 0, 1),
        ("<button style='opacity: 0'>x</button>", 0, 1),
        ("<input aria-label='x' class='trap'><button>x</button>", 1, 0),
    ],
)
def test_what_is_out_of_reach_unseen_or_a_trap_is_found(page: Page, html: str, missed: int, unseen: int) -> None:
    plant = """html => {
        document.querySelector('.stMainBlockContainer').insertAdjacentHTML('beforeend', html);
        const stop = event => event.preventDefault();
        document.querySelectorAll('.trap').forEach(one => one.addEventListener('keydown', stop));
    }"""
    followed(page, "Release").evaluate(plant, f"<div id='planted'>{html}</div>")
    found = walked(page, MAIN)
    page.evaluate("() => document.getElementById('planted').remove()")
    assert [len(one) for one in found] == [missed, unseen]
