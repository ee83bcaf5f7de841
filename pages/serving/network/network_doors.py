"""Open the network's door wherever this machine can be reached, and follow it when it joins another network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import streamlit as st
from starlette.types import ASGIApp

from pages.serving.network import addresses, announcement
from pages.serving.network.listeners import Doors

LOOK_SECONDS = 5.0
"""How long a laptop that woke up in another network waits until the door is open there."""


@asynccontextmanager
async def shared(app: ASGIApp, named: str) -> AsyncIterator[None]:
    """Share the application at the named address, else at every private one that the machine has or comes by."""
    doors = Doors(app)
    announcement.shared(_opened(doors, await _present(named)))
    following = asyncio.create_task(_follow(doors, named), name="following the network")
    try:
        yield
    finally:
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following
        await doors.close()
        addresses.announce(())


async def _follow(doors: Doors, named: str) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        before = addresses.for_participants()
        after = _opened(doors, await _present(named))
        if after != before:
            announcement.again(after)


async def _present(named: str) -> tuple[str, ...]:
    return (named,) if named else await asyncio.to_thread(addresses.of_this_machine)


def _opened(doors: Doors, present: tuple[str, ...]) -> tuple[str, ...]:
    """What participants type, for each address where there is a door now."""
    found = []
    for address in present:
        with suppress(OSError):
            found.append(_typed(address, doors.port(address, st.get_option("server.port"))))
    addresses.announce(tuple(found))
    return addresses.for_participants()


def _typed(address: str, port: int) -> str:
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    return f"{scheme}://[{address}]:{port}" if ":" in address else f"{scheme}://{address}:{port}"
