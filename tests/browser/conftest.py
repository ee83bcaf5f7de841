"""A started server and a Chromium that keeps a log of every request; one browser at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests import chromium
from tests.browsing import RequestLog, launched, opened_context
from tests.server import Server

HERE = Path(__file__).parent
EXPECTED_MILLISECONDS = 30_000
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
def fresh_server(tmp_path: Path) -> Iterator[Server]:
    """The dashboard with an untouched ledger, for tests that spend or stop it."""
    with Server(tmp_path) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests; each test has its own context in it."""
    executable = chromium.installed()
    if executable is None:
        pytest.skip("no Chromium on this machine; python -m tests installs one where it may")
    with sync_playwright() as playwright:
        running = launched(playwright, executable)
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


@pytest.fixture
def browser_page(open_context: Callable[..., BrowserContext]) -> Page:
    """An empty page at 1366x768; go to `server.address("tradeoff")`, then wait with `settled(page)`."""
    return open_context().new_page()
