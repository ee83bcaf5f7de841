"""Another account of this machine is nobody's curator: who has connected is asked of the system itself."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from pages.ui.serving import accounts_here
from pages.ui.serving.accounts_here import OwnAccount, account_of
from pages.ui.serving.guard import MIDDLEWARE
from pages.ui.serving.outside import MARK
from tests.running.cases import each
from tests.servers.looping import finished

LOOPBACK = "127.0.0.1"


@each(("family", "host"), [(socket.AF_INET, LOOPBACK), (socket.AF_INET6, f"::ffff:{LOOPBACK}")])
def test_the_system_says_whose_a_connection_is(family: socket.AddressFamily, host: str) -> None:
    with socket.create_server((LOOPBACK, 0)) as server, socket.socket(family) as way:
        way.connect((host, server.getsockname()[1]))
        met, client = server.accept()
        with met:
            assert account_of(*client, *server.getsockname()) == os.getuid()
            assert account_of(client[0], client[1], LOOPBACK, 1) is None


def told_from_outside(client: tuple[str, int], server: tuple[str, int], kind: str = "websocket") -> bool:
    """Whether the application is told that somebody came from outside."""
    heard = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        heard.append(MARK.encode() in dict(scope["headers"]))

    scope = {"type": kind, "client": client, "server": server, "headers": []}
    finished(OwnAccount(app)(scope, None, None))  # type: ignore[arg-type]
    return heard == [True]


@pytest.mark.parametrize(("further", "outside"), [(0, False), (1, True)])
def test_another_account_is_somebody_in_the_network(
    monkeypatch: pytest.MonkeyPatch, further: int, *, outside: bool
) -> None:
    own = os.getuid() + further
    monkeypatch.setattr(accounts_here, "_ROOT", -1)
    monkeypatch.setattr(os, "getuid", lambda: own)
    with socket.create_server((LOOPBACK, 0)) as server, socket.create_connection(server.getsockname()):
        met, client = server.accept()
        with met:
            assert told_from_outside(client, server.getsockname()) is outside
            assert not told_from_outside(client, server.getsockname(), kind="http")
            assert not told_from_outside(("203.0.113.9", 5), server.getsockname()), "Others' doors tell of them."


def test_a_system_that_tells_nothing_is_believed_as_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(accounts_here, "TABLES", (tmp_path / "nothing",))
    with socket.create_server((LOOPBACK, 0)) as server, socket.create_connection(server.getsockname()):
        met, client = server.accept()
        with met:
            assert account_of(*client, *server.getsockname()) is None
            assert not told_from_outside(client, server.getsockname())


def test_it_looks_before_anything_says_where_somebody_comes_from() -> None:
    assert MIDDLEWARE[0].cls is OwnAccount  # type: ignore[comparison-overlap]
