"""By keyboard alone: Tab reaches everything that can be used, shows where it is, and is caught nowhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.accessibility import STILL
from tests.browsing import settled
from tests.server import Server

WALK = """() => {
    const all = (selector, root = document) => [...root.querySelectorAll(selector)].flatMap(
        element => [element, ...(element.shadowRoot ? all(selector, element.shadowRoot) : [])]);
    const deepest = (root = document) => {
        const active = root.activeElement;
        return active && active.shadowRoot && active.shadowRoot.activeElement ? deepest(active.shadowRoot) : active;
    };
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
            this.last = here && here !== document.body ? {element: here, look: around(here), faint: faint(here)} : null;
            if (this.last) this.reached.add(stop(here));
            return this.last !== null;
        },
        missed() {
            return [...new Set(all(usable).filter(shown).map(stop))].filter(one => !this.reached.has(one)).map(name);
        },
        stops() { return new Set(all(usable).filter(shown).map(stop)).size },
    };
}"""
ROUNDS = 3
"""How often Tab may be pressed for each stop: some have more than one."""


def walked(page: Page) -> tuple[list[str], list[str]]:
    """What Tab does not reach on its way around the page, and what does not show that it has the focus."""
    page.add_style_tag(content=STILL)
    page.evaluate(WALK)
    for _ in range(ROUNDS * int(page.evaluate("() => walk.stops()"))):
        page.keyboard.press("Tab")
        if not page.evaluate("() => walk.step()"):
            break
    return page.evaluate("() => walk.missed()"), page.evaluate("() => walk.unseen")


@pytest.mark.parametrize("name", ["welcome", "tradeoff", "release", "queries", "budget", "linkage"])
def test_everything_is_reached_and_seen(server: Server, browser_page: Page, name: str) -> None:
    browser_page.goto(server.address(name))
    settled(browser_page)
    missed, unseen = walked(browser_page)
    assert missed == []
    assert unseen == []


@pytest.mark.parametrize(
    ("html", "missed", "unseen"),
    [
        ("<button tabindex='-1'>x</button>", 1, 0),
        ("<button style='outline: none'>x</button>", 0, 1),
        ("<button style='opacity: 0'>x</button>", 0, 1),
        ("<input aria-label='x' onkeydown='event.preventDefault()'><button>x</button>", 1, 0),
    ],
)
def test_what_is_out_of_reach_unseen_or_a_trap_is_found(
    server: Server, browser_page: Page, html: str, missed: int, unseen: int
) -> None:
    browser_page.goto(server.address("release"))
    settled(browser_page)
    plant = "html => document.querySelector('.stMainBlockContainer').insertAdjacentHTML('beforeend', html)"
    browser_page.evaluate(plant, html)
    assert [len(found) for found in walked(browser_page)] == [missed, unseen]
