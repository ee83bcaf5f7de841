"""How often a browser may say something over its websocket: about as often as our pages make it, or it is cut off."""

from __future__ import annotations

from time import monotonic
from typing import Any

from websockets.frames import Frame

PER_SECOND, AT_ONCE = 20, 60
"""Of one connection, pings and pieces of messages among them; a page that is turned, pressed and typed on says ten a
second. Reading more would keep everybody else waiting.
"""
BYTES_PER_SECOND, BYTES_AT_ONCE = 1 << 18, 1 << 21
"""Of one connection: a page says some kilobytes at a time, and up to a hundred where its plan is a long link."""
_PORTION = 4096
"""Bytes that are read at once: no more than seven hundred frames, when the next are not read any more."""


class Pace:
    """How much has come beyond so much a second."""

    def __init__(self, per_second: int, at_once: int) -> None:
        self._per_second, self._at_once = per_second, at_once
        self._ahead, self._since = 0.0, monotonic()

    def is_too_fast(self, said: int) -> bool:
        """Whether so much more is too much."""
        now = monotonic()
        self._ahead = max(0.0, self._ahead - self._per_second * (now - self._since)) + said
        self._since = now
        return self._ahead > self._at_once


def paced(protocol: type[Any]) -> type[Any]:
    """The same protocol of websockets; who says more than a browser does is cut off, whatever kind of frame it is."""

    class Paced(protocol):  # type: ignore[misc]  # uvicorn's, which its settings name
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._frames, self._bytes = Pace(PER_SECOND, AT_ONCE), Pace(BYTES_PER_SECOND, BYTES_AT_ONCE)

        def data_received(self, data: bytes) -> None:
            for at in range(0, len(data), _PORTION):
                if not self.transport.is_closing():
                    super().data_received(data[at : at + _PORTION])

        def handle_events(self) -> None:
            said = sum(len(one.data) for one in self.conn.events if isinstance(one, Frame))
            if self._frames.is_too_fast(len(self.conn.events)) or self._bytes.is_too_fast(said):
                self.transport.abort()
            else:
                super().handle_events()

    return Paced
