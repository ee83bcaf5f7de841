"""With a certificate both doors speak HTTPS and nothing else, pages and websockets, and no cookie goes without it."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext

from pages.serving.layers import opened, proof
from tests.servers.browsing import RequestLog, settled
from tests.servers.certificates import certificate
from tests.servers.elsewhere import page_elsewhere
from tests.servers.menus import has_curators_menu
from tests.servers.server import KEY, Server, answers

NETWORK = "127.0.0.2"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is nobody's address")


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("encrypted")
    own = certificate(folder, "127.0.0.1", NETWORK)
    with Server(folder, words=[f"--share={NETWORK}"], certificate=own, warm=False) as running:
        yield running


def test_both_doors_speak_https_alone(
    encrypted: Server, open_context: Callable[..., BrowserContext], request_log: RequestLog
) -> None:
    (told,) = re.findall(r"Participants open +(\S+)", encrypted.log())
    for address, is_curators in ((encrypted.url, True), (told, False)):
        host = address.removeprefix("https://")
        assert host != address
        assert answers(f"https://{host}/_stcore/health", trusted=encrypted.certificate)
        assert not answers(f"https://{host}/_stcore/health"), "Nobody else vouches for it."
        assert not answers(f"http://{host}/_stcore/health")
        page = open_context(ignore_https_errors=True).new_page()
        first = page.goto(f"{address}/released?token={KEY}")
        assert first is not None
        assert first.headers["strict-transport-security"] == "max-age=31536000", "Nobody comes without it again."
        assert has_curators_menu(settled(page)) == is_curators
        assert f"wss://{host}/_stcore/stream" in request_log.addresses
        cookies = {one["name"]: one["secure"] for one in page.context.cookies(address)}
        mark = {f"__Host-{opened.COOKIE}": True, opened.COOKIE: False} if is_curators else {}
        assert cookies == {f"__Host-{proof.COOKIE}": True, "_streamlit_xsrf": True, **mark}
    assert not [one for one in request_log.addresses if one.startswith(("http:", "ws:"))]


def test_no_neighboring_name_leaves_our_cookie(encrypted: Server, open_context: Callable[..., BrowserContext]) -> None:
    """It would have to be for the domain of both, and who left it would be that browser; a plain name can be left."""
    planted, name = "p" * len(secrets.token_urlsafe(32)), f"__Host-{proof.COOKIE}"
    page = open_context().new_page()
    left = [f"{one}={planted}; Path=/; Secure; Domain=study.localhost" for one in (name, proof.COOKIE)]
    with page_elsewhere("<h1>A prize</h1>", "x.study.localhost", cookies=left) as other:
        page.goto(other)
    kept = [(one["name"], one["domain"]) for one in page.context.cookies(other)]
    assert kept == [(proof.COOKIE, ".study.localhost")]
    mine = open_context(ignore_https_errors=True)
    mine.add_cookies([{"name": proof.COOKIE, "value": planted, "url": encrypted.url}])
    page = mine.new_page()
    page.goto(encrypted.address("released"))
    assert {one["name"] for one in mine.cookies()} >= {name, proof.COOKIE}, "The plain one was not read."
