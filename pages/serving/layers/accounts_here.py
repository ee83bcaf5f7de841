"""Whose program has connected within this machine, where the system tells it (Linux): accounts are kept apart."""

from __future__ import annotations

import asyncio
import os
import platform
from concurrent.futures import ThreadPoolExecutor

from starlette.types import ASGIApp, Receive, Scope, Send

from dpengine import listeners
from pages.serving.alone import LOOPBACK, set_up_for_one
from pages.serving.layers import opened
from pages.serving.network.outside import FromOutside

_OF_ONE_PERSON = "microsoft" in platform.release().lower()
"""Linux inside Windows, whose browser connects from where no table of Linux has it."""
_looking = ThreadPoolExecutor(1, "looks whose a connection is")
"""Of our own: who writes files in the process's threads keeps nobody out."""


class OwnAccount:
    """The same application, to which a program of another account of this machine is somebody in the network."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._from_outside = app, FromOutside(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over; only who connects, or opens an address with a token, has or gets a role by sitting here."""
        loop, is_anothers = asyncio.get_running_loop(), False
        if (scope["type"] == "websocket" or opened.says_a_token(scope)) and set_up_for_one():
            is_anothers = await loop.run_in_executor(_looking, _is_anothers, scope)
        await (self._from_outside if is_anothers else self._app)(scope, receive, send)


def _is_anothers(scope: Scope) -> bool:
    """Whether the other end of this machine's own door is not proved to be ours; at other doors nobody is believed."""
    client, server = scope.get("client") or ("", 0), scope.get("server") or ("", 0)
    if _OF_ONE_PERSON or server[0] not in LOOPBACK or not any(table.exists() for table in listeners.TABLES):
        return False
    return listeners.account_of(*client, *server) != os.getuid()
