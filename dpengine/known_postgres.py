"""Connections to PostgreSQL, of which none is made to a stranger's program on this machine (Linux).

Who listens is looked at before, and who has taken the connection before anything is proved to them: a program that
listens for a moment, or passes on what it hears to the real server, is told a name and a question at most.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Generator
from functools import cache
from importlib import import_module
from typing import Any

from dpengine import listeners

WITHIN_A_MINUTE = {
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
}
"""A way on which nobody acknowledges anything any more ends, and holds up nothing longer."""
Steps = Generator[tuple[int, Any], Any, Any]
"""What a driver waits for while it connects: a descriptor, and for what; and what it is told of that."""


class StrangerListensError(Exception):
    """Another person's program is where PostgreSQL would be."""


def connect(*given: Any, **settings: Any) -> Any:
    """The driver's connection; raises StrangerListensError besides what the driver raises."""
    return _driver().connect(*given, **settings)


def _looked_at(steps: Steps) -> Steps:
    """The same steps, each after a look at whose program is at the other end of the descriptor."""
    told = None
    while True:
        try:
            waited = steps.send(told)
        except StopIteration as end:
            return end.value
        if _is_a_strangers(waited[0]):
            steps.close()
            raise StrangerListensError
        told = yield waited


@cache
def _driver() -> Any:
    psycopg, generators = import_module("psycopg"), import_module("psycopg.generators")

    class LookedAt(psycopg.Connection):  # type: ignore[misc,name-defined]  # a server without PostgreSQL has no driver
        @classmethod
        def _connect_gen(cls, conninfo: str = "") -> Steps:
            made = yield from _looked_at(generators.connect(conninfo))
            if _is_a_strangers(made.socket):
                made.finish()
                raise StrangerListensError
            return cls(made)

    return LookedAt


def _is_a_strangers(descriptor: int) -> bool:
    with socket.socket(fileno=os.dup(descriptor)) as way:
        try:
            account = at_the_other_end(way)
        except OSError:  # not connected yet
            return False
    return account is not None and listeners.is_a_strangers(account)


def at_the_other_end(way: socket.socket) -> int | None:
    """The account whose program has taken a connection; None where none has, and where no system tells it."""
    if way.family == getattr(socket, "AF_UNIX", None):
        return listeners.account_in_folder(way)
    server, own = way.getpeername()[:2], way.getsockname()[:2]
    return listeners.account_of(*server, *own)
