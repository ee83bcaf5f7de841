"""Whose program has connected within this machine, where the system tells it (Linux): accounts are kept apart."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

from pages.ui.serving.outside import FromOutside

TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""The system's connections, each with the account that opened it."""
_ROOT = 0
_LOCAL, _REMOTE, _ACCOUNT = 1, 2, 7


class OwnAccount:
    """The same application, to which a program of another account of this machine is somebody in the network."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._from_outside = app, FromOutside(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over; only who connects has a role."""
        is_anothers = scope["type"] == "websocket" and await asyncio.to_thread(_is_anothers, scope)
        await (self._from_outside if is_anothers else self._app)(scope, receive, send)


def _is_anothers(scope: Scope) -> bool:
    """Whether the other end is here and neither ours nor the administrator's, who may read everything anyway."""
    ends = scope.get("client"), scope.get("server")
    account = account_of(*ends[0], *ends[1]) if ends[0] and ends[1] else None
    return account not in {None, os.getuid(), _ROOT}


def account_of(host: str, port: int, to_host: str, to_port: int) -> int | None:
    """The account whose program has connected from here to there; None where it is not on this machine."""
    ways = set(zip(_written(host, port), _written(to_host, to_port), strict=True))
    for table in TABLES:
        try:
            lines = table.read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if (fields[_LOCAL], fields[_REMOTE]) in ways:
                return int(fields[_ACCOUNT])
    return None


def _written(host: str, port: int) -> Iterator[str]:
    """An end of a connection as the system writes it: each four bytes the other way round."""
    try:
        address = ip_address(host)
    except ValueError:
        return
    mapped = IPv6Address(f"::ffff:{address}") if isinstance(address, IPv4Address) else address
    for packed in (address.packed, mapped.packed):
        words = (packed[at : at + 4][::-1].hex() for at in range(0, len(packed), 4))
        yield f"{''.join(words)}:{port:04x}".upper()
