"""Another account of this machine is nobody's curator: who has connected is asked of the system itself."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest
from starlette.types import Receive, Scope, Send

from dpengine import listeners
from dpengine.listeners import account_of
from pages.serving.bounds import Met
from pages.serving.guard import MIDDLEWARE
from pages.serving.layers import accounts_here
from pages.serving.layers.accounts_here import OwnAccount
from pages.serving.network.outside import MARK
from tests.running.cases import each
from tests.servers.looping import finished

LOOPBACK = "127.0.0.1"
Connected = tuple[socket.socket, tuple[str, int], tuple[str, int]]


@contextmanager
def connected(family: socket.AddressFamily = socket.AF_INET, host: str = LOOPBACK) -> Iterator[Connected]:
    """A connection within this machine: the end that began it, and both addresses as the other one sees them."""
    with socket.create_server((LOOPBACK, 0)) as server, socket.socket(family) as way:
        way.connect((host, server.getsockname()[1]))
        met, client = server.accept()
        with met:
            yield way, client, met.getsockname()


@pytest.fixture(params=["by the kernel", "without its module", "by its tables"], autouse=True)
def asked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The system is asked for one connection, or, where it answers no such question, for all of them."""
    listeners._kernel_tells.cache_clear()
    if request.param == "by its tables":
        monkeypatch.setattr(listeners, "_SOCK_DIAG", -1)
    elif request.param == "without its module":
        monkeypatch.setattr(listeners, "_account_by_kernel", lambda *_: None)
    else:
        monkeypatch.setattr(listeners, "_account_by_tables", pytest.fail)
    yield
    listeners._kernel_tells.cache_clear()


@each(("family", "host"), [(socket.AF_INET, LOOPBACK), (socket.AF_INET6, f"::ffff:{LOOPBACK}")])
def test_the_system_says_whose_a_connection_is(family: socket.AddressFamily, host: str) -> None:
    with connected(family, host) as (_, client, server):
        assert account_of(*client, *server) == os.getuid()
        assert account_of(client[0], client[1], LOOPBACK, 1) is None


@each("ends", [lambda way: way.close(), lambda way: way.shutdown(socket.SHUT_WR)])
def test_whoever_has_closed_their_end_is_nobody_any_more(ends: Callable[[socket.socket], None]) -> None:
    """The system writes that such an end is the administrator's; what was sent before is still read."""
    with connected() as (way, client, server):
        assert not told_from_outside(client, server)
        ends(way)
        assert account_of(*client, *server) is None
        assert told_from_outside(client, server)


def told_from_outside(
    client: tuple[str, int], server: tuple[str, int], kind: str = "websocket", query: bytes = b""
) -> bool:
    """Whether the application is told that somebody came from outside."""
    heard = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        heard.append(MARK.encode() in dict(scope["headers"]))

    scope = {"type": kind, "client": client, "server": server, "headers": [], "query_string": query}
    finished(OwnAccount(app)(scope, None, None))  # type: ignore[arg-type]
    return heard == [True]


@pytest.mark.parametrize(("further", "outside"), [(0, False), (1, True)])
def test_another_account_is_somebody_in_the_network(
    monkeypatch: pytest.MonkeyPatch, further: int, *, outside: bool
) -> None:
    own = os.getuid() + further
    monkeypatch.setattr(os, "getuid", lambda: own)
    with connected() as (_, client, server):
        assert told_from_outside(client, server) is outside
        assert not told_from_outside(client, server, kind="http")
        assert told_from_outside(client, server, kind="http", query=b"plan=x&token=read") is outside
        assert not told_from_outside(client, ("203.0.113.9", server[1])), "That door believes nobody anyway."
        monkeypatch.setattr(accounts_here, "set_up_for_one", lambda: False)
        assert not told_from_outside(client, server), "Nor is anybody curator by sitting here."


@each(
    ("place", "name", "value"),
    [(listeners, "TABLES", (Path("nothing"),)), (accounts_here, "_OF_ONE_PERSON", True)],
)
def test_a_system_that_tells_nothing_is_believed_as_before(place: ModuleType, name: str, value: object) -> None:
    with connected() as (way, client, server), pytest.MonkeyPatch.context() as patch:
        way.close()
        assert told_from_outside(client, server)
        patch.setattr(place, name, value)
        assert not told_from_outside(client, server)


def test_it_looks_before_anything_says_where_somebody_comes_from() -> None:
    assert [one.cls for one in MIDDLEWARE[:2]] == [Met, OwnAccount]  # type: ignore[comparison-overlap]
