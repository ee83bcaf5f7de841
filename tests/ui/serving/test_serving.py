"""Sharing with the network, piece by piece: words, addresses, the mark, the QR code, what the terminal says."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import pytest
import segno
from streamlit.web.server import server_util

from pages.serving import curator_token, process
from pages.serving.curator_token import CuratorToken
from pages.serving.network import addresses, announcement, listeners, outside, qr, words
from pages.serving.network.words import Sharing
from tests.running.cases import each
from tests.servers.looping import finished

ADDRESS = "http://192.168.178.34:8501"


@each(
    ("said", "read"),
    [
        ([], Sharing()),
        (["--share"], Sharing(share=True)),
        (["--share=127.0.0.1"], Sharing(share=True, address="127.0.0.1")),
        (["--share=::1"], Sharing(share=True, address="::1")),
    ],
)
def test_the_words_after_two_dashes(said: list[str], read: Sharing) -> None:
    assert words.wanted(said) == read


@each(
    ("word", "sentence"),
    [
        ("--shared", "does not know the word '--shared'"),
        ("share", "does not know the word 'share'"),
        ("--share=", "'' is not an address such as 192.168.1.7"),
        ("--share=laptop", "'laptop' is not an address"),
        ("--share=0.0.0.0", "0.0.0.0 means every address at once"),
        ("--share=::", ":: means every address at once"),
        ("--share=203.0.113.9", "does not have the address 203.0.113.9"),
    ],
)
def test_a_word_that_means_nothing_is_refused_with_a_sentence(word: str, sentence: str) -> None:
    with pytest.raises(SystemExit, match=re.escape(sentence)):
        words.wanted(["--share", word])


def test_nobody_shares_a_server_that_is_open_already(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"server.address": "127.0.0.1"}
    monkeypatch.setattr("streamlit.get_option", told.get)
    process.lifespan(["--share"])
    told["server.address"] = "0.0.0.0"  # noqa: S104
    process.lifespan([])
    with pytest.raises(SystemExit, match=r"server.address is '0\.0\.0\.0', which is open already"):
        process.lifespan(["--share"])


def test_this_machines_addresses_are_those_of_its_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ("198.18.0.7", "192.168.1.7", "127.0.0.1", "8.8.8.8", "169.254.1.1", "0.0.0.0", "10.0.0.3")  # noqa: S104
    monkeypatch.setattr(addresses, "_by_interface", lambda: iter(found))
    monkeypatch.setattr(addresses, "_towards_others", lambda: iter(("10.0.0.3",)))
    assert addresses.of_this_machine() == ("10.0.0.3", "198.18.0.7", "192.168.1.7")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems answer in other ways")
def test_the_system_says_which_addresses_it_has() -> None:
    assert "127.0.0.1" in set(addresses._by_interface())
    assert set(addresses._towards_others()) <= set(addresses._by_interface())


def test_a_port_that_is_taken_is_passed_over() -> None:
    with listeners.bound("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with listeners.bound("127.0.0.1", taken) as second:
            assert taken < second.getsockname()[1] < taken + listeners.PORTS


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_whoever_comes_through_the_door_carries_a_mark(kind: str) -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    scope: dict[str, Any] = {"type": kind, "headers": [(b"host", b"127.0.0.1")]}
    unused: Any = None
    finished(outside.FromOutside(app)(scope, unused, unused))
    (host, (name, value)) = seen[0]["headers"]
    assert (host, name) == ((b"host", b"127.0.0.1"), outside.MARK.encode())
    assert outside.is_ours([value.decode()])
    assert not outside.is_ours(["yes", ""]), "A visitor may say so, too."
    assert scope["headers"] == [(b"host", b"127.0.0.1")]


def test_the_picture_is_the_code_of_the_address() -> None:
    drawn = unquote(qr.source(ADDRESS))
    assert drawn.startswith("data:image/svg+xml")
    assert modules(drawn) == [list(row) for row in segno.make(ADDRESS).matrix_iter(border=4)]


def test_what_is_written_in_the_address_leaves_the_picture_a_picture() -> None:
    drawn = qr.source('http://a/"><script>')
    assert not set('"<> ') & set(drawn)
    assert modules(unquote(drawn)) != modules(unquote(qr.source("http://a/")))


@pytest.mark.parametrize("colored", [True, False])
def test_the_terminals_blocks_are_the_code_of_the_address(colored: bool) -> None:
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in qr.blocks(ADDRESS, colored=colored).splitlines()]
    ink = {" ": (0, 0), "▄": (0, 1), "▀": (1, 0), "█": (1, 1)}
    rows = [[ink[sign][half] ^ (not colored) for sign in line] for line in lines for half in (0, 1)]
    meant = [list(row) for row in segno.make(ADDRESS).matrix_iter(border=4)]
    assert rows[: len(meant)] == meant
    assert not any(any(row) for row in rows[len(meant) :])


class Terminal(io.StringIO):
    """A terminal that says what it can write."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


