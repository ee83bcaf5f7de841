"""Who comes is let in and shown a first page a few at a time, each address in its turn: who is here hardly feels it.

A page costs the server more than anything that is done on it, and costs whoever asks for it nothing.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.ui.serving.messages import asks_for_a_page
from pages.ui.serving.tries import counted_as

AT_ONCE = 2
"""Connections that are opened, and first pages that are drawn."""
OPENING_SECONDS = 0.1
"""For so long an opening holds its place, whoever leaves at once: twenty a second are opened, a room in eight."""
LONGEST_SECONDS = 10.0
"""After so long a page that is still being drawn keeps nobody waiting."""
_LONGEST_BYTES = 1_000
"""Of the message that a run has ended; longer ones are no such message, and are not read."""


class Turns:
    """So many places, given to those who wait by their addresses in turn, and within one by who came first."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def take(self, address: str) -> None:
        """Wait for a place, which is to be given back."""
        if self._free:
            self._free -= 1
            return
        called = asyncio.get_running_loop().create_future()
        self._lines.setdefault(address, deque()).append(called)
        try:
            await called
        except asyncio.CancelledError:
            if not called.cancelled():
                self.give_back()
            raise

    def give_back(self) -> None:
        """Hand a place on to whoever is next; who no longer waits is passed over."""
        while self._lines:
            address, line = self._lines.popitem(last=False)
            called = line.popleft()
            if line:
                self._lines[address] = line
            if not called.cancelled():
                called.set_result(None)
                return
        self._free += 1


class OneAfterAnother:
    """The same application, in which each connection waits for its turn, and so does its first page."""

    def __init__(self, app: ASGIApp, *, opened_at_once: int = AT_ONCE, drawn_at_once: int = AT_ONCE) -> None:
        self._app, self._openings, self._pages = app, Turns(opened_at_once), Turns(drawn_at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over; what is no connection waits for nothing."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        address = counted_as((scope.get("client") or ("", 0))[0])
        await self._openings.take(address)
        asyncio.get_running_loop().call_later(OPENING_SECONDS, self._openings.give_back)
        visit = _Visit(self._pages, address, receive, send)
        try:
            await self._app(scope, visit.hear, visit.say)
        finally:
            visit.end()


class _Visit:
    """One connection: its first page waits until there is a place, and holds that until it is drawn."""

    def __init__(self, turns: Turns, address: str, receive: Receive, send: Send) -> None:
        self._turns, self._address, self._receive, self._send = turns, address, receive, send
        self._ahead: asyncio.Future[Message] | None = None
        self._place: asyncio.Future[None] | None = None
        self._late: asyncio.TimerHandle | None = None
        self._is_new = True

    async def hear(self) -> Message:
        """The next message; whoever leaves while waiting for a place is not waited for."""
        message = await (self._ahead or self._receive())
        self._ahead = None
        if not (self._is_new and asks_for_a_page(message.get("bytes"))):
            return message
        self._is_new, self._ahead = False, asyncio.ensure_future(self._receive())
        place = self._place = asyncio.ensure_future(self._turns.take(self._address))
        await asyncio.wait({self._ahead, place}, return_when=asyncio.FIRST_COMPLETED)
        if not place.done() and self._ahead.result()["type"] == "websocket.disconnect":
            self._leave()
            return self._ahead.result()
        await place
        self._late = asyncio.get_running_loop().call_later(LONGEST_SECONDS, self._leave)
        return message

    async def say(self, message: Message) -> None:
        """Pass a message on, and the place with it where it says that the page is drawn."""
        await self._send(message)
        if self._place is not None and is_drawn(message):
            self._leave()

    def end(self) -> None:
        """Let go of everything, however it ended."""
        if self._ahead is not None:
            self._ahead.cancel()
        self._leave()

    def _leave(self) -> None:
        place, self._place = self._place, None
        if self._late is not None:
            self._late.cancel()
        if place is not None and not place.cancel():  # it was taken
            self._turns.give_back()


def is_drawn(message: Message) -> bool:
    """Whether this says that a run has ended, and not only to begin anew."""
    data = message.get("bytes") or b""
    told = ForwardMsg.FromString(data if len(data) <= _LONGEST_BYTES else b"")
    is_an_end = told.WhichOneof("type") == "script_finished"
    return is_an_end and bool(told.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN)
