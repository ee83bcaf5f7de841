"""Whose program listens at a port of this machine: real sockets, told as another person's where nobody's is trusted."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest

from dpengine import listeners
from dpengine.listeners import no_certificate_tells, strangers_listen
from tests.running.cases import each

LOOPBACK, ELSEWHERE, EVERYWHERE = "127.0.0.1", "192.0.2.1", "0.0.0.0"  # noqa: S104


@pytest.fixture
def nobody_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever listens, ourselves among them, is another person."""
    own = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: own + 1)
    monkeypatch.setattr(listeners, "FIRST_OF_PEOPLE", 0)


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server((LOOPBACK, 0)) as server:
        yield server.getsockname()[1]


def test_our_own_program_is_no_stranger(port: int) -> None:
    assert not strangers_listen(LOOPBACK, port)


@pytest.mark.usefixtures("nobody_trusted")
@each(
    ("place", "host"),
    [
        *product(
            (LOOPBACK, ""), (LOOPBACK, "localhost", "LOCALHOST", "127.1", "2130706433", EVERYWHERE, "::ffff:127.0.0.1")
        ),
        *product(("",), ("::1", "[::]", "0:0:0:0:0:0:0:1", socket.gethostname())),
        (LOOPBACK, "::"),
    ],
)
def test_another_account_is_one_wherever_the_address_would_lead_to_it(place: str, host: str) -> None:
    with socket.create_server((place, 0)) as server:
        number = server.getsockname()[1]
        assert strangers_listen(host, number)
        assert not strangers_listen(ELSEWHERE, number), "That is no port of this machine."
    assert not strangers_listen(host, number), "Nobody listens any more."


@pytest.mark.usefixtures("nobody_trusted")
def test_so_it_is_at_the_number_that_a_name_leads_to_first() -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as server:
        number = server.getsockname()[1]
        assert strangers_listen("[::1]", number)
        assert not strangers_listen(LOOPBACK, number), "That way leads to nobody."


@pytest.mark.usefixtures("nobody_trusted")
def test_where_the_system_does_not_tell_accounts_apart_nobody_is_accused(
    port: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert strangers_listen(LOOPBACK, port)
    container = tmp_path / "uid_map"
    container.write_text("0 1000 1\n")
    monkeypatch.setattr(listeners, "ACCOUNTS", container)
    assert not strangers_listen(LOOPBACK, port)


def test_a_socket_in_a_folder_is_whose_file_it_is(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(str(tmp_path / ".s.PGSQL.5432"))
        assert not strangers_listen(str(tmp_path), 5432)
        request.getfixturevalue("nobody_trusted")
        assert strangers_listen(str(tmp_path), 5432)
        assert not strangers_listen(str(tmp_path), 5433)


def test_a_certificate_tells_who_listens_but_not_through_a_socket_in_a_folder() -> None:
    assert not no_certificate_tells(LOOPBACK, "verify-full")
    assert no_certificate_tells(LOOPBACK, "require")
    assert no_certificate_tells("/run/postgresql", "verify-full")
    assert no_certificate_tells("", "verify-full")
