"""A page that looks by itself whether something has happened: where nothing has, no run is spent on the look."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from time import monotonic

import streamlit as st
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

from pages.serving.layers.messages import look_of, of_the_page

HEADER = "x-epsilon-explorer-connection"
AT_LEAST_EVERY_SECONDS = 5.0
"""So often a look is run whatever is known: nothing stays unseen for longer."""
MOST_PARTS = 20
"""So many parts of a page are known; of a page that is drawn anew they have other names. One that is not is run."""
_numbers = count()
_asking = ThreadPoolExecutor(2, "asks whether a room has moved on")
"""Of our own: who writes files in the process's threads keeps nobody waiting here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPart:
    """What a page shows, and the part of it that looks by itself: anything that is another where it changes."""

    page: Hashable
    part: Hashable


@dataclass(frozen=True, slots=True)
class _Seen:
    """What has been shown, and how that stands now."""

    shown: ShownPart
    now: Callable[[], ShownPart]
    since: float = field(default_factory=monotonic)

    async def changed(self) -> str:
        """What of it is another by now: the page, the part, or nothing; a part is drawn now and then all the same."""
        now = await asyncio.get_running_loop().run_in_executor(_asking, self.now)
        if now.page != self.shown.page:
            return "page"
        return "part" if now != self.shown or monotonic() - self.since > AT_LEAST_EVERY_SECONDS else ""


_connections: dict[str, dict[str, _Seen]] = {}


def shows(shown: ShownPart, now: Callable[[], ShownPart]) -> None:
    """Say in a part that runs by itself what is shown: until that is different, it need not run again.

    `now` says how it stands, in another thread, and raises nothing.
    """
    seen = _connections.get(str(st.context.headers.get(HEADER)))
    if seen is not None:
        seen[ThreadState.get().fragment_id or ""] = _Seen(shown, now)
        while len(seen) > MOST_PARTS:
            seen.pop(next(iter(seen), ""), None)


class OnlyNews:
    """The same application, which hears of a page's own looks only those that would show something new."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over with our header, in place of any that claims to be it."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        number, seen = f"{next(_numbers)}", dict[str, _Seen]()
        kept = [(name, value) for name, value in scope.get("headers", ()) if name.lower() != HEADER.encode()]
        marked = {**scope, "headers": [*kept, (HEADER.encode(), number.encode())]}

        async def news() -> Message:
            while True:
                message = await receive()
                looking = seen.get(look_of(message.get("bytes")))
                changed = "part" if looking is None else await looking.changed()
                if changed == "page":
                    seen.clear()
                    return {**message, "bytes": of_the_page(message["bytes"])}
                if changed:
                    return message

        _connections[number] = seen
        try:
            await self._app(marked, news, send)
        finally:
            del _connections[number]
