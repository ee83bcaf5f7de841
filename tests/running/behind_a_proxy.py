"""What is tried of a dashboard that stands behind a proxy: each function says what it saw, or fails."""

from __future__ import annotations

import http.client
import ssl
import statistics
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from urllib.parse import urlsplit

from playwright.sync_api import Browser, FilePayload, Page, expect

from pages.serving.layers import proof
from pages.serving.layers.headers import ENCRYPTED, HEADERS
from tests.servers import token_tries
from tests.servers.browsing import RELEASE, opened_context, settled, stepped
from tests.servers.ledger_places import ServerPlace
from tests.servers.menus import followed
from tests.servers.proxies import ADDRESS, Proxy
from tests.servers.server import Server

TOKEN = "a token that a test has chosen"  # noqa: S105
"""Shorter than a generated one: wrong tries may delay it, so it shows where they are counted."""
TIMES, PEOPLE, LARGEST = 3, 20, 100 * 1024**2
LESSON, DOOR = "definition", "This page is for the curator"
FILE: FilePayload = {"name": "visits.csv", "mimeType": "text/csv", "buffer": b"person,age\na,41\nb,17\n"}
LONG_FILE: FilePayload = {
    **FILE,
    "name": "long.csv",
    "buffer": FILE["buffer"] + b"somebody-else,35\n" * (20 * 1024**2 // 17),
}
STRANGER, ANOTHER = "127.0.0.5", "127.0.0.6"
"""Two visitors' addresses; the proxy has one of its own, and the browser this machine's usual one."""
FORGED = tuple(f"203.0.113.{number}" for number in range(1, 13))
_CREATED = "Created new session"
"""What a server says of every new session, where it says all."""


@dataclass(frozen=True, kw_only=True)
class Way:
    """A browser, the address at which it opens the dashboard, and what stands behind."""

    browser: Browser
    url: str
    servers: Sequence[Server]
    proxy: Proxy | None = None
    ledger: ServerPlace | None = None
    """Where they share one."""
    figures: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def person(self, page: str = "") -> Iterator[Page]:
        """One more browser that has opened a page."""
        context = opened_context(self.browser, ignore_https_errors=True)
        try:
            opened = context.new_page()
            opened.goto(f"{self.url}/{page}")
            yield settled(opened)
        finally:
            context.close()

    @property
    def sessions(self) -> list[int]:
        """How many each server has begun so far."""
        return [server.log().count(_CREATED) for server in self.servers]


def it_opens_and_moves(way: Way) -> str:
    """Pages open and each step of a lesson answers, which takes a websocket."""
    opening, clicks = [], []
    for _ in range(TIMES):
        began = time.perf_counter()
        with way.person(LESSON) as page:
            opening.append(time.perf_counter() - began)
            before = time.perf_counter()
            for _step in stepped(page, LESSON):
                clicks.append(time.perf_counter() - before)
                before = time.perf_counter()
    first, click = statistics.median(opening), statistics.median(clicks)
    way.figures["first page in a new browser"] = f"{first:.2f} s"
    way.figures["a click"] = f"{1000 * click:.0f} ms"
    return f"{TIMES} browsers, {len(clicks)} clicks"


def headers_stay(way: Way) -> str:
    """Every rule for browsers comes once, on pages, files and errors; without TLS one is sent to where it is."""
    for path in ("", "_stcore/health", "nothing.js"):
        headers = _headers(way, f"{way.url}/{path}")
        for name, value in (HEADERS | ENCRYPTED).items():
            assert headers.get_all(name) == [value], f"{name} at /{path}: {headers.get_all(name)}"
    place = urlsplit(_proxy(way).plain_url)
    plain = http.client.HTTPConnection(place.netloc, timeout=30)
    plain.request("GET", "/released")
    answer = plain.getresponse()
    plain.close()
    assert answer.status == 301
    assert str(answer.headers["location"]).startswith("https://")
    return f"{len(HEADERS)} headers on 3 addresses; http leads to https"


def cookies_are_safe(way: Way) -> str:
    """All go over TLS alone; the browser's secret, and the proxy's own cookie, are read by no script."""
    with way.person() as page:
        cookies = {str(one["name"]): one for one in page.context.cookies()}
    assert f"__Host-{proof.COOKIE}" in cookies
    assert [name for name, one in cookies.items() if not one["secure"]] == []
    assert [name for name, one in cookies.items() if not one["httpOnly"]] in ([], ["_streamlit_xsrf"])
    return ", ".join(sorted(cookies))


def files_are_taken(way: Way) -> str:
    """A curator's files arrive in the session that asked for them, also one that takes a while."""
    with way.person("data") as page:
        bring(enter(page), FILE)
    with way.person("data") as page:
        enter(page)
        began = time.perf_counter()
        bring(page, LONG_FILE)
        way.figures["a file of 20 megabytes"] = f"{time.perf_counter() - began:.1f} s"
    return f"{len(FILE['buffer'])} and {len(LONG_FILE['buffer'])} bytes"


def too_large_a_file_is_refused(way: Way) -> str:
    """The proxy lets pass what the dashboard takes, and refuses what is larger before it has come."""
    fits, beyond = (_answer_to_a_file(way, size) for size in (LARGEST + 1024, LARGEST + 2 * 1024**2))
    assert (fits, beyond) == (403, 413), f"{fits} and {beyond}"
    return "102 MB are refused by the proxy, 100 by the dashboard, which did not know the sender"


def no_address_is_logged(way: Way) -> str:
    """What the tries before this one asked for, a refused file among it, stands nowhere in what the proxy says."""
    said = _proxy(way).log()
    assert [path for path in ("_stcore", LESSON) if path in said] == [], said[:200]
    return f"{len(said.splitlines())} lines"


def tries_are_counted_by_address(way: Way) -> str:
    """Somebody waits after wrong tokens whatever address they claim, and others do not.

    The control: the same header is believed where the proxy itself sends it.
    """
    (server,), trusted = way.servers, _proxy(way).certificate

    def said(address: str, source: str, forwarded: str) -> str:
        headers = {"X-Forwarded-For": forwarded}
        known = trusted if address == way.url else None
        with token_tries.typing(address, source=source, headers=headers, trusted=known) as typed:
            return typed("wrong")

    assert any(said(way.url, STRANGER, forged).startswith(token_tries.WAIT) for forged in FORGED)
    assert said(way.url, ANOTHER, FORGED[0]).startswith(token_tries.WRONG)
    assert all(said(server.url, ADDRESS, forged).startswith(token_tries.WRONG) for forged in FORGED)
    return f"{len(FORGED)} forged addresses, one visitor"


def a_browser_stays_with_its_server(way: Way) -> str:
    """People are spread over both; pages, second tabs and files of each come to one."""
    begun = [0 for _ in way.servers]
    for _ in range(PEOPLE):
        before = way.sessions
        with way.person("data") as page:
            bring(enter(page), FILE)
            page.reload()
            settled(page)
            tab = page.context.new_page()
            tab.goto(f"{way.url}/released")
            settled(tab)
        new = [now - then for now, then in zip(way.sessions, before, strict=True)]
        assert sorted(new) == [0, 3], f"one browser's sessions by server: {new}"
        begun = [number + one for number, one in zip(begun, new, strict=True)]
        if all(begun):
            return f"sessions: {', '.join(map(str, begun))}"
    raise AssertionError(f"{PEOPLE} people came to one server.")


def a_killed_server_costs_nothing_twice(way: Way) -> str:
    """Who was on it lands on the other one and stays there, files included; who was there notices nothing."""
    with way.person("release") as page, _elsewhere(way, page) as (server, bystander):
        sockets: list[str] = []
        bystander.on("websocket", lambda one: sockets.append(one.url))
        enter(page).get_by_role("button", name="Open the account").click()
        page.get_by_role("button", name=RELEASE).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("The answer")
        _landed(way, page, server)
        charged = len(_charges(way))
        assert charged in {1, 2}, f"{charged} charges for two clicks"
        expect(enter(page).get_by_role("button", name=RELEASE)).to_be_visible()
        server.start()
        bring(followed(page, "Data"), FILE)
        assert len(_charges(way)) == charged
        assert sockets == []
    return f"{charged} of two clicks charged, the second of which was on its way"


def _landed(way: Way, page: Page, server: Server) -> None:
    """Kill the server under a click that spends, and wait until its page says on the other one who may spend.

    Streamlit leaves a page as it was where the dead server had been asked nothing: then the next press is answered.
    """
    spend, door = page.get_by_role("button", name=RELEASE), page.get_by_role("heading", name=DOOR)
    settled(page)
    began = time.perf_counter()
    with page.expect_websocket():
        spend.click(no_wait_after=True)
        server.stop(kill=True)
    settled(page)
    way.figures["usable again after a kill"] = f"{time.perf_counter() - began:.1f} s"
    if not door.is_visible():
        spend.click()
    expect(door).to_be_visible()


@contextmanager
def _elsewhere(way: Way, page: Page) -> Iterator[tuple[Server, Page]]:
    """The server that somebody's page is on, and the page of somebody else who is on the other one."""
    before = way.sessions
    page.reload()
    settled(page)
    own = [now > then for now, then in zip(way.sessions, before, strict=True)]
    for _ in range(PEOPLE):
        before = way.sessions
        with way.person("released") as other:
            if own != [now > then for now, then in zip(way.sessions, before, strict=True)]:
                yield way.servers[own.index(True)], other
                return
    raise AssertionError(f"{PEOPLE} people came to one server.")


def enter(page: Page) -> Page:
    """Become the curator."""
    main = page.get_by_test_id("stMain")
    main.get_by_role("textbox", name="Curator's token").fill(TOKEN)
    main.get_by_role("button", name="Enter as curator").click()
    expect(page.get_by_test_id("stTopNavSection").get_by_text("Explore")).to_be_visible()
    return settled(page)


def bring(page: Page, file: FilePayload) -> None:
    """Send a file, and wait until its columns are there."""
    page.get_by_test_id("stFileUploader").locator("input").first.set_input_files(file)
    expect(settled(page).get_by_role("spinbutton", name="Lowest possible value of age")).to_be_visible()


def _proxy(way: Way) -> Proxy:
    assert way.proxy is not None
    return way.proxy


def _charges(way: Way) -> Sequence[object]:
    """All that the one account has been charged, read past the servers that share its ledger."""
    assert way.ledger is not None
    ledger = way.ledger.open()
    ledger.verify()
    (account,) = ledger.accounts()
    return account.charges()


def _headers(way: Way, address: str) -> Message:
    known = urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=_proxy(way).certificate.file))
    straight = urllib.request.build_opener(urllib.request.ProxyHandler({}), known)
    try:
        with straight.open(address, timeout=30) as answer:
            headers: Message = answer.headers
    except urllib.error.HTTPError as refused:
        headers = refused.headers
    return headers


def _answer_to_a_file(way: Way, size: int) -> int:
    """What becomes of a file that somebody begins to send; who refuses it does so before it has come."""
    known = ssl.create_default_context(cafile=_proxy(way).certificate.file)
    sending = http.client.HTTPSConnection(urlsplit(way.url).netloc, timeout=30, context=known)
    sending.putrequest("PUT", "/_stcore/upload_file/nobody/1")
    sending.putheader("Content-Length", str(size))
    sending.endheaders()
    answer = sending.getresponse()
    sending.close()
    return answer.status
