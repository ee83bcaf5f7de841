"""How many may be here at once, in all and from one address: who comes beyond that reads why, and costs little."""

from __future__ import annotations

from collections import Counter

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.serving.tries import counted_as

MOST, MOST_EACH = 600, 250
"""Open pages; a room of 150 behind one address, its host and those who look on are far below."""
_WAIT_SECONDS = 30
_TRY_AGAIN_LATER = 1013
"""The code with which a websocket is closed; its browser tries again by itself."""
SENTENCE = "Too many people are here right now. Try again in a minute."
_PAGE = (
    '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    f"<title>Epsilon Explorer</title><body><h1>Not now</h1><p>{SENTENCE}</p></body></html>"
)


class NotTooMany:
    """The same application for so many open pages at once; nobody who is there already is sent away."""

    def __init__(self, app: ASGIApp, most: int = MOST, most_each: int = MOST_EACH) -> None:
        self._app, self._most, self._most_each = app, most, most_each
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over, or say why not: to whoever asks for a page, and to a browser that would connect all the same."""
        address = counted_as((scope.get("client") or ("", 0))[0])
        if scope["type"] == "websocket":
            await self._connected(address, scope, receive, send)
        elif _is_for_a_page(scope) and self._is_full(address):
            told = HTMLResponse(_PAGE, status_code=503, headers={"Retry-After": str(_WAIT_SECONDS)})
            await told(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _connected(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        if self._is_full(address):
            await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER, "reason": "Too many are here."})
            return
        self._open[address] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open[address] -= 1
            self._open += Counter()  # forgets addresses from which nobody is here

    def _is_full(self, address: str) -> bool:
        return self._open.total() >= self._most or self._open[address] >= self._most_each


def _is_for_a_page(scope: Scope) -> bool:
    return scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", "")
