"""Connections that are to be encrypted: each is known from its first moment, and has a few seconds to agree on how."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from functools import partial
from typing import Any

from uvicorn.protocols.utils import get_remote_addr

AGREEING_SECONDS = 5.0
"""A handshake is two ways and back, over the slowest telephone; asyncio would wait a minute."""
Counted = Callable[[Any, asyncio.Transport | None], None]
"""Is told by its other end whose connection was opened, and by which way; None: it has ended."""


def agreed_first(protocol: Callable[..., Any], context: ssl.SSLContext, counted: Counted) -> Callable[..., _Agreeing]:
    """A protocol whose connections are handed to this one once they are encrypted, for uvicorn to make them of."""
    return lambda **own: _Agreeing(partial(protocol, **own), context, counted)


class _Agreeing(asyncio.Protocol):
    """Whoever has connected and has not agreed yet; what comes in the moment between is handed on."""

    def __init__(self, protocol: Callable[[], Any], context: ssl.SSLContext, counted: Counted) -> None:
        self._protocol, self._context, self._counted = protocol, context, counted
        self._early = b""
        self._lost = False
        self._next: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # TCP's is one
        transport.pause_reading()  # the first byte is the encryption's
        end = get_remote_addr(transport)
        self._counted(end, transport)
        self._agreeing = asyncio.get_running_loop().create_task(self._agree(transport, end))

    def data_received(self, data: bytes) -> None:
        self._early += data

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        if self._next is not None:  # it was on its way to us as we handed over
            self._next.connection_lost(exc)

    async def _agree(self, transport: asyncio.Transport, end: Any) -> None:
        try:
            encrypted = await asyncio.get_running_loop().start_tls(
                transport,
                self,
                self._context,
                server_side=True,
                ssl_handshake_timeout=AGREEING_SECONDS,
                ssl_shutdown_timeout=AGREEING_SECONDS,
            )
        except OSError:  # of which all that TLS refuses is one
            encrypted = None
        self._counted(end, None)  # from here on by its own protocol, under whatever name it has by then
        if encrypted is None or self._lost:
            return
        self._next = self._protocol()
        encrypted.set_protocol(self._next)
        self._next.connection_made(encrypted)
        if self._early:
            self._next.data_received(self._early)
