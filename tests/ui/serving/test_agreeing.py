"""A door with a certificate: connections that never agree on their encryption are counted, and ended."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from pages.serving import agreeing, bounds
from pages.serving.bounds import Met, keep
from tests.servers.certificates import certificate
from tests.servers.looping import finished

ASKED = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
Address = tuple[str, int]


async def answers(scope: Scope, receive: Receive, send: Send) -> None:
    said = f"{scope['scheme']} {scope['path']}".encode()
    length = b"content-length", str(len(said)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": said})


@contextlib.asynccontextmanager
async def served(folder: Path, most: int, *, guarded: bool = True) -> AsyncIterator[tuple[Address, ssl.SSLContext]]:
    """The application at a door with a certificate, and a context that trusts it."""
    files = certificate(folder, "127.0.0.1")
    trusting = ssl.create_default_context(cafile=str(files.file))
    app, own = Met(answers), socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, lifespan="off", log_config=None, ssl_certfile=files.file, ssl_keyfile=files.key)
    server = uvicorn.Server(keep(config, most) if guarded else config)
    serving = asyncio.create_task(server.serve([own]))
    yield own.getsockname()[:2], trusting
    server.should_exit = True
    await serving


async def told(address: Address, trusting: ssl.SSLContext, local: str = "127.0.0.1") -> bytes:
    reader, writer = await asyncio.open_connection(*address, ssl=trusting, local_addr=(local, 0))
    writer.write(ASKED)
    said = await asyncio.wait_for(reader.read(), 30)
    writer.close()
    return said.rpartition(b"\r\n")[2]


def test_beyond_so_many_who_never_agree_one_is_ended_and_others_come_in(tmp_path: Path) -> None:
    async def asked() -> tuple[list[bytes], bytes]:
        async with served(tmp_path, most=3) as (address, trusting):
            mute = [await asyncio.open_connection(*address) for _ in range(6)]
            ended = [await asyncio.wait_for(reader.read(), 3) for reader, _ in mute[:3]]
            said = await told(address, trusting, "127.0.0.2")
            for _, writer in mute:
                writer.close()
            return ended, said

    assert finished(asked()) == ([b""] * 3, b"https /")


@pytest.mark.parametrize("guarded", [True, False])
def test_who_says_nothing_of_encryption_is_ended_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, guarded: bool
) -> None:
    """Without the guard asyncio would wait for a minute."""
    monkeypatch.setattr(agreeing, "AGREEING_SECONDS", 0.2)

    async def asked() -> bool:
        async with served(tmp_path, most=3, guarded=guarded) as (address, _):
            reader, writer = await asyncio.open_connection(*address)
            ended = asyncio.create_task(reader.read())
            done, _ = await asyncio.wait([ended], timeout=20 if guarded else 2)
            writer.close()
            return bool(done)

    assert finished(asked()) == guarded


def test_what_comes_with_the_last_word_of_the_handshake_is_heard(tmp_path: Path) -> None:
    async def asked() -> bytes:
        async with served(tmp_path, most=3) as (address, trusting):
            arrives, leaves = ssl.MemoryBIO(), ssl.MemoryBIO()
            spoken = trusting.wrap_bio(arrives, leaves, server_hostname="127.0.0.1")
            reader, writer = await asyncio.open_connection(*address)
            while True:
                try:
                    spoken.do_handshake()
                    break
                except ssl.SSLWantReadError:
                    writer.write(leaves.read())
                    arrives.write(await reader.read(65536))
            spoken.write(ASKED)
            writer.write(leaves.read())
            said = b""
            while not said.endswith(b"/"):
                arrives.write(await asyncio.wait_for(reader.read(65536), 30))
                with contextlib.suppress(ssl.SSLWantReadError):
                    while more := spoken.read():
                        said += more
            writer.transport.abort()
            return said.rpartition(b"\r\n")[2]

    assert finished(asked()) == b"https /"


def test_who_is_gone_as_soon_as_they_have_agreed_is_forgotten(tmp_path: Path) -> None:
    """Else each of them would count for ever, until somebody who is here has to go for them."""

    async def asked() -> int:
        async with served(tmp_path, most=100) as (address, trusting):
            before = len(bounds._heard)
            for _ in range(40):
                way = socket.create_connection(address)
                way.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                await asyncio.to_thread(agreed_and_gone, way, trusting)
            await told(address, trusting)
            return len(bounds._heard) - before

    assert finished(asked()) <= 1


def agreed_and_gone(way: socket.socket, trusting: ssl.SSLContext) -> None:
    with trusting.wrap_socket(way, server_hostname="127.0.0.1"):
        pass  # closed with a reset


def test_who_leaves_in_the_middle_of_a_handshake_is_forgotten(tmp_path: Path) -> None:
    async def asked() -> bytes:
        async with served(tmp_path, most=1) as (address, trusting):
            for said in (b"", b"\x16\x03\x01", b"GET / HTTP/1.1\r\n\r\n"):
                _, writer = await asyncio.open_connection(*address)
                writer.write(said)
                writer.close()
            return await told(address, trusting)

    assert finished(asked()) == b"https /"
