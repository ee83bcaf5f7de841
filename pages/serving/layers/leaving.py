"""Whoever presses to leave, or to sign out, is no curator from then on, whatever becomes of the run that would do it.

A connection may be cut before that run has begun, and the same tab comes back with its session; and what the message
says besides may be more than is heard.
"""

from __future__ import annotations

import threading

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.serving.layers import sign_ins
from pages.serving.layers.messages import presses
from pages.serving.layers.proof import of_request
from pages.serving.layers.uploads import is_a_curators

LEAVE, SIGN_OUT = "leave", "curator_sign_out"
"""The keys of the two buttons."""
_signing_out = set[str]()
_lock = threading.Lock()


class NotedLeaving:
    """The same application, which hears of a press once it is noted."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over, and end what a browser's curator may as soon as either is pressed there."""

        async def hear() -> Message:
            message = await receive()
            said, browser = message.get("bytes"), of_request(scope)
            signed_in = sign_ins.of(browser)
            if (signed_in or is_a_curators(browser)) and (presses(said, LEAVE) or presses(said, SIGN_OUT)):
                if signed_in:
                    with _lock:
                        _signing_out.add(browser)
                sign_ins.end(browser)
            return message

        await self._app(scope, hear if scope["type"] == "websocket" else receive, send)


def is_to_be_signed_out(browser: str) -> bool:
    """Whether its provider has yet to be told that somebody there has signed out; once."""
    with _lock:
        told = browser not in _signing_out
        _signing_out.discard(browser)
        return not told
