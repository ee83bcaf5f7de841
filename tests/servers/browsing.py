"""What a Chromium does with the dashboard: opened with a log of its requests, waited for, asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, Playwright, Request, WebSocket, expect
from playwright.sync_api import TimeoutError as NotInTime

from tests.servers import chromium
from tests.servers.server import HERE

LOOPBACK = "127.0.0.1"
OWN_HOSTS = frozenset({LOOPBACK, "localhost"})
LAPTOP, PROJECTOR, PHONE = (1366, 768), (1920, 1080), (390, 844)
SETTLE_MILLISECONDS, REDRAWN_MILLISECONDS = 60_000, 3_000
LOOK_MILLISECONDS = 50
"""How often a page is looked at while it is waited for; at every frame, a page that waits takes a tenth of a core."""
UNFOLDED_TIMES, UNFOLDED_MILLISECONDS = 10, 1_500
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
        context.on("page", self._watch_page)

    @contextmanager
    def watching(self, context: BrowserContext) -> Iterator[None]:
        """Do so for a while, where the context is there for others afterwards."""
        self.watch(context)
        opened_before = list(context.pages)
        for page in opened_before:
            self._watch_page(page)
        yield
        for page in opened_before:
            page.remove_listener("websocket", self._note_websocket)
        context.remove_listener("request", self._note_request)
        context.remove_listener("page", self._watch_page)

    def _note_request(self, request: Request) -> None:
        self.addresses.append(request.url)

    def _watch_page(self, page: Page) -> None:
        page.on("websocket", self._note_websocket)

    def _note_websocket(self, websocket: WebSocket) -> None:
        self.addresses.append(websocket.url)


def launched(playwright: Playwright, executable: str, *flags: str) -> Browser:
    """A headless Chromium that calls nobody by itself, with further flags of whoever launches it."""
    return playwright.chromium.launch(executable_path=executable, args=[*chromium.FLAGS, *flags])


def opened_context(
    browser: Browser, *, viewport: tuple[int, int] = LAPTOP, here: bool = True, **options: Any
) -> BrowserContext:
    """One more person's browser, whose pages know what they wait for; nothing moves in it but what a test moves.

    It is `here` where a dashboard was opened in it with its token.
    """
    width, height = viewport
    wanted = {"reduced_motion": "reduce"} | options
    context = browser.new_context(viewport={"width": width, "height": height}, **wanted)
    context.add_init_script(AWAITED)
    return sits_here(context) if here else context


def sits_here(context: BrowserContext) -> BrowserContext:
    """Make it the browser in which a dashboard of the tests was opened with its token."""
    name, _, value = HERE.partition("=")
    context.add_cookies(
        [{"name": name, "value": value, "domain": LOOPBACK, "path": "/", "httpOnly": True, "sameSite": "Strict"}]
    )
    return context


def noted(page: Page) -> tuple[list[object], list[str]]:
    """Every message that a page sends from now on, and what its scripts stumble over."""
    sent, problems = list[object](), list[str]()

    def note(frame: str | bytes) -> None:
        sent.append(frame)

    page.on("websocket", lambda socket: socket.on("framesent", note))
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    return sent, problems


def settled(page: Page) -> Page:
    """Wait until the script has answered and ended, nothing on the page is stale, and every chart is drawn.

    A click reaches the script only after the page was painted again, so that is waited for first.
    """
    page.evaluate(_PAINTED)
    try:
        page.wait_for_function(SETTLED, timeout=SETTLE_MILLISECONDS, polling=LOOK_MILLISECONDS)
    except NotInTime as error:
        error.add_note(f"The page has not settled: {page.evaluate(UNSETTLED)}")
        raise
    return page


def picked(box: Locator, option: Callable[[Locator], Locator]) -> None:
    """Pick one of the options of a select box, and wait for what follows.

    A page that scrolls, or takes another shape in that moment, closes its lists: then the box is opened again.
    """
    for left in reversed(range(UNFOLDED_TIMES)):
        box.scroll_into_view_if_needed()
        box.evaluate(_PAINTED)
        box.click()
        options = box.page.get_by_role("option")
        try:
            options.first.wait_for(timeout=UNFOLDED_MILLISECONDS)
            option(options).click(timeout=UNFOLDED_MILLISECONDS)
        except Error:
            if not left:
                raise
        else:
            break
    settled(box.page)


def looked(*pages: Page, fresh: float) -> None:
    """Wait until pages that look by themselves have drawn what is so now; what was read holds for `fresh` seconds."""
    since = [page.evaluate("fresh => performance.now() + 1000 * fresh", fresh) for page in pages]
    for page, now in zip(pages, since, strict=True):
        page.wait_for_function("now => looked > now", arg=now, polling=LOOK_MILLISECONDS)
        settled(page)


def turned(page: Page, scheme: Literal["light", "dark"]) -> Page:
    """As where the system turns light or dark while a page is open: the script hears of it with its next run."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(
        "scheme => getComputedStyle(document.querySelector('.stApp')).colorScheme === scheme", arg=scheme
    )
    page.evaluate("() => document.activeElement?.blur()")  # a box would take the letter as its own
    page.keyboard.press("r")
    return settled(page)


def stepped(page: Page, name: str) -> Iterator[Page]:
    """A lesson or an attack on each of its steps after the first, by the button that leads on."""
    steps = page.locator(f".st-key-{name}_step button")
    for place in range(1, steps.count()):
        page.locator(f".st-key-{name}_next button").click()
        expect(steps.nth(place)).to_have_attribute("aria-checked", "true")
        yield settled(page)


def number_box(page: Page, name: str) -> Locator:
    """The number box that a page draws under this name, another one after each move; the one before goes last."""
    return page.locator(f'[class*="st-key-{name}"] input').first


