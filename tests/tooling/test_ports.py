"""The ports of test servers: nobody else's connection takes one while its server is started again."""

from __future__ import annotations

import socket
from contextlib import ExitStack

import pytest

from tests.servers import server

CALLS = 200


def test_no_connection_that_goes_out_is_given_a_port_of_a_server() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=CALLS) as somebody, ExitStack() as calls:
        given = [
            calls.enter_context(socket.create_connection(somebody.getsockname())).getsockname()[1] for _ in range(CALLS)
        ]
    assert min(given) > max(server.NEVER_CALLED_FROM)


def test_a_port_is_free_and_so_is_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, free = server.free_port(), server.free_port()
    monkeypatch.setattr(server, "NEVER_CALLED_FROM", (taken - 1, taken, free))
    with socket.create_server(("127.0.0.1", taken)):
        assert {server.free_port() for _ in range(CALLS)} == {free}
