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
MOST_WAITING = 150
"""Openings from one address; further ones are told to try again, as a browser does by itself."""
SOON_SECONDS, LONGEST_SECONDS = 0.5, 10.0
"""After so long a page that has not begun, or one that is still being drawn, keeps nobody waiting."""
_TRY_AGAIN_LATER = 1013
_LONGEST_BYTES = 100_000
"""Of the messages that a run has begun or ended; longer ones are not read."""


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

    def waiting(self, address: str) -> int:
        """How many wait there."""
        return len(self._lines.get(address, ()))

    def give_back(self) -> None:
        """Hand a place on to whoever is next; who no longer waits is passed over, and costs the others no turn."""
        while self._lines:
            address, line = next(iter(self._lines.items()))
            called = line.popleft()
            if not line:
                del self._lines[address]
            if not called.cancelled():
                if line:
                    self._lines.move_to_end(address)
                called.set_result(None)
                return
        self._free += 1


class OpenedInTurn:
    """The same application, whose connections are opened a few at a time."""

    def __init__(self, app: ASGIApp, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING) -> None:
        self._app, self._turns, self._most = app, Turns(at_once), most_waiting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over once there is a place; what is no connection waits for nothing.

        Nobody hears here that a browser has left; so those who wait are not counted among those who are here.
        """
        if scope["type"] == "websocket":
            address = counted_as((scope.get("client") or ("", 0))[0])
            if self._turns.waiting(address) >= self._most:
                await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER, "reason": "Too many wait there."})
                return
            await self._turns.take(address)
            asyncio.get_running_loop().call_later(OPENING_SECONDS, self._turns.give_back)
        await self._app(scope, receive, send)


class DrawnInTurn:
    """The same application, in which the first page of each connection waits for its turn."""

    def __init__(self, app: ASGIApp, at_once: int = AT_ONCE) -> None:
        self._app, self._turns = app, Turns(at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over; what is no connection waits for nothing."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        visit = _Visit(self._turns, counted_as((scope.get("client") or ("", 0))[0]), receive, send)
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
        self._is_new, self._begun = True, False

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
        self._hold_for(SOON_SECONDS)
        return message

    async def say(self, message: Message) -> None:
        """Pass a message on, and the place with it where it says that the page is drawn that was begun here.

        Whoever comes back with a session may still hear the last words of a run before.
        """
        await self._send(message)
        if self._late is None:
            return
        told = run_of(message)
        if told == "new_session":
            self._begun = True
            self._hold_for(LONGEST_SECONDS)
        elif told == "script_finished" and self._begun:
            self._leave()

    def end(self) -> None:
        """Let go of everything, however it ended."""
        if self._ahead is not None:
            self._ahead.cancel()
        self._leave()

    def _hold_for(self, seconds: float) -> None:
        if self._late is not None:
            self._late.cancel()
        self._late = asyncio.get_running_loop().call_later(seconds, self._leave)

    def _leave(self) -> None:
        place, self._place = self._place, None
        if self._late is not None:
            self._late.cancel()
            self._late = None
        if place is not None and place.done() and not place.cancelled():
            self._turns.give_back()
        elif place is not None:
            place.cancel()


def run_of(message: Message) -> str:
    """What a message says of a run, in Streamlit's word: that it has begun, or ended other than to begin anew."""
    data = message.get("bytes") or b""
    told = ForwardMsg.FromString(data if len(data) <= _LONGEST_BYTES else b"")
    word = told.WhichOneof("type") or ""
    anew = word == "script_finished" and told.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
    return "" if anew else str(word)
