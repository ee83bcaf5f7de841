"""Set up for one person, the dashboard answers under this machine's own names, and to its own pages alone.

Served to others, it answers under any name, and its websocket still to its own pages alone.

A page on the internet may give its own name this machine's address afterwards (DNS rebinding), or be of another
program here: neither gets what an analyst would read. Who opens another name of this machine, as `localhost`, is led to
the one that is listened to.
"""

from __future__ import annotations

import streamlit as st
from starlette.datastructures import URL, Headers
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.serving.alone import SERVED, is_named_page, is_own_name, is_own_page, is_this_machine, set_up_for_one
from pages.serving.network.outside import MARK, is_ours

_NOT_OURS, _REFUSED = 421, 1008
_WHY = (
    "This dashboard is set up for one person, and answers only at this machine's own name, 127.0.0.1. "
    f"To serve it to others under another name, set {SERVED}=yes before starting it."
)


class OwnNames:
    """The same application, which does not hear who calls this machine otherwise; the network's door asks no name."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over, or refuse."""
        if scope["type"] == "lifespan" or _is_heard(scope["type"], Headers(scope=scope)):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _REFUSED})
        elif place := _led_to(scope):
            await RedirectResponse(place)(scope, receive, send)
        else:
            await PlainTextResponse(_WHY, status_code=_NOT_OURS)(scope, receive, send)


def _is_heard(kind: str, headers: Headers) -> bool:
    """Whether somebody came as the dashboard is set up; of what others are served, a page of theirs connects to none.

    Streamlit would hear every page of every program of this machine, and of whoever looks at one.
    """
    if set_up_for_one() and not _is_ours(headers):
        return False
    named = headers.getlist("host")
    return kind != "websocket" or all(
        (len(named) == 1 and is_own_page(origin, named[0])) or is_named_page(origin)
        for origin in headers.getlist("origin")
    )


def _led_to(scope: Scope) -> str:
    """Where a page is that somebody opens under another name of this machine; empty for anything else."""
    headers, asked = Headers(scope=scope), URL(scope=scope)
    opens = scope["method"] == "GET" and "text/html" in headers.get("accept", "") and "origin" not in headers
    if not opens or len(headers.getlist("host")) != 1 or not is_this_machine(headers["host"]):
        return ""
    return str(asked.replace(hostname=str(st.get_option("server.address"))))


def _is_ours(headers: Headers) -> bool:
    """Whether somebody came through the network's door, or a page of ours asks, or a program that names no page."""
    named, origins = headers.getlist("host"), headers.getlist("origin")
    return is_ours(headers.getlist(MARK)) or (
        len(named) == 1 and is_own_name(named[0]) and all(is_own_page(origin, named[0]) for origin in origins)
    )
