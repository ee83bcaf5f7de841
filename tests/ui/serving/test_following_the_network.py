"""A laptop joins a network, changes it and leaves it: the door follows, and marks everybody who comes."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable, Iterator

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from pages.serving.network import addresses, network_doors
from pages.serving.network.outside import MARK, is_ours
from tests.servers.looping import finished

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is nobody's address")
FIRST, SECOND = "127.0.0.2", "127.0.0.3"


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Says how it was reached."""
    await PlainTextResponse(f"marked: {is_ours(Request(scope).headers.getlist(MARK))}")(scope, receive, send)


@pytest.fixture
def has(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The addresses that the machine has; change the list, and it has moved."""
    found = [FIRST]
    monkeypatch.setattr(addresses, "of_this_machine", lambda: tuple(found))
    monkeypatch.setattr(network_doors, "LOOK_SECONDS", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = {"server.port": taken.getsockname()[1], "server.address": "127.0.0.1"}
        monkeypatch.setattr("streamlit.get_option", settings.get)
        yield found


def test_the_door_follows_the_machine(has: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    async def story() -> None:
        async with network_doors.shared(application, ""):
            (first,) = addresses.for_participants()
            assert first.startswith(f"http://{FIRST}:")
            assert await asked(first) == "marked: True"
            has[:] = [SECOND, FIRST]
            await until(lambda: len(addresses.for_participants()) == 2)
            second, still = addresses.for_participants()
            assert (second.startswith(f"http://{SECOND}:"), still) == (True, first)
            assert await asked(second) == "marked: True"
            has.clear()
            await until(lambda: not addresses.for_participants())
            has[:] = [FIRST]
            await until(lambda: addresses.for_participants() == (first,))
            assert await asked(first) == "marked: True"
        assert addresses.for_participants() == ()
        with pytest.raises(ConnectionRefusedError):
            await asked(first)

    finished(story())
    told = capsys.readouterr().err
    assert told.count("Epsilon Explorer is shared with your network") == 3
    assert told.count("Epsilon Explorer is not shared now") == 1
    assert told.count("The curator enters") == 1


def test_the_named_address_is_the_only_one(has: list[str]) -> None:
    async def story() -> None:
        async with network_doors.shared(application, SECOND):
            assert [address.split(":")[1] for address in addresses.for_participants()] == [f"//{SECOND}"]

    finished(story())


def test_an_address_that_is_gone_again_opens_no_door_and_ends_nothing(has: list[str]) -> None:
    async def story() -> None:
        has[:] = ["192.0.2.201", FIRST]
        async with network_doors.shared(application, ""):
            assert len(addresses.for_participants()) == 1

    finished(story())


@pytest.mark.parametrize(
    ("certificate", "address", "typed"),
    [
        (None, "192.168.1.7", "http://192.168.1.7:8501"),
        ("cert.pem", "192.168.1.7", "https://192.168.1.7:8501"),
        (None, "fd00::2", "http://[fd00::2]:8501"),
    ],
)
def test_what_participants_type(
    monkeypatch: pytest.MonkeyPatch, certificate: str | None, address: str, typed: str
) -> None:
    monkeypatch.setattr("streamlit.get_option", {"server.sslCertFile": certificate}.get)
    assert network_doors._typed(address, 8501) == typed


async def asked(address: str) -> str:
    """What the application answers to one request."""
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    return answer.decode().split("\r\n\r\n")[1]


async def until(reached: Callable[[], bool]) -> None:
    """Wait until something is so."""
    for _ in range(1000):
        if reached():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError
