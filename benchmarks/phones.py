"""Phones in a workshop without browsers: Streamlit's own websocket, with the looks that a page takes by itself."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets import ConnectionClosed, Origin, Subprotocol
from websockets.asyncio.client import ClientConnection, connect

from tests.servers.server import Server

PATIENCE = 60.0


@dataclass(kw_only=True)
class Phone:
    """One open page: what it has received, its buttons by their keys without numbers, and the parts that look again."""

    connection: ClientConnection
    query: str
    page_hash: str = ""
    heard: list[tuple[float, bytes]] = field(default_factory=list)
    buttons: dict[str, tuple[str, str]] = field(default_factory=dict)
    looks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    looked: int = 0
    news: asyncio.Event = field(default_factory=asyncio.Event)
    failed: list[str] = field(default_factory=list)

    async def open(self, page: str) -> None:
        """Ask for a page as a browser that comes by its link."""
        asked = BackMsg()
        asked.rerun_script.page_name, asked.rerun_script.query_string = page, self.query
        await self.connection.send(asked.SerializeToString())

    async def press(self, key: str) -> float:
        """Press the newest button of a key; the moment at which that was sent."""
        widget, fragment = self.buttons[key]
        asked = self._asked(fragment)
        asked.rerun_script.widget_states.widgets.append(WidgetState(id=widget, trigger_value=True))
        sent = time.perf_counter()
        await self.connection.send(asked.SerializeToString())
        return sent

    async def until(self, *said: bytes, after: float = 0.0) -> float:
        """The moment at which a message held one of these texts, after that one; TimeoutError where none comes."""
        async with asyncio.timeout(PATIENCE):
            while True:
                self.news.clear()
                for moment, message in reversed(self.heard):
                    if moment < after:
                        break
                    if any(one in message for one in said):
                        return moment
                await self.news.wait()

    async def until_button(self, key: str) -> None:
        """Wait for a button."""
        async with asyncio.timeout(PATIENCE):
            while key not in self.buttons:
                self.news.clear()
                await self.news.wait()

    async def listen(self) -> None:
        """Take in everything until the connection ends."""
        with contextlib.suppress(ConnectionClosed):
            async for payload in self.connection:
                self._take(bytes(payload) if isinstance(payload, bytes) else payload.encode())
        self._stop_looking()

    def forget(self) -> None:
        """Let go of what was heard before, which may be much."""
        self.heard.clear()

    def _take(self, payload: bytes) -> None:
        told = ForwardMsg.FromString(payload)
        kind = told.WhichOneof("type")
        if kind == "new_session":
            if not told.metadata.run.fragment_ids:
                self._stop_looking()
                self.buttons.clear()
        elif kind == "navigation":
            self.page_hash = told.navigation.page_script_hash
        elif kind == "auto_rerun":
            self._look_every(told.auto_rerun.interval, told.auto_rerun.fragment_id)
        elif kind == "delta":
            element = told.delta.new_element
            if element.WhichOneof("type") == "button":
                name = element.button.id.rpartition("-")[2].rstrip("0123456789_")
                self.buttons[name] = element.button.id, told.delta.fragment_id
            self.failed += [payload.decode("utf-8", "replace")] if element.WhichOneof("type") == "exception" else []
        self.heard.append((time.perf_counter(), payload))
        self.news.set()

    def _look_every(self, seconds: float, fragment: str) -> None:
        if fragment not in self.looks:
            self.looks[fragment] = asyncio.create_task(self._look(seconds, fragment))

    async def _look(self, seconds: float, fragment: str) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                await asyncio.sleep(seconds)
                asked = self._asked(fragment)
                asked.rerun_script.is_auto_rerun = True
                await self.connection.send(asked.SerializeToString())
                self.looked += 1
                self.news.set()

    def _stop_looking(self) -> None:
        for look in self.looks.values():
            look.cancel()
        self.looks.clear()

    def _asked(self, fragment: str) -> BackMsg:
        asked = BackMsg()
        asked.rerun_script.page_script_hash, asked.rerun_script.fragment_id = self.page_hash, fragment
        asked.rerun_script.query_string = self.query
        return asked


async def phone(server: Server, query: str) -> Phone:
    """A phone that has asked for nothing yet."""
    opened = await connect(
        server.url.replace("http", "ws") + "/_stcore/stream",
        subprotocols=[Subprotocol("streamlit")],
        max_size=None,
        open_timeout=PATIENCE,
        proxy=None,
        origin=Origin(server.url),
    )
    return Phone(connection=opened, query=query)
