"""What a Chromium does with the dashboard: opened with a log of its requests, waited for, asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Request, WebSocket, expect
from playwright.sync_api import TimeoutError as NotInTime

from tests import chromium

OWN_HOSTS = frozenset({"127.0.0.1", "localhost"})
LAPTOP, PROJECTOR, PHONE = (1366, 768), (1920, 1080), (390, 844)
SETTLE_MILLISECONDS, TABLE_MILLISECONDS = 60_000, 3_000
RELEASE = re.compile("^(Release this answer|Ask again, and pay again)$")
"""What the one button that spends is called, before there is an answer and after."""


@dataclass
class RequestLog:
    """Every address that pages have asked for, blocked ones and websockets included."""

    addresses: list[str] = field(default_factory=list)

    @property
    def hosts(self) -> set[str]:
        """The hosts that were asked; data: and blob: addresses have none."""
        return {host for address in self.addresses if (host := urlsplit(address).hostname)}

    @property
    def foreign_hosts(self) -> set[str]:
        """The hosts that are not this machine: empty when nothing left it."""
        return self.hosts - OWN_HOSTS

    def watch(self, context: BrowserContext) -> None:
        """Write down what every page of this context asks for, from now on."""
        context.on("request", self._note_request)
        context.on("page", lambda page: page.on("websocket", self._note_websocket))

    def _note_request(self, request: Request) -> None:
        self.addresses.append(request.url)

    def _note_websocket(self, websocket: WebSocket) -> None:
        self.addresses.append(websocket.url)


def launched(playwright: Playwright, executable: str) -> Browser:
    """A headless Chromium that calls nobody by itself."""
    return playwright.chromium.launch(executable_path=executable, args=list(chromium.FLAGS))


def settled(page: Page) -> Page:
    """Wait until the script has ended, nothing on the page is stale, and every chart is drawn.

    A click reaches the script only after the page was painted again, so that is waited for first.
    """
    page.evaluate("() => new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(painted)))")
    page.wait_for_function(SETTLED, timeout=SETTLE_MILLISECONDS)
    return page


def followed(page: Page, title: str) -> Page:
    """Go to a page by its link in the menu, which keeps the session, and wait for it."""
    link = page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True)
    link.click()
    expect(link).to_have_attribute("aria-current", "page")
    return settled(page)


def stepped(page: Page, name: str) -> Iterator[Page]:
    """A lesson or an attack on each of its steps after the first, by the button that leads on."""
    steps = page.locator(f".st-key-{name}_step button")
    for place in range(1, steps.count()):
        page.locator(f".st-key-{name}_next button").click()
        expect(steps.nth(place)).to_have_attribute("aria-checked", "true")
        yield settled(page)


def sideways_scroll(page: Page) -> int:
    """By how many pixels the page is wider than its window; 0 is what a phone needs.

    A table takes the width of a window that has changed a moment after it, which is waited for.
    """
    with suppress(NotInTime):
        page.wait_for_function(f"() => ({_WIDER})() <= 0", timeout=TABLE_MILLISECONDS)
    return int(page.evaluate(_WIDER))


_WIDER = (
    "() => Math.max(...[document.documentElement, document.querySelector('[data-testid=\"stMain\"]')]"
    ".filter(Boolean).map(element => element.scrollWidth - element.clientWidth))"
)
SETTLED = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    const busy = '[data-testid="stStatusWidget"], [data-stale="true"], [data-testid="stSkeleton"]';
    const drawn = chart => chart.querySelector('.main-svg') !== null;
    return app !== null
        && app.dataset.testConnectionState === 'CONNECTED'
        && app.dataset.testScriptState === 'notRunning'
        && document.querySelector(busy) === null
        && document.querySelector('[data-testid="stMain"] [data-testid="stElementContainer"]') !== null
        && [...document.querySelectorAll('[data-testid="stPlotlyChart"]')].every(drawn);
}"""
