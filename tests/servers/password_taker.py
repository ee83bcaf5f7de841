"""A server that stands at a database's port while that is down, and asks for the password in the clear."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

_NO_ENCRYPTION, _IN_THE_CLEAR = b"N", b"R\x00\x00\x00\x08\x00\x00\x00\x03"
"""Answers of PostgreSQL's protocol: to SSLRequest, and AuthenticationCleartextPassword."""


@dataclass(slots=True)
class Taken:
    """Its port, and all that it was told."""

    port: int
    told: list[bytes] = field(default_factory=list)


@contextmanager
def password_taker() -> Iterator[Taken]:
    """Listens until the end."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        taken = Taken(port=listening.getsockname()[1])
        threading.Thread(target=_serve, args=(listening, taken), daemon=True).start()
        yield taken


def _serve(listening: socket.socket, taken: Taken) -> None:
    with suppress(OSError):
        while True:
            connection, _ = listening.accept()
            with connection, suppress(OSError):
                connection.settimeout(5.0)
                if connection.recv(1024)[4:8] == b"\x04\xd2\x16\x2f":
                    connection.sendall(_NO_ENCRYPTION)
                    connection.recv(1024)
                connection.sendall(_IN_THE_CLEAR)
                taken.told.append(connection.recv(1024))
