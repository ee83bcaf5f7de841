"""A few places that many wait for: whoever has had least goes first, so that those who are here hardly feel an attack.

A page costs the server more than anything that is done on it, and costs whoever asks for it nothing.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from time import monotonic

from starlette.types import ASGIApp, Receive, Scope, Send

from pages.serving.tries import counted_as

AT_ONCE = 2
"""Connections that are opened."""
OPENING_SECONDS = 0.1
"""For so long an opening holds its place, whoever leaves at once: twenty a second are opened, a room in eight."""
MOST_WAITING = 150
"""Openings from one address; further ones are told to try again, as a browser does by itself."""
MOST_IN_ALL = 600
"""Openings from everywhere that wait, each of which holds an open file; an address of which none waits has one more."""
LEAST_SECONDS = 0.01
"""What a place counts for at least, however soon it is given back."""
_TRY_AGAIN_LATER = 1013
_MOST_REMEMBERED = 2_000


@dataclass(frozen=True, slots=True)
class HeldTurn:
    """Whose it is, and since when by the monotonic clock."""

    address: str
    since: float


class Turns:
    """So many places, given to the address that has had them for the shortest time, and within one by who came first.

    Who has had none for a while is counted as having had as much as whoever was served last (start-time fair queueing,
    Goyal, Vin and Cheng 1996): nobody saves up turns. So many places are `kept` for those who are counted so, and stay
    free for them while others wait; nobody who asks without end has these.
    """

    def __init__(self, places: int, kept: int = 0) -> None:
        self._free, self._kept, self._served = places, min(kept, places - 1), 0.0
        self._had: dict[str, float] = {}
        self._lines: dict[str, deque[asyncio.Future[HeldTurn]]] = {}

    async def take(self, address: str) -> HeldTurn:
        """Wait for a place, which is to be given back."""
        if self._may_have(address):
            return self._place_for(address)
        called: asyncio.Future[HeldTurn] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(address, deque()).append(called)
        try:
            return await called
        except asyncio.CancelledError:
            if not called.cancelled():
                self.give_back(called.result())
            raise

    def waiting(self, address: str) -> int:
        """How many wait there."""
        return len(self._lines.get(address, ()))

    @property
    def all_waiting(self) -> int:
        """How many wait everywhere."""
        return sum(map(len, self._lines.values()))

    def give_back(self, place: HeldTurn) -> None:
        """Hand a place on to whoever is next; who no longer waits is passed over, and costs the others no turn."""
        more = max(0.0, monotonic() - place.since - LEAST_SECONDS)
        self._had[place.address] = self._had.get(place.address, self._served) + more
        self._free += 1
        while waiting := [address for address in self._lines if self._may_have(address)]:
            address = min(waiting, key=self._start)
            line = self._lines[address]
            called = line.popleft()
            if not line:
                del self._lines[address]
            if not called.cancelled():
                called.set_result(self._place_for(address))
        self._forget()

    def _may_have(self, address: str) -> bool:
        return self._free > (self._kept if self._start(address) > self._served else 0)

    def _start(self, address: str) -> float:
        return max(self._served, self._had.get(address, 0.0))

    def _place_for(self, address: str) -> HeldTurn:
        self._free, self._served = self._free - 1, self._start(address)
        self._had[address] = self._served + LEAST_SECONDS
        return HeldTurn(address, monotonic())

    def _forget(self) -> None:
        """Where nobody waits all are equal again, once there are many to remember."""
        if not self._lines and len(self._had) > _MOST_REMEMBERED:
            self._served = max(self._had.values())
            self._had = {}


class OpenedInTurn:
    """The same application, whose connections are opened a few at a time."""

    def __init__(
        self, app: ASGIApp, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING, most_in_all: int = MOST_IN_ALL
    ) -> None:
        self._app, self._turns, self._most, self._most_in_all = app, Turns(at_once), most_waiting, most_in_all

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over once there is a place; what is no connection waits for nothing.

        Nobody hears here that a browser has left; so those who wait are not counted among those who are here.
        """
        if scope["type"] == "websocket":
            address = counted_as((scope.get("client") or ("", 0))[0])
            if self._is_full_for(address):
                await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER, "reason": "Too many wait there."})
                return
            place = await self._turns.take(address)
            asyncio.get_running_loop().call_later(OPENING_SECONDS, self._turns.give_back, place)
        await self._app(scope, receive, send)

    def _is_full_for(self, address: str) -> bool:
        own, everywhere = self._turns.waiting(address), self._turns.all_waiting
        return own >= self._most or everywhere >= self._most_in_all + (0 if own else self._most)
