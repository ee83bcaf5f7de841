"""A way to PostgreSQL for programs that connect by themselves, such as pg_dump, and look at nobody whom they reach."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep

from dpengine import known_postgres
from dpengine.listeners import USUAL_FOLDER, is_a_strangers, is_told

_SECONDS, _LOOK_AGAIN_SECONDS, _BYTES = 10, 0.002, 65536


@contextmanager
def port_of_ours(host: str, port: int) -> Iterator[int]:
    """A port of this machine that leads on to a server: to no stranger's program, and not to who listens meanwhile.

    `host` as in an address of PostgreSQL: a name, a number, the folder of a socket, or empty.
    """
    with socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=_let_in, args=(door, host, port), daemon=True, name="way to PostgreSQL").start()
        try:
            yield int(door.getsockname()[1])
        finally:
            with suppress(OSError):
                door.shutdown(socket.SHUT_RDWR)


def _let_in(door: socket.socket, host: str, port: int) -> None:
    with suppress(OSError):
        while True:
            program = door.accept()[0]
            threading.Thread(target=_lead_on, args=(program, host, port), daemon=True).start()


def _lead_on(program: socket.socket, host: str, port: int) -> None:
    with suppress(OSError), program, _reached(host, port) as server:
        if not _is_taken_by_no_stranger(server):
            return
        server.settimeout(None)
        _pass_on(program, server)


def _is_taken_by_no_stranger(server: socket.socket) -> bool:
    """Nothing is said before somebody has taken the connection: until then the system tells nobody's account."""
    end = monotonic() + _SECONDS
    while is_told() and monotonic() < end:
        account = known_postgres.at_the_other_end(server)
        if account is not None:
            return not is_a_strangers(account)
        sleep(_LOOK_AGAIN_SECONDS)
    return not is_told()


def _reached(host: str, port: int) -> socket.socket:
    if host and not host.startswith("/"):
        return socket.create_connection((host, port), _SECONDS)
    way = socket.socket(socket.AF_UNIX)
    way.settimeout(_SECONDS)
    way.connect(f"{host or USUAL_FOLDER}/.s.PGSQL.{port}")
    return way


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    """What either says, to the other, until one of them ends."""
    with selectors.DefaultSelector() as waiting:
        for reads, writes in ((one, other), (other, one)):
            waiting.register(reads, selectors.EVENT_READ, writes)
        while True:
            for key, _ in waiting.select():
                said = key.fileobj.recv(_BYTES)  # type: ignore[union-attr]
                if not said:
                    return
                key.data.sendall(said)