def sideways_scroll(page: Page) -> int:
    """By how many pixels the page is wider than its window; 0 is what a phone needs.

    A table takes the width of a window that has changed a moment after it, which is waited for.
    """
    with suppress(NotInTime):
        page.wait_for_function(f"() => ({_WIDER})() <= 0", timeout=REDRAWN_MILLISECONDS)
    return int(page.evaluate(_WIDER))


_PAINTED = "() => new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(painted)))"
_WIDER = (
    "() => Math.max(...[document.documentElement, document.querySelector('[data-testid=\"stMain\"]')]"
    ".filter(Boolean).map(element => element.scrollWidth - element.clientWidth))"
)
AWAITED = """(() => {
    const awaited = window.awaited = new Map();
    const looking = new Set();
    let requests = 0, asked = 0, begun = {};
    window.looked = 0;
    window.drawing = '';
    const fields = bytes => {
        const found = new Map();
        let at = 0;
        const number = () => {
            let value = 0;
            for (let unit = 1;; unit *= 128) {
                const byte = bytes[at++] ?? 0;
                value += (byte & 127) * unit;
                if (byte < 128) return value;
            }
        };
        while (at < bytes.length) {
            const tag = number(), kind = tag % 8, name = Math.floor(tag / 8);
            const length = kind === 2 ? number() : kind === 1 ? 8 : 4;
            found.set(name, [...found.get(name) ?? [], kind === 0 ? number() : bytes.subarray(at, at += length)]);
        }
        return found;
    };
    const inside = (found, name) => fields(found.get(name)?.[0] ?? []);
    const text = bytes => new TextDecoder().decode(bytes ?? new Uint8Array());
    const painted = then => requestAnimationFrame(() => requestAnimationFrame(then));
    const asks = bytes => {
        const state = inside(fields(bytes), 11), part = text(state.get(5)?.[0]);
        if (!state.size) return;
        if (state.get(6)?.[0]) {
            asked = performance.now();
            looking.add(part);
        } else {
            awaited.set(part, {number: ++requests, before: new Set(looking)});
        }
    };
    const answers = bytes => {
        const message = fields(bytes), named = inside(inside(message, 2), 6);
        const id = text(named.get(1)?.[0]), parts = (named.get(2) ?? []).map(text);
        if (message.has(4)) {
            begun = {id, number: requests, asked};
            window.drawing = parts.length ? 'part' : 'page';
        }
        if (message.get(6)?.[0] === 2) {
            window.drawing = 'page';
        } else if (message.has(6)) {
            if (begun.id !== id) begun = {id, number: requests, asked};
            const run = begun;
            painted(() => ended(parts, run));
        }
    };
    const ended = (parts, run) => {
        if (run === begun) window.drawing = '';
        window.looked = run.asked;
        parts.forEach(part => looking.delete(part));
        for (const [part, {number, before}] of awaited) {
            const drawn = !parts.length || parts.includes(part);
            if (drawn ? number <= run.number : parts.some(one => !before.delete(one))) awaited.delete(part);
        }
    };
    window.WebSocket = class extends WebSocket {
        constructor(...address) {
            super(...address);
            awaited.clear();
            looking.clear();
            this.addEventListener('message', ({data}) => data instanceof ArrayBuffer && answers(new Uint8Array(data)));
        }
        send(data) {
            if (data instanceof Uint8Array) asks(data);
            super.send(data);
        }
    };
})()"""
"""Keeps what a page has asked of the server and not had drawn, read from Streamlit's messages: a page of its own accord
says "running" only when the server's first word is there, which beside busy processes is long after the click.

A request (field 11 of BackMsg) is of the whole page or of one fragment (5), and is none of a person's if it repeats
by itself (6); of these, `looked` says when the last one was made that is drawn. A run begins (field 4 of ForwardMsg)
and ends (6), unless "early, for another run" (2); it says of which fragments it is, if not of the whole page (2, 6, 2).
Requests are answered in their order, so what was asked before one that is drawn is over, even where no word came of it.
`drawing` says what is being drawn: the page, a part of it, or nothing.
"""
SETTLED = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    const busy = '[data-testid="stStatusWidget"], [data-stale="true"], [data-testid="stSkeleton"]';
    const drawn = chart => chart.querySelector('.main-svg') !== null;
    const looks = window.looked > 0 && window.drawing === 'part';
    return app !== null
        && !window.awaited?.size
        && app.dataset.testConnectionState === 'CONNECTED'
        && (looks || app.dataset.testScriptState === 'notRunning' && document.querySelector(busy) === null)
        && document.querySelector('[data-testid="stMain"] [data-testid="stElementContainer"]') !== null
        && [...document.querySelectorAll('[data-testid="stPlotlyChart"]')].every(drawn);
}"""
"""Where nothing is awaited and only a part is drawn, the page looks by itself: beside busy processes it is always at
that.
"""
UNSETTLED = """() => {
    const {testConnectionState, testScriptState} = document.querySelector('[data-testid="stApp"]')?.dataset ?? {};
    const busy = '[data-testid="stStatusWidget"], [data-stale="true"], [data-testid="stSkeleton"]';
    const marks = [...document.querySelectorAll(busy)].map(one => one.outerHTML.slice(0, 80));
    return JSON.stringify({testConnectionState, testScriptState, drawing: window.drawing, looked: window.looked,
        awaited: [...window.awaited ?? []], marks});
}"""


def pressed_twice(page: Page, button: Locator, gap: int) -> None:
    """Two clicks at one place, so many milliseconds apart: the second falls on whatever stands there by then."""
    button.click(trial=True)
    place = button.bounding_box()
    assert place is not None
    button.click()
    page.wait_for_timeout(gap)
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
