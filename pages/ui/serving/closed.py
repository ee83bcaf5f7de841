"""What is told to nobody: Streamlit's figures about itself, among them how many bytes the curator's file has."""

from __future__ import annotations

from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

FIGURES = "/_stcore/metrics"


class WithoutFigures:
    """The same application without that address: from two sizes one could tell whether a row was added."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as for any address that does not exist."""
        if scope["type"] == "http" and scope["path"].rstrip("/").endswith(FIGURES):
            await PlainTextResponse("Not Found", status_code=404)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


MIDDLEWARE = (Middleware(WithoutFigures),)
