"""A hall for tests of turns: a dashboard that draws when it is told to, and browsers that say what they are told to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest, BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse, ForwardMsg
from streamlit.proto.NewSession_pb2 import NewSession

from pages.serving.layers.runs import WorkedOutInTurn

ASKED = BackMsg(rerun_script=ClientState()).SerializeToString()
BEATS = BackMsg(app_heartbeat=True).SerializeToString()
OF_A_PART = BackMsg(rerun_script=ClientState(fragment_id="x")).SerializeToString()
LOOK = BackMsg(rerun_script=ClientState(fragment_id="x", is_auto_rerun=True, query_string="me=1")).SerializeToString()
FILE = BackMsg(backend_operation_request=BackendOperationRequest(request_id="f")).SerializeToString()
WRITTEN = ForwardMsg(
    backend_operation_response=BackendOperationResponse(request_id="f", error_msg="gone")
).SerializeToString()
BEGUN = ForwardMsg(new_session=NewSession()).SerializeToString()
DRAWS = ForwardMsg(delta=Delta()).SerializeToString()
DRAWN = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY).SerializeToString()
HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"


@dataclass
class Dashboard:
    """What stands behind: it notes whose page it begins to draw, and ends when it is told to."""

    begun: list[str] = field(default_factory=list)
    ends: dict[str, asyncio.Event] = field(default_factory=dict)
    third: asyncio.Event = field(default_factory=asyncio.Event)
    begins: bool = True
    has_last_words: bool = False
    """Whether a run before says that it has ended, while this one is asked for."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["name"]
        self.ends[name] = asyncio.Event()
        while (message := await receive())["type"] != "websocket.disconnect":
            if message.get("bytes") not in (ASKED, OF_A_PART):
                continue
            self.begun.append(name)
            if len(self.begun) == 3:
                self.third.set()
            if self.has_last_words:
                await send({"type": "websocket.send", "bytes": DRAWN})
            if self.begins:
                await send({"type": "websocket.send", "bytes": BEGUN})
                await send({"type": "websocket.send", "bytes": DRAWS})
            await self.ends[name].wait()
            await send({"type": "websocket.send", "bytes": DRAWN})


@dataclass
class Visitor:
    """A browser at an address, which says what it is told to say."""

    app: ASGIApp
    name: str
    address: str
    says: asyncio.Queue[Message] = field(default_factory=asyncio.Queue)
    heard: list[Message] = field(default_factory=list)
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)

    def come(self, *said: bytes) -> asyncio.Task[None]:
        for payload in said or (ASKED,):
            self.says.put_nowait({"type": "websocket.receive", "bytes": payload})
        scope: Scope = {"type": "websocket", "client": (self.address, 9), "headers": self.headers, "name": self.name}
        return asyncio.ensure_future(self.app(scope, self.says.get, self._hear))

    def go(self) -> None:
        self.says.put_nowait({"type": "websocket.disconnect"})

    async def _hear(self, message: Message) -> None:
        self.heard.append(message)


async def rest() -> None:
    """Until everybody waits for somebody."""
    for _ in range(20):
        await asyncio.sleep(0)


@dataclass
class Hall:
    """A dashboard that draws for two at once, and who has come."""

    board: Dashboard = field(default_factory=Dashboard)
    app: ASGIApp | None = None
    visitors: dict[str, Visitor] = field(default_factory=dict)
    visits: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.door = self.app or WorkedOutInTurn(self.board, first_pages=2, runs=1)

    async def come(self, names: Sequence[str], address: str, *said: bytes) -> None:
        for name in names:
            self.visitors[name] = Visitor(self.door, name, address)
            self.visits[name] = self.visitors[name].come(*said)
            await rest()

    async def drawn(self, name: str) -> None:
        self.board.ends[name].set()
        await rest()

    async def asks(self, name: str, *said: bytes) -> None:
        """Of somebody who is here."""
        self.board.ends[name].clear()
        for payload in said or (ASKED,):
            self.visitors[name].says.put_nowait({"type": "websocket.receive", "bytes": payload})
        await rest()

    async def gone(self, name: str) -> None:
        self.visitors[name].go()
        await rest()
