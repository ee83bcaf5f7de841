"""What the process may hold: as many open files as are promised, as far as its system allows it."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys

import streamlit as st
import uvicorn
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import connect

from pages.serving.bounds import MOST_WITHOUT_A_PAGE, OPEN_FILES, Met, keep
from pages.serving.layers import turns
from pages.serving.layers.admission import MOST
from pages.serving.patches.left_sessions import MOST_LEFT
from tests.running.cases import each
from tests.servers.looping import finished
from tests.servers.server import ROOT

ASKED = """
import resource, sys
from pages.serving import bounds
now, most = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (now, most))
bounds.hold_as_many_as_promised()
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@each(
    ("begins", "held"),
    [((512, 8192), (OPEN_FILES, 8192)), ((512, 2048), (2048, 2048)), ((8000, 8192), (8000, 8192))],
)
def test_the_limit_rises_to_what_is_promised_and_never_falls(begins: tuple[int, int], held: tuple[int, int]) -> None:
    """In a process of its own, since a hard limit that was lowered stays low."""
    line = [sys.executable, "-c", ASKED, *map(str, begins)]
    told = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert tuple(map(int, told.split())) == held


def test_beyond_so_many_connections_whoever_has_most_is_ended_the_silent_first_and_no_page() -> None:
    async def answers(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            await receive()
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    async def told() -> list[bytes]:
        config = keep(uvicorn.Config(Met(answers), lifespan="off", log_config=None), most=3)
        server, own = uvicorn.Server(config), socket.create_server(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve([own]))
        address = own.getsockname()[:2]
        async with connect(f"ws://127.0.0.1:{address[1]}", proxy=None) as page:
            readers = []
            alone = await asyncio.open_connection(*address, local_addr=("127.0.0.2", 0))
            whole, half = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"GET / HTTP/1.1\r\n"
            body_to_come = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"
            stuck = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX: " + b"x" * 9000
            for said in (b"", half, stuck + b"\r\n\r\n", whole, whole + half, body_to_come, whole, b""):
                reader, writer = await asyncio.open_connection(*address)
                writer.write(said)
                readers.append((reader, writer))
                if b"\r\n\r\n" in said and stuck not in said:
                    await reader.readuntil(b"ok")
            ended = [await asyncio.wait_for(reader.read(), 30) for reader, _ in readers[:-2]]
            answers_of_others = list[bytes]()
            readers.append(alone)
            for reader, writer in readers[-3:]:
                writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                answers_of_others.append((await reader.read())[-2:])
            await (await page.ping())
        server.should_exit = True
        for _, writer in readers:
            writer.close()
        await serving
        return [*ended, *answers_of_others]

    assert finished(told()) == [b"", b"", b"", b"", b"", b"", b"ok", b"ok", b"ok"]


def test_it_is_room_for_everybody_who_is_let_in() -> None:
    assert 4 * MOST + MOST_WITHOUT_A_PAGE < OPEN_FILES


def test_all_that_can_begin_within_two_minutes_are_kept_besides_those_who_were_here() -> None:
    seconds = int(st.get_option("server.disconnectedSessionTTL"))
    assert MOST + seconds * turns.AT_ONCE / turns.OPENING_SECONDS < MOST_LEFT
