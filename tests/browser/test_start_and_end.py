"""How the process starts and ends: words it does not know, a link before the first visit, Ctrl+C, nobody asked."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from websockets import Origin
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.browsing import settled
from tests.server import ROOT, Server

ONE_CHART = ROOT / "benchmarks" / "one_chart_app.py"


def test_a_word_that_it_does_not_know_ends_it_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"does not know the word '--shared'\. Write --share to share") as refused:
        Server(tmp_path, words=["--shared"]).start()
    assert "Traceback" not in str(refused.value)


@pytest.fixture
def unvisited(tmp_path: Path) -> Iterator[Server]:
    """A server that has just started; the test may end it."""
    server = Server(tmp_path, warm=False)
    server.start()
    yield server
    if server.is_running:
        server.stop()


def test_a_deep_link_before_the_first_visit_opens_and_the_end_is_calm(unvisited: Server, browser_page: Page) -> None:
    """Python tidies up at a calm end: temporary folders with rows are deleted then."""
    browser_page.goto(unvisited.address("tradeoff"))
    settled(browser_page)
    expect(browser_page.get_by_role("dialog")).to_have_count(0)
    expect(browser_page.get_by_test_id("stSidebarNav").get_by_role("link", name="Trade-off")).to_be_visible()
    assert unvisited.stop() == 0
    assert "Traceback" not in unvisited.log()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_imports_come_before_the_first_visitor_and_the_keyboard_ends_it(unvisited: Server) -> None:
    loaded = Path(f"/proc/{unvisited.pid}/maps")
    assert waited(lambda: all(name in loaded.read_text(encoding="utf-8") for name in ("scipy", "duckdb", "opendp")))
    assert unvisited.stop(by=signal.SIGINT) == 0
    assert "Traceback" not in unvisited.log()
    assert "Aborted" not in unvisited.log()


def waited(reached: Callable[[], bool]) -> bool:
    """Whether something comes true within a minute."""
    for _ in range(600):
        if reached():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no xdg-open to stand in for")
def test_it_opens_the_browser_of_whoever_sits_here(tmp_path: Path) -> None:
    opener, noted = tmp_path / "xdg-open", tmp_path / "opened"
    opener.write_text(f'#!/bin/sh\necho "$1" > {noted}.part && mv {noted}.part {noted}\n', encoding="utf-8")
    opener.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    with Server(tmp_path, environment=environment, warm=False, headless=False) as server:
        assert waited(noted.exists)
        assert noted.read_text(encoding="utf-8").strip() == server.url


class Proxy:
    """The only way to the internet that a process is told of; it counts who knocks and lets nobody through."""

    def __init__(self) -> None:
        self.knocks = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self) -> None:
        while True:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            self.knocks += 1
            caller.close()

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    listening = Proxy()
    yield listening
    listening.close()


@pytest.mark.parametrize(("app", "asks"), [(ROOT / "app.py", False), (ONE_CHART, True)])
def test_a_strangers_page_is_turned_away_without_asking_the_internet(
    tmp_path: Path, proxy: Proxy, app: Path, asks: bool
) -> None:
    """Streamlit by itself asks a host of its own choice for this machine's address: the control."""
    environment = {"http_proxy": proxy.address, "https_proxy": proxy.address, "no_proxy": ""}
    with Server(tmp_path, app=app, environment=environment, warm=False) as server:
        address = f"ws://127.0.0.1:{server.port}/_stcore/stream"
        with pytest.raises(InvalidStatus, match="403"):
            connect(address, origin=Origin("http://stranger.example"), proxy=None, open_timeout=30)
    assert bool(proxy.knocks) == asks
