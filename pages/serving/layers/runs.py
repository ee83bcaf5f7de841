"""What a browser asks for is worked out a few at a time: a first page, what is pressed on it, files and further rows.

Whoever asks more often than the server works is not refused: their connection is read no further until their turn.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from functools import lru_cache

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.serving.layers.messages import asks_for_a_page, asks_for_work, look_of, presses
from pages.serving.layers.turns import HeldTurn, Turns
from pages.serving.tries import counted_as

FIRST_PAGES, RUNS = 2, 3
"""So many at once; of runs one is kept for who has had none for a while."""
SOON_SECONDS = 0.5
"""After so long a run that has not begun keeps nobody waiting."""
LONGEST_PAGE_SECONDS, LONGEST_RUN_SECONDS = 10.0, 2.0
"""After so long one that is still going on keeps nobody waiting."""
MOST_PRESSES = 1
"""So often a run may be asked for anew before it ends, as when a dial is turned on; what is pressed then waits."""
PRESSED_SECONDS = 10.0
"""For so long what is asked next waits until a run has begun to draw, or has ended where a button was pressed:
Streamlit would stop it before it has done that, such as to close a room.
"""
PRESSED_IN_A_PART_SECONDS = 2.0
MOST_AHEAD = 8
"""So much is heard of a browser that waits, which may be that it has left."""
_ENDS = frozenset({"script_finished"})
_DRAWS = _ENDS | {"delta"}
_LONGEST_BYTES = 100_000
"""Of the messages that a run has begun or ended; longer ones are not read."""


class WorkedOutInTurn:
    """The same application, in which what each connection asks for waits for its turn."""

    def __init__(self, app: ASGIApp, first_pages: int = FIRST_PAGES, runs: int = RUNS) -> None:
        self._app, self.first_pages, self.runs = app, Turns(first_pages), Turns(runs, kept=1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over; what is no connection waits for nothing."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        address = counted_as((scope.get("client") or ("", 0))[0])
        visit = _Visit(self.first_pages, self.runs, address, receive, send)
        try:
            await self._app(scope, visit.hear, visit.say)
        finally:
            visit.end()


class _Visit:
    """One connection: what it asks for waits until there is a place, and holds that until it is worked out."""

    def __init__(self, first_pages: Turns, runs: Turns, address: str, receive: Receive, send: Send) -> None:
        self._first_pages, self._runs, self._address = first_pages, runs, address
        self._receive, self._send = receive, send
        self._ahead: deque[Message] = deque()
        self._coming: asyncio.Future[Message] | None = None
        self._turns, self._longest = runs, LONGEST_RUN_SECONDS
        self._place: asyncio.Future[HeldTurn] | None = None
        self._late: asyncio.TimerHandle | None = None
        self._is_new, self._begun, self._ends = True, False, ""
        self._presses, self._over, self._done = 0, asyncio.Event(), asyncio.Event()
        self._done.set()
        self._patience, self._of_a_part, self._does, self._is_anothers = PRESSED_SECONDS, False, _DRAWS, False

    async def hear(self) -> Message:
        """The next message; whoever leaves while waiting for a place is not waited for.

        What a page looks for by itself during a run is passed over: it looks again, and may be another page by then. A
        run and a file are not worked out together: Streamlit forgets a file's answer when a run begins.
        """
        message = self._ahead.popleft() if self._ahead else await self._next()
        while self._late is not None and look_of(message.get("bytes")):
            message = self._ahead.popleft() if self._ahead else await self._next()
        if not (ends := asks_for_work(message.get("bytes"))):
            return message
        if asks_for_a_page(message.get("bytes")) and not self._done.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._done.wait(), self._patience)
        if self._late is not None and self._presses < MOST_PRESSES and ends == self._ends == "script_finished":
            self._presses += 1
        else:
            if self._late is not None:
                await self._over.wait()
            message = await self._in_turn(message)
        self._note(message.get("bytes"))
        return message

    def _note(self, said: bytes | None) -> None:
        """What is asked of a whole page next waits, without a place, until what is changed or pressed here is done.

        A run draws after the first, and comes to a button in the middle. A part is run beside that, or where it is none
        any more, not at all; what is pressed in it is waited for, too, though not as long.
        """
        if asks_for_a_page(said):
            self._await(PRESSED_SECONDS, of_a_part=False, does=_ENDS if presses(said) else _DRAWS)
        elif presses(said):
            self._await(PRESSED_IN_A_PART_SECONDS, of_a_part=True, does=_ENDS)

    def _await(self, patience: float, *, of_a_part: bool, does: frozenset[str]) -> None:
        self._patience, self._of_a_part, self._does, self._is_anothers = patience, of_a_part, does, True
        self._done.clear()

    async def _in_turn(self, message: Message) -> Message:
        self._turns, self._longest = self._runs, LONGEST_RUN_SECONDS
        self._ends = asks_for_work(message.get("bytes"))
        self._begun = self._ends != "script_finished"
        if self._is_new and asks_for_a_page(message.get("bytes")):
            self._turns, self._longest, self._is_new = self._first_pages, LONGEST_PAGE_SECONDS, False
        place = self._place = asyncio.ensure_future(self._turns.take(self._address))
        while not place.done() and len(self._ahead) < MOST_AHEAD:
            coming = self._coming = self._coming or asyncio.ensure_future(self._receive())
            await asyncio.wait((coming, place), return_when=asyncio.FIRST_COMPLETED)
            if coming.done():
                self._ahead.append(await self._next())
                if not place.done() and self._ahead[-1]["type"] == "websocket.disconnect":
                    self._leave()
                    return self._ahead[-1]
        await place
        self._presses = 0
        self._over.clear()
        self._hold_for(self._longest if self._begun else SOON_SECONDS)
        return message

    async def say(self, message: Message) -> None:
        """Pass a message on, and the place with it where it says that what was begun here is worked out.

        Whoever comes back with a session may still hear the last words of a run before.
        """
        await self._send(message)
        if self._late is None and self._done.is_set():
            return
        told = run_of(message)
        if told == "new_session":
            self._is_anothers = False
        elif told in self._does and not self._is_anothers and (self._of_a_part or not ends_a_part(message)):
            self._done.set()
        if self._late is None:
            return
        if told == "new_session" and not self._begun:
            self._begun = True
            self._hold_for(self._longest)
        elif told == self._ends and self._begun:
            self._leave()

    def end(self) -> None:
        """Let go of everything, however it ended."""
        if self._coming is not None:
            self._coming.cancel()
        self._done.set()
        self._leave()

    async def _next(self) -> Message:
        coming, self._coming = self._coming, None
        return await (coming or self._receive())

    def _hold_for(self, seconds: float) -> None:
        if self._late is not None:
            self._late.cancel()
        self._late = asyncio.get_running_loop().call_later(seconds, self._leave)

    def _leave(self) -> None:
        place, self._place = self._place, None
        self._over.set()
        if self._late is not None:
            self._late.cancel()
            self._late = None
        if place is not None and place.done() and not place.cancelled():
            self._turns.give_back(place.result())
        elif place is not None:
            place.cancel()


def run_of(message: Message) -> str:
    """What a message says of a run, in Streamlit's word: that it has begun, or ended other than to begin anew."""
    told = _read(message.get("bytes"))
    word = told.WhichOneof("type") or ""
    anew = word == "script_finished" and told.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
    return "" if anew else str(word)


def ends_a_part(message: Message) -> bool:
    """Whether it says that a part of a page has been run to its end."""
    return bool(_read(message.get("bytes")).script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


@lru_cache(maxsize=1)
def _read(data: bytes | None) -> ForwardMsg:
    told = ForwardMsg()
    told.ParseFromString(data if data is not None and len(data) <= _LONGEST_BYTES else b"")
    return told
