"""A program that connects by itself is led to no stranger's, and nothing is said before it is known whose one is."""

from __future__ import annotations

import os
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from dpengine import way_to_postgres
from dpengine.way_to_postgres import port_of_ours

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system tells nobody's account")


def answered(host: str, port: int) -> bytes:
    """What a program hears through the way that says hello."""
    with port_of_ours(host, port) as own, socket.create_connection(("127.0.0.1", own), 10) as program:
        program.sendall(b"hello")
        try:
            return program.recv(100)
        except ConnectionResetError:  # the same: what was said to nobody is thrown away
            return b""


def echoing(door: socket.socket, heard: list[bytes]) -> threading.Thread:
    """A server that says what it hears, once."""

    def answers() -> None:
        with door.accept()[0] as way:
            heard.append(way.recv(100))
            with suppress(BrokenPipeError):
                way.sendall(heard[0])

    thread = threading.Thread(target=answers, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("strange", [False, True])
@pytest.mark.parametrize("by_folder", [False, True])
def test_it_leads_to_no_strangers_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, strange: bool, by_folder: bool
) -> None:
    monkeypatch.setattr(way_to_postgres, "is_a_strangers", lambda account: strange or account != os.getuid())
    heard = list[bytes]()
    with socket.socket(socket.AF_UNIX if by_folder else socket.AF_INET) as door:
        door.bind(f"{tmp_path}/.s.PGSQL.5432" if by_folder else ("127.0.0.1", 0))
        door.listen()
        server = echoing(door, heard)
        where = (str(tmp_path), 5432) if by_folder else door.getsockname()
        assert answered(*where) == (b"" if strange else b"hello")
        server.join()
    assert heard == [b"" if strange else b"hello"]


def test_nothing_is_said_before_somebody_has_taken_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger may wait with that: until then the system says that the connection is the administrator's."""
    monkeypatch.setattr(way_to_postgres, "_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as door:
        assert answered(*door.getsockname()) == b""
        with door.accept()[0] as late:
            assert late.recv(100) == b""


@pytest.mark.parametrize("strange", [False, True])
def test_no_strangers_program_comes_by_it(monkeypatch: pytest.MonkeyPatch, *, strange: bool) -> None:
    """The server would take it for us, where it asks the system who connects (`peer`)."""
    heard = list[bytes]()
    with socket.create_server(("127.0.0.1", 0)) as door:
        server = echoing(door, heard)
        if strange:
            monkeypatch.setattr("dpengine.way_to_postgres.os.getuid", lambda: 4321)
        assert answered(*door.getsockname()) == (b"" if strange else b"hello")
        if strange:  # nobody came to the server
            socket.create_connection(door.getsockname()).close()
        server.join()
    assert heard == [b"" if strange else b"hello"]


def test_who_came_by_it_is_let_go_when_it_ends() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        with port_of_ours(*door.getsockname()) as own:
            program = socket.create_connection(("127.0.0.1", own), 10)
            server = door.accept()[0]
            program.sendall(b"hello")
            assert server.recv(100) == b"hello", "The control."
        with program, server:
            assert program.recv(100) == server.recv(100) == b""