@pytest.fixture
def token() -> Iterator[CuratorToken]:
    curator_token.of_this_server.cache_clear()
    yield curator_token.of_this_server()
    curator_token.of_this_server.cache_clear()


def said(*shared: str, encoding: str = "utf-8") -> str:
    terminal = Terminal(encoding)
    announcement.shared(shared, terminal)
    return terminal.getvalue()


def test_the_terminal_says_addresses_code_and_token(token: CuratorToken) -> None:
    told = said(ADDRESS, "http://10.0.0.3:8502")
    assert f"Participants open  {ADDRESS}\n" in told
    assert "http://10.0.0.3:8502\n" in told
    assert "\n".join(f"  {line}" for line in qr.blocks(ADDRESS, colored=False).splitlines()) in told
    assert f"with this token: {token.secret}\n" in told


def test_a_chosen_token_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(curator_token.VARIABLE, "a-token-that-somebody-chose")
    curator_token.of_this_server.cache_clear()
    told = said(ADDRESS)
    curator_token.of_this_server.cache_clear()
    assert "a-token-that" not in told
    assert "with the token of EPSILON_EXPLORER_CURATOR_TOKEN" in told


def test_a_terminal_without_blocks_still_says_the_address(token: CuratorToken) -> None:
    told = said(ADDRESS, encoding="latin-1")
    assert ADDRESS in told
    assert "█" not in told


def test_without_a_network_there_is_a_sentence(token: CuratorToken) -> None:
    told = said()
    assert "this machine has no address in a private network" in told
    assert "Participants open" not in told
    assert "█" not in told


def test_in_another_network_the_way_in_is_told_and_the_token_is_not(token: CuratorToken) -> None:
    later = Terminal("utf-8")
    announcement.again([ADDRESS], later)
    assert f"Participants open  {ADDRESS}\n" in later.getvalue()
    assert token.secret not in later.getvalue()


def here(address: str) -> str:
    """What opens the dashboard at this machine."""
    return f"http://127.0.0.1:8501/?token={address}"


def test_who_sits_at_this_machine_is_told_the_address_that_opens_it(
    token: CuratorToken, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.serving.alone._OPENS_UP", ())
    monkeypatch.setattr("streamlit.get_option", {"server.address": "127.0.0.1"}.get)
    monkeypatch.setattr(server_util, "get_url", lambda address: f"http://{address}:8501")
    alone = io.StringIO()
    announcement.first(alone)
    assert alone.getvalue().count(here(token.secret)) == 1
    assert here(token.secret) in said(ADDRESS)
    monkeypatch.setenv("EPSILON_EXPLORER_SERVED", "yes")
    served = io.StringIO()
    announcement.first(served)
    for told in (served.getvalue(), said(ADDRESS)):
        assert "?token=" not in told, "Such an address would open nothing."
        assert f"The curator enters with this token: {token.secret}" in told


@each(
    ("chosen", "sentence"),
    [
        ("a-token-that-somebody-chose", here(" and then what EPSILON_EXPLORER_CURATOR_TOKEN says")),
        ("a token with a space + signs", "says, each sign as addresses write it (+ is %2B)\n"),
        ("short", "EPSILON_EXPLORER_CURATOR_TOKEN is shorter than 20 characters"),
    ],
)
def test_an_address_does_not_repeat_a_chosen_token(monkeypatch: pytest.MonkeyPatch, chosen: str, sentence: str) -> None:
    monkeypatch.setenv(curator_token.VARIABLE, chosen)
    curator_token.of_this_server.cache_clear()
    monkeypatch.setattr("pages.serving.alone._OPENS_UP", ())
    monkeypatch.setattr("streamlit.get_option", {"server.address": "127.0.0.1"}.get)
    monkeypatch.setattr(server_util, "get_url", lambda address: f"http://{address}:8501")
    told = io.StringIO()
    announcement.first(told)
    curator_token.of_this_server.cache_clear()
    assert sentence in told.getvalue()
    assert chosen not in told.getvalue().replace("shorter", "")


def modules(drawn: str) -> list[list[int]]:
    """The dark modules of the picture, by following its pen over its white ground."""
    size = int(re.findall(r"""viewBox=['"]0 0 (\d+) \d+""", drawn)[0])
    assert re.search(rf"""fill=['"]#fff['"] d=['"]M0 0h{size}v{size}h-{size}z['"]""", drawn)
    rows = [[0] * size for _ in range(size)]
    (path,) = re.findall(r"""stroke=['"]#000['"] d=['"]([^"']+)['"]""", drawn)
    x = y = 0.0
    for move, first, second in re.findall(r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?", path):
        if move == "h":
            rows[int(y)][int(x) : int(x) + int(first)] = [1] * int(first)
            x += int(first)
        else:
            x, y = (float(first), float(second)) if move == "M" else (x + float(first), y + float(second))
    return rows
