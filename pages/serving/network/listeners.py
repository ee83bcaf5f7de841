"""The network's door: more listeners for the same application, which mark everybody who comes through them."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from streamlit.web.server.starlette.starlette_server import _get_uvicorn_config_kwargs as streamlits_own

from pages.serving.bounds import keep
from pages.serving.network.outside import FromOutside
from pages.serving.network.words import family

PORTS = 20
"""How many are tried, from that of this machine's own door on."""
GOODBYE_SECONDS = 3
WAITING = 2048


class Listener(uvicorn.Server):
    """One that leaves Ctrl+C to the first of the process, and ends with it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing to catch: one listener of a process may."""
        yield


class Doors:
    """One listener for each address, with Streamlit's own settings, encryption included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = FromOutside(app)
        self._open: dict[str, tuple[int, Listener, asyncio.Task[None]]] = {}

    def port(self, address: str, wanted: int) -> int:
        """The port behind which the application is reached at this address; OSError where nobody may listen there."""
        if address not in self._open:
            own = bound(address, wanted)
            listener = Listener(self._settings())
            serving = asyncio.create_task(listener.serve([own]), name=f"door {address}")
            self._open[address] = own.getsockname()[1], listener, serving
        return self._open[address][0]

    async def close(self) -> None:
        """End them all, and wait until they have."""
        for _, listener, _ in self._open.values():
            listener.should_exit = True
        await asyncio.gather(*(serving for _, _, serving in self._open.values()))

    def _settings(self) -> uvicorn.Config:
        own: dict[str, Any] = streamlits_own()
        return keep(
            uvicorn.Config(
                self._app,
                lifespan="off",
                log_config=None,
                proxy_headers=False,
                timeout_graceful_shutdown=GOODBYE_SECONDS,
                **own,
            )
        )


def bound(address: str, port: int) -> socket.socket:
    """A socket at this address with this port, or the next that is free there."""
    for one in range(port, port + PORTS - 1):
        try:
            return _listening(address, one)
        except OSError as refused:
            if refused.errno not in {errno.EADDRINUSE, errno.EACCES}:
                raise
    return _listening(address, port + PORTS - 1)


def _listening(address: str, port: int) -> socket.socket:
    return socket.create_server((address, port), family=family(address), backlog=WAITING)
