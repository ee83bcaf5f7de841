"""The network's door: a second listener for the same application, which marks everybody who comes through it."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp
from streamlit.web.server.starlette.starlette_server import _get_uvicorn_config_kwargs as streamlits_own

from pages.ui.serving.outside import FromOutside
from pages.ui.serving.words import family

PORTS = 20
"""How many are tried, from that of this machine's own door on."""
GOODBYE_SECONDS = 3
WAITING = 2048


class Door(uvicorn.Server):
    """A listener that leaves Ctrl+C to the first one, and ends with it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing to catch: one listener of a process may."""
        yield


@asynccontextmanager
async def opened(app: ASGIApp, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
    """Serve the application at these sockets too, with Streamlit's own settings, encryption included."""
    settings = uvicorn.Config(
        FromOutside(app),
        lifespan="off",
        log_config=None,
        timeout_graceful_shutdown=GOODBYE_SECONDS,
        **streamlits_own(),
    )
    door = Door(settings)
    serving = asyncio.create_task(door.serve(list(sockets)))
    try:
        yield
    finally:
        door.should_exit = True
        await serving


def bound(address: str, port: int) -> socket.socket:
    """A socket at this address with this port, or the next that is free there."""
    for one in range(port, port + PORTS):
        try:
            return socket.create_server((address, one), family=family(address), backlog=WAITING)
        except OSError as refused:
            if refused.errno not in {errno.EADDRINUSE, errno.EACCES} or one == port + PORTS - 1:
                raise
    raise ValueError(port)
