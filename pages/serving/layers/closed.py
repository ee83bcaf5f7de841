"""Addresses of Streamlit that are told to nobody, and the one that says whom the browser may take orders from."""

from __future__ import annotations

from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

FIGURES = "/_stcore/metrics"
"""Among them how many bytes the curator's file has: from two sizes one could tell whether a row was added."""
AGENTS = "/_stcore/agent"
"""Programs that would be visitors without a browser."""
SCRIPT_HEALTH = "/_stcore/script-health-check"
HOST = "/_stcore/host-config"
_NO_HOST: dict[str, object] = {
    "allowedOrigins": [],
    "useExternalAuthToken": False,
    "enableCustomParentMessages": False,
    "enforceDownloadInNewTab": False,
    "metricsUrl": "",
    "blockErrorDialogs": False,
    "resourceCrossOriginMode": None,
}
"""Streamlit's own list of trusted pages holds addresses at which anybody may publish; an empty one hears nobody."""


_UNSEEN = PlainTextResponse("Bad Request", status_code=400)


class Closed:
    """The same application without those addresses, whatever the settings say."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as for any address that does not exist, or that nobody is trusted.

        An address with a sign that nobody can see is none: a route, whose pattern ends in `$`, matches before a last
        line break, where whoever compares ends does not.
        """
        if not scope.get("path", "").isprintable():
            await (_UNSEEN if scope["type"] == "http" else WebSocketClose())(scope, receive, send)
            return
        own = _answer(scope["path"].rstrip("/")) if scope["type"] == "http" else None
        await (self._app if own is None else own)(scope, receive, send)


def _answer(path: str) -> Response | None:
    if path.endswith(HOST):
        return JSONResponse(_NO_HOST, headers={"Cache-Control": "no-cache"})
    if path.endswith((FIGURES, SCRIPT_HEALTH, AGENTS)) or f"{AGENTS}/" in path:
        return PlainTextResponse("Not Found", status_code=404)
    return None
