"""A way to PostgreSQL for programs that connect by themselves, such as pg_dump, and look at nobody whom they reach.

Where the system says whose a program is (Linux). The server may take whoever comes by this way for us, since it is we
who connect: nobody else's program is let in.
"""

from __future__ import annotations

import os
import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep

from dpengine import known_postgres
from dpengine.listeners import USUAL_FOLDER, is_a_strangers

_SECONDS, _LOOK_AGAIN_SECONDS, _LOOK_WHETHER_OVER_SECONDS, _BYTES = 10, 0.002, 0.2, 65536


@contextmanager
def port_of_ours(host: str, port: int) -> Iterator[int]:
    """A port of this machine that leads our programs, while this lasts, to a server: to no stranger's in its place.

    `host` as in an address of PostgreSQL: a name, a number, the folder of a socket, or empty.
    """
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=_let_in, args=(door, host, port, over), daemon=True, name="way to PostgreSQL").start()
        try:
            yield int(door.getsockname()[1])
        finally:
            over.set()
            with suppress(OSError):
                door.shutdown(socket.SHUT_RDWR)


def _let_in(door: socket.socket, host: str, port: int, over: threading.Event) -> None:
    with suppress(OSError):
        while True:
            program = door.accept()[0]
            threading.Thread(target=_lead_on, args=(program, host, port, over), daemon=True).start()


def _lead_on(program: socket.socket, host: str, port: int, over: threading.Event) -> None:
    with suppress(OSError), program:
        if known_postgres.at_the_other_end(program) != os.getuid():
            return
        with _reached(host, port) as server:
            account = _account_of(server)
            if account is None or is_a_strangers(account):
                return
            server.settimeout(None)
            _pass_on(program, server, over)


def _account_of(way: socket.socket) -> int | None:
    """Whose program is at the other end, once it has taken the connection: until then the system tells nobody's."""
    end = monotonic() + _SECONDS
    while monotonic() < end:
        account = known_postgres.at_the_other_end(way)
        if account is not None:
            return account
        sleep(_LOOK_AGAIN_SECONDS)
    return None


def _reached(host: str, port: int) -> socket.socket:
    if host and not host.startswith("/"):
        return socket.create_connection((host, port), _SECONDS)
    way = socket.socket(socket.AF_UNIX)
    way.settimeout(_SECONDS)
    way.connect(f"{host or USUAL_FOLDER}/.s.PGSQL.{port}")
    return way


def _pass_on(one: socket.socket, other: socket.socket, over: threading.Event) -> None:
    """What either says, to the other, until one of them ends, or nobody is to come this way any more."""
    with selectors.DefaultSelector() as waiting:
        for reads, writes in ((one, other), (other, one)):
            waiting.register(reads, selectors.EVENT_READ, writes)
        while not over.is_set():
            for key, _ in waiting.select(_LOOK_WHETHER_OVER_SECONDS):
                said = key.fileobj.recv(_BYTES)  # type: ignore[union-attr]
                if not said:
                    return
                key.data.sendall(said)
