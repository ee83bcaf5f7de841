"""Served with --share: who comes through the network's door is an analyst, who sits at this machine the curator."""

from __future__ import annotations

import ipaddress
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from streamlit.web.server.starlette import starlette_routes

from pages.serving import curator_token
from pages.serving.layers import closed
from pages.serving.network import outside, qr
from tests.browser.knocking import offered
from tests.running.voice import retired
from tests.servers.browsing import RequestLog, settled
from tests.servers.listening import places
from tests.servers.menus import has_curators_menu
from tests.servers.server import HERE, KEY, Server

NewContext = Callable[..., BrowserContext]


@pytest.fixture(scope="module")
def network(shared_server: Server) -> str:
    """The address that the terminal tells participants."""
    (address,) = re.findall(r"Participants open +(\S+)", shared_server.log())
    return str(address)


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    return settled(page)


def door(address: str) -> tuple[str, int]:
    place = urlsplit(address)
    return place.hostname or "", place.port or 0


def test_nothing_listens_beyond_this_machine_unless_it_is_shared(
    server: Server, shared_server: Server, network: str
) -> None:
    assert places(server.pid) == {("127.0.0.1", server.port)}
    assert places(shared_server.pid) >= {("127.0.0.1", shared_server.port), door(network)}
    assert not [place for place, _ in places(shared_server.pid) if ipaddress.ip_address(place).is_unspecified]


def test_the_terminal_says_once_all_that_is_needed(shared_server: Server, network: str) -> None:
    said = shared_server.log()
    assert retired(said) == []
    assert said.count("Epsilon Explorer is shared with your network") == 1
    assert said.count(f"{shared_server.url}/?token= and then what {curator_token.VARIABLE} says") == 1
    assert KEY not in said
    assert "\n".join(f"  {line}" for line in qr.blocks(network, colored=False).splitlines()) in said


def test_through_the_network_one_is_an_analyst(network: str, open_context: NewContext, request_log: RequestLog) -> None:
    page = opened(open_context(), f"{network}/tradeoff")
    assert not has_curators_menu(page)
    expect(page.get_by_role("heading", name="This page is for the curator")).to_be_visible()
    assert request_log.hosts == {door(network)[0]}


def test_whatever_one_claims_the_door_decides(shared_server: Server, network: str) -> None:
    own, here = urlsplit(network).netloc, f"127.0.0.1:{shared_server.port}"
    opened = {"Cookie": HERE}
    assert "tradeoff" in offered(("127.0.0.1", shared_server.port), claimed=here, headers=opened)
    assert "tradeoff" not in offered(("127.0.0.1", shared_server.port), claimed=here), "Another program here."
    for claimed in (own, here, f"localhost:{shared_server.port}", f"[::1]:{shared_server.port}"):
        menu = offered(door(network), claimed=claimed, headers=opened)
        assert "released" in menu or "" in menu
        assert "tradeoff" not in menu
    assert "tradeoff" not in offered(door(network), claimed=here, headers=opened | {outside.MARK: ""})


def test_nobody_is_told_how_many_bytes_the_curators_file_has(shared_server: Server, network: str) -> None:
    """Streamlit's own figures say it to whoever asks."""
    assert f"/{starlette_routes.ROUTE_METRICS}" == closed.FIGURES
    for way_in in (network, shared_server.url):
        assert answered(f"{way_in}/_stcore/health") == 200
        for path in ("/_stcore/metrics", "/_stcore/metrics/", "/_stcore/%6detrics", "/_stcore/metrics?families=x"):
            assert answered(way_in + path) == 404
        for path in (
            "/_stcore/metrics%0A",
            "/_stcore/host-config%0A",
            "/_stcore/upload_file/a/b%0A",
            "/auth/logout%0A",
        ):
            assert answered(way_in + path) == 400


def answered(address: str) -> int:
    straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with straight.open(address, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def test_with_the_token_one_is_curator_through_the_network(network: str, open_context: NewContext) -> None:
    page = opened(open_context(), f"{network}/data")
    page.get_by_test_id("stMain").get_by_role("textbox", name="Curator's token").fill(KEY)
    page.get_by_test_id("stMain").get_by_role("button", name="Enter as curator").click()
    expect(page.get_by_test_id("stTopNavSection").get_by_text("Explore")).to_be_visible()
    page.get_by_test_id("stFileUploader").locator("input").set_input_files(
        {"name": "visits.csv", "mimeType": "text/csv", "buffer": b"person,age\na,41\nb,17\n"}
    )
    expect(settled(page).get_by_role("spinbutton", name="Lowest possible value of age")).to_be_visible()
