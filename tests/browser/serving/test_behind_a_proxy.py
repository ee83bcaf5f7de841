"""Behind a proxy that behaves as nginx and HAProxy do; those themselves are tried by `python -m tests --proxies`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import BrowserContext, Page

from pages.serving import curator_token
from pages.serving.layers import proof
from tests.browser.serving.test_side_doors import asked
from tests.servers.balancer import COOKIE, Balancer
from tests.servers.browsing import settled
from tests.servers.menus import followed
from tests.servers.proxies import ADDRESS, DEPLOY
from tests.servers.server import Server
from tests.servers.token_tries import WAIT, WRONG, typing

OpenContext = Callable[..., BrowserContext]
STRANGER, ANOTHER, THIRD = "127.0.0.7", "127.0.0.8", "127.0.0.9"
PROXY = "127.0.0.1"
FEWER = curator_token.TRIES - 1
"""So many wrong tokens from one address make nobody wait."""
FORGED = [f"203.0.113.{number}" for number in range(1, 2 * curator_token.TRIES)]
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is nobody's address")


@pytest.fixture
def pair(server: Server, shared_server: Server) -> Iterator[Balancer]:
    """Before two servers; only the second believes what comes from here."""
    with Balancer([server.port, shared_server.port], scheme="https") as running:
        yield running


def waits(address: str, *, source: str, claims: Sequence[str]) -> bool:
    """Whether somebody has to wait sooner or later, who types a wrong token with each of these claims."""
    return any(said(address, source=source, forwarded=claim).startswith(WAIT) for claim in claims)


def said(address: str, *, source: str, forwarded: str) -> str:
    with typing(address, source=source, headers={"X-Forwarded-For": forwarded}) as typed:
        return typed("wrong")


@on_linux
def test_a_visitor_is_known_by_the_address_that_the_named_proxy_saw(shared_server: Server) -> None:
    """Whatever it claims; the control: the same claims are believed where the proxy itself sends them."""
    with Balancer([shared_server.port]) as proxy:
        assert waits(proxy.url, source=STRANGER, claims=FORGED)
        assert said(proxy.url, source=ANOTHER, forwarded=STRANGER).startswith(WRONG)
    assert waits(shared_server.url, source=PROXY, claims=FEWER * [STRANGER])
    assert not waits(shared_server.url, source=PROXY, claims=FORGED)


@on_linux
def test_all_who_come_through_a_proxy_that_nobody_has_named_are_one(shared_server: Server) -> None:
    with Balancer([shared_server.port], address=ADDRESS) as unnamed:
        assert waits(unnamed.url, source=ANOTHER, claims=FORGED)
        assert waits(unnamed.url, source=THIRD, claims=FEWER * [THIRD])
    assert not waits(shared_server.url, source=THIRD, claims=FEWER * [THIRD]), "The control."


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    return settled(page)


def test_a_browser_stays_with_its_server_until_that_one_is_gone(
    pair: Balancer, server: Server, shared_server: Server, open_context: OpenContext
) -> None:
    """Two people come to two servers, each again; who was on the one that is gone has an open page on the other."""
    people = [opened(open_context(here=False), f"{pair.url}/glossary") for _ in range(2)]
    assert pair.opened == {server.port: 1, shared_server.port: 1}
    for page in people:
        page.reload()
        settled(page)
    assert pair.opened == {server.port: 2, shared_server.port: 2}
    (moved,) = [page for page in people if server_of(page) == server.port]
    with moved.expect_websocket():
        pair.lose(server.port)
    followed(moved, "Released answers")
    assert server_of(moved) == shared_server.port
    assert pair.opened == {server.port: 2, shared_server.port: 3}


def server_of(page: Page) -> int:
    (cookie,) = [str(one["value"]) for one in page.context.cookies() if one["name"] == COOKIE]
    return int(cookie)


def test_what_the_proxy_says_of_its_encryption_makes_cookies_secure(
    pair: Balancer, shared_server: Server, server: Server
) -> None:
    for port, secure in ((shared_server.port, True), (server.port, False)):
        lines = asked(pair.url, headers={"Cookie": f"{COOKIE}={port}"})[1].get_all("set-cookie") or []
        (line,) = [one for one in lines if proof.COOKIE in one]
        assert (line.startswith("__Host-"), "Secure" in line) == (secure, secure)
        assert "HttpOnly" in line


def test_a_container_that_answers_nobody_is_not_healthy(server: Server) -> None:
    """What the Containerfile asks, asked of a server that runs, and of nobody."""
    (words,) = re.findall(r"HEALTHCHECK .*\\\n +CMD (\[.*\])", (DEPLOY / "Containerfile").read_text(encoding="utf-8"))
    healthy = {}
    for port in (server.port, 1):
        python, *rest = json.loads(words.replace(":8501/", f":{port}/"))
        assert python == "python"
        healthy[port] = subprocess.run([sys.executable, *rest], capture_output=True, check=False).returncode == 0
    assert healthy == {server.port: True, 1: False}
