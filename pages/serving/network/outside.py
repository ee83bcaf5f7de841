"""The mark that a connection carries when it came through the network's door, whatever else it says of itself."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from starlette.types import ASGIApp, Receive, Scope, Send

MARK = "x-epsilon-explorer-outside"
_OURS = secrets.token_urlsafe(32)
"""What this process alone can say under it."""


class FromOutside:
    """The same application, told of every request and websocket that it came from outside."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over with one more header, which nobody can take away again."""
        marked = dict(scope)
        marked["headers"] = [*scope.get("headers", ()), (MARK.encode(), _OURS.encode())]
        await self._app(marked, receive, send)


def is_ours(said: Sequence[str]) -> bool:
    """Whether the network's door has set the mark, and not a visitor."""
    return _OURS in said
