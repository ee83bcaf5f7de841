"""A browser that says more than a page makes it say is cut off, whatever kind of frames it says it in."""

from __future__ import annotations

import asyncio
import socket

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from pages.serving import bounds
from pages.serving.layers import pace
from pages.serving.layers.pace import AT_ONCE, BYTES_AT_ONCE, BYTES_PER_SECOND, PER_SECOND, Pace
from tests.running.cases import each
from tests.servers.looping import finished

MANY = 20_000
LEFT = AT_ONCE - 1
"""How much may come at once after the handshake, which counts as one."""


async def hears(_: Scope, receive: Receive, send: Send) -> None:
    """What stands behind: it hears everything."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


def frames(kind: Opcode, count: int) -> bytes:
    """So many frames; pieces of a message that never ends where they are to be continued."""
    begins = [Frame(Opcode.BINARY, b"", fin=False)] if kind is Opcode.CONT else []
    rest = [Frame(kind, b"", fin=kind is not Opcode.CONT)] * (count - len(begins))
    return b"".join(one.serialize(mask=True) for one in (*begins, *rest))


async def said(payload: bytes, *, kept: bool = True) -> bool:
    """Whether a connection that sends these frames at once is still open afterwards."""
    config = uvicorn.Config(bounds.Met(hears), lifespan="off", log_config=None, ws="websockets-sansio")
    config.load()
    server, own = uvicorn.Server(bounds.keep(config) if kept else config), socket.create_server(("127.0.0.1", 0))
    serving = asyncio.create_task(server.serve([own]))
    try:
        async with connect(f"ws://127.0.0.1:{own.getsockname()[1]}", proxy=None) as page:
            page.transport.write(payload)
            try:
                await asyncio.wait_for(await page.ping(), 30)
            except ConnectionClosed:
                return False
            return True
    finally:
        server.should_exit = True
        await serving


@each("kind", [Opcode.PING, Opcode.PONG, Opcode.CONT, Opcode.BINARY])
def test_more_at_once_than_any_page_says_ends_the_connection(kind: Opcode) -> None:
    assert finished(said(frames(kind, LEFT - 1))), "The last one is the ping that asks."
    assert not finished(said(frames(kind, MANY)))
    assert finished(said(frames(kind, MANY), kept=False)), "The control: uvicorn by itself reads them all."


def test_of_a_flood_only_a_first_portion_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[int]()

    def is_too_fast(_: Pace, said: int) -> bool:
        read.append(said)
        return sum(read) > AT_ONCE

    monkeypatch.setattr(Pace, "is_too_fast", is_too_fast)
    assert not finished(said(frames(Opcode.PING, MANY)))
    assert AT_ONCE < sum(read) < 1 + pace._PORTION / 2


@each(("each_second", "too_fast"), [(PER_SECOND, False), (PER_SECOND + 2, True)])
def test_so_many_a_second_may_go_on_for_ever(
    each_second: int, *, too_fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter(range(10_000))
    monkeypatch.setattr(pace, "monotonic", lambda: next(ticks) / each_second)
    own = Pace(PER_SECOND, AT_ONCE)
    assert any(own.is_too_fast(1) for _ in range(1_000)) is too_fast


def test_few_long_ones_end_it_as_many_short_ones_do() -> None:
    longest = Frame(Opcode.BINARY, bytes(bounds.LONGEST_MESSAGE - 1)).serialize(mask=True)
    most = BYTES_AT_ONCE // bounds.LONGEST_MESSAGE
    assert finished(said(longest * most)), "As many as may come at once."
    assert not finished(said(longest * most * 4))
    assert most * 4 < AT_ONCE
    assert finished(said(longest * most * 4, kept=False)), "The control."
    assert BYTES_PER_SECOND < bounds.LONGEST_MESSAGE
