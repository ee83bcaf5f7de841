"""How the process starts and ends: words it does not know, a link before the first visit, Ctrl+C, nobody asked."""

from __future__ import annotations

import os
import re
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

from pages.serving import curator_token
from tests.servers.browsing import settled
from tests.servers.menus import has_curators_menu
from tests.servers.server import ROOT, Server

NOT_CONNECTED = "Not connected at the moment."
ONE_CHART = ROOT / "benchmarks" / "one_chart_app.py"


def test_a_word_that_it_does_not_know_ends_it_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"does not know the word '--shared'\. Write --share to share") as refused:
        Server(tmp_path, words=["--shared"]).start()
    assert "Traceback" not in str(refused.value)


def waited(reached: Callable[[], bool]) -> bool:
    """Whether something comes true within a minute."""
    for _ in range(600):
        if reached():
            return True
        time.sleep(0.1)
    return False


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


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and stands in for xdg-open")
def test_it_opens_the_browser_asks_nobody_imports_at_once_and_ends_calmly(
    tmp_path: Path, proxy: Proxy, browser_page: Page
) -> None:
    """Before the first visit: the browser of whoever sits here is opened, a stranger's page is turned away without
    asking the internet, all is imported; then a deep link opens, and the keyboard ends it.
    """
    opener, noted = tmp_path / "xdg-open", tmp_path / "opened"
    opener.write_text(f'#!/bin/sh\necho "$1" > {noted}.part && mv {noted}.part {noted}\n', encoding="utf-8")
    opener.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path), curator_token.VARIABLE: ""}
    with Server(tmp_path, environment=environment | told(proxy), warm=False, headless=False) as server:
        turned_away(server)
        assert waited(noted.exists)
        started, (said,) = noted.read_text(encoding="utf-8").strip(), re.findall(r"http://\S+", server.log())
        page = Path(started.removeprefix("file://"))
        assert page.stat().st_mode & 0o077 == 0, "All read with what a browser is started, and none what is in there."
        loaded = Path(f"/proc/{server.pid}/maps")
        assert waited(lambda: all(name in loaded.read_text(encoding="utf-8") for name in ("scipy", "duckdb", "opendp")))
        browser_page.goto(server.address("tradeoff"))
        assert not has_curators_menu(settled(browser_page)), "Nobody sits here yet."
        for address in (started, said):
            browser_page.context.clear_cookies()
            browser_page.goto(address)
            browser_page.wait_for_url(f"{server.url}/")
            assert has_curators_menu(settled(browser_page)), "With its very first page."
            browser_page.goto(server.address("tradeoff"))
            assert has_curators_menu(settled(browser_page))
            expect(browser_page.get_by_role("dialog")).to_have_count(0)
        browser_page.context.clear_cookies()
        browser_page.goto(started)
        browser_page.wait_for_url(f"{server.url}/")
        assert not has_curators_menu(settled(browser_page)), "It opens once."
        assert server.stop(by=signal.SIGINT) == 0
    expect(browser_page.get_by_text(NOT_CONNECTED)).to_be_visible()
    expect(browser_page.get_by_test_id("stDialog")).to_have_count(1)
    expect(browser_page.get_by_test_id("stDialog")).to_be_hidden()
    assert not page.exists()
    assert not proxy.knocks
    assert "Traceback" not in server.log()
    assert "Aborted" not in server.log()


def test_the_control_streamlit_by_itself_asks_the_internet(tmp_path: Path, proxy: Proxy) -> None:
    """It wants to know this machine's address from a host of its own choice."""
    with Server(tmp_path, app=ONE_CHART, environment=told(proxy), warm=False) as server:
        turned_away(server)
    assert proxy.knocks


def told(proxy: Proxy) -> dict[str, str]:
    """The environment in which there is no other way to the internet."""
    return {"http_proxy": proxy.address, "https_proxy": proxy.address, "no_proxy": ""}


def turned_away(server: Server) -> None:
    """A page of another host may not connect."""
    address = f"ws://127.0.0.1:{server.port}/_stcore/stream"
    with pytest.raises(InvalidStatus, match="403"):
        connect(address, origin=Origin("http://stranger.example"), proxy=None, open_timeout=30)
