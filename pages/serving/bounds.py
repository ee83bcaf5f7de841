"""How long a message of a browser may be, and how many connections and sessions this process may hold."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.serving.agreeing import agreed_first
from pages.serving.layers.pace import paced
from pages.serving.tries import counted_as

LONGEST_MESSAGE = 1 << 19
"""Bytes. Streamlit would take what it may send, a hundred megabytes, and reading one such message stops everybody else;
files come another way.
"""
OPEN_FILES = 4096
"""An open page takes four: room for 600, and for what the process needs besides. Many systems begin with 1024."""
MOST_WITHOUT_A_PAGE = 500
"""Connections that are no open page's: a file is fetched over one, or nothing yet; uvicorn would keep them for ever."""


@dataclass(frozen=True, slots=True)
class _Connection:
    """A connection, and the address as which it is counted."""

    way: asyncio.Transport
    address: str


_heard: dict[object, _Connection] = {}
"""Each connection that is no page's by its other end, whoever said something last at the end."""


def keep(config: uvicorn.Config, most: int = MOST_WITHOUT_A_PAGE) -> uvicorn.Config:
    """Before the first connection comes: who says too much or too often is cut off, and who is silent goes first."""
    if not config.loaded:
        config.load()
    config.ws_max_size, config.http_protocol_class = LONGEST_MESSAGE, ends_the_silent(config.http_protocol_class, most)
    if config.ws_protocol_class is not None:
        config.ws_protocol_class = paced(config.ws_protocol_class)
    if config.ssl is not None:  # uvicorn hears of a connection once it is encrypted, and would wait a minute for that
        known = agreed_first(config.http_protocol_class, config.ssl, partial(_count, most))
        config.http_protocol_class, config.ssl = known, None  # type: ignore[assignment]  # it is called, no more
    return config


def ends_the_silent(protocol: type[Any], most: int) -> type[Any]:
    """The same protocol of connections; beyond so many, one of the address that has most of them is ended, but no page.

    Of these it is whoever has said nothing for longest, and is not being answered. One that would become a page is none
    until the application has heard of it; see Met.
    """

    class Heard(protocol):  # type: ignore[misc]  # which of uvicorn's it is, the machine decides
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            _count(most, self.client, transport)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.transport.get_protocol() is self and (met := _heard.pop(self.client, None)) is not None:
                _heard[self.client] = met

        def connection_lost(self, exc: Exception | None) -> None:
            _count(most, self.client, None)
            super().connection_lost(exc)

    return Heard


def _count(most: int, end: Any, way: asyncio.Transport | None) -> None:
    """Somebody who has said nothing yet is connected by this way; None: not any more."""
    _heard.pop(end, None)
    if way is not None:
        _heard[end] = _Connection(way, counted_as((end or ("",))[0]))
    if len(_heard) > most:
        _heard.pop(_next_to_end()).way.abort()


def _next_to_end() -> object:
    ((crowd, _),) = Counter(met.address for met in _heard.values()).most_common(1)
    theirs = [end for end, met in _heard.items() if met.address == crowd]
    return next((end for end in theirs if not _heard[end].way.get_write_buffer_size()), theirs[0])


class Met:
    """The same application, of whose open pages none is ended for its silence."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over."""
        if scope["type"] == "websocket":
            _heard.pop(scope.get("client"), None)
        await self._app(scope, receive, send)


def hold_as_many_as_promised() -> None:
    """Raise the limit of open files where the system begins lower and allows it; one that is higher already stays."""
    if sys.platform == "win32":
        return
    from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit, setrlimit  # noqa: PLC0415  (Windows has none)

    now, most = getrlimit(RLIMIT_NOFILE)
    wanted = OPEN_FILES if most == RLIM_INFINITY else min(OPEN_FILES, most)
    if now != RLIM_INFINITY and now < wanted:
        with suppress(OSError, ValueError):  # a server that may hold fewer serves fewer
            setrlimit(RLIMIT_NOFILE, (wanted, most))
