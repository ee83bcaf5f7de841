"""A started server and a Chromium that keeps a log of every request; one browser at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from pages.serving.layers import proxies
from pages.serving.network import addresses
from tests.browser import beside
from tests.browser.two_servers import TwoServers
from tests.servers import chromium
from tests.servers.browsing import LAPTOP, RequestLog, launched, opened_context, sits_here
from tests.servers.databases import Databases
from tests.servers.ledger_places import ServerPlace
from tests.servers.server import LEDGER_VARIABLE, SHARED, Server

HERE = Path(__file__).parent
collect_ignore = ["serving/open_doors.py"]
"""It is an application, which must not begin within the tests."""
EXPECTED_MILLISECONDS = 30_000
UNHURRIED = ("--js-flags=--no-turbofan", "--process-per-site")
"""A page lives for seconds here: making its scripts as fast as they can be costs more than they would give back, and
pages of one person need no process each."""
expect.set_options(timeout=EXPECTED_MILLISECONDS)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs Chromium."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard, running, with a ledger of its own; `server.restart()` keeps port and ledger."""
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def emptied_server(server: Server) -> Server:
    """The same, for tests that spend or restart it: no room is open, nothing is spent from any practice account."""
    return beside.emptied(server)


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard as it is shared with a network; on a machine without one, at another of its own addresses.

    Beside it, a proxy on this machine may say whose visit it passes on.
    """
    word = "--share" if addresses.of_this_machine() else "--share=127.0.0.2"
    believed = {proxies.VARIABLE: "127.0.0.1"}
    with Server(tmp_path_factory.mktemp("shared"), words=[word], environment=believed) as running:
        yield running


@pytest.fixture(scope="session")
def two_servers(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoServers]:
    """Two dashboards on one ledger in PostgreSQL, in which each test has a table of its own."""
    folders = [tmp_path_factory.mktemp(name) for name in ("first", "second")]
    place = ServerPlace(cluster=databases.cluster, folder=folders[0]).emptied()
    shared = {LEDGER_VARIABLE: place.url}
    one, other = (Server(folder, environment=shared, words=SHARED) for folder in folders)
    with one as first, other as second:
        yield TwoServers(place=place, servers=(first, second))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests; each test has its own context in it."""
    executable = chromium.installed()
    if executable is None:
        pytest.skip("no Chromium on this machine; python -m tests installs one where it may")
    with sync_playwright() as playwright:
        running = launched(playwright, executable, *UNHURRIED)
        yield running
        running.close()


@pytest.fixture
def request_log() -> RequestLog:
    """Every address that this test's pages ask for: `assert not request_log.foreign_hosts`."""
    return RequestLog()


@pytest.fixture
def open_context(browser: Browser, request_log: RequestLog) -> Iterator[Callable[..., BrowserContext]]:
    """Open one more person's browser: `open_context(viewport=(390, 844), color_scheme="dark")`."""
    contexts: list[BrowserContext] = []

    def opened(**options: Any) -> BrowserContext:
        context = opened_context(browser, **options)
        request_log.watch(context)
        contexts.append(context)
        return context

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def laptop(browser: Browser) -> Iterator[BrowserContext]:
    """One person's browser at 1366x768, who has been here before: the app's own files are in its cache."""
    context = opened_context(browser)
    yield context
    context.close()


@pytest.fixture
def browser_page(laptop: BrowserContext, request_log: RequestLog) -> Iterator[Page]:
    """An empty page of it; go to `server.address("tradeoff")`, then wait with `settled(page)`. Nothing of it stays.

    It is the page of the test before, emptied: another one costs as much as its first two addresses together.
    """
    page = laptop.pages[0] if laptop.pages else laptop.new_page()
    with request_log.watching(laptop):
        yield page
        for others in laptop.pages[1:]:
            others.close()
        _emptied(page)
    laptop.clear_cookies()
    sits_here(laptop)


@pytest.fixture
def altered_page(laptop: BrowserContext, request_log: RequestLog) -> Iterator[Page]:
    """An empty page for a test that lays on it what stays: a script, a way to answer its requests."""
    with request_log.watching(laptop):
        page = laptop.new_page()
        yield page
        page.evaluate(_FORGOTTEN)
        page.close()
    laptop.clear_cookies()
    sits_here(laptop)


_FORGOTTEN = """() => {
    try { localStorage.clear(); sessionStorage.clear() } catch { /* A page of nowhere has none. */ }
}"""


def _emptied(page: Page) -> None:
    """As it was when it was new: of no address, light, and of a laptop's size."""
    page.evaluate(_FORGOTTEN)
    page.goto("about:blank")
    page.emulate_media(color_scheme="null")
    width, height = LAPTOP
    page.set_viewport_size({"width": width, "height": height})
