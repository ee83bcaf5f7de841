"""A small proxy that does what nginx and HAProxy are documented to do, as docs/deploy has them: for the ordinary run.

It appends the caller's address to X-Forwarded-For, says X-Forwarded-Proto, passes Upgrade and whatever follows, keeps a
browser with its server by a cookie, and sends it to the next one, with another cookie, where its own does not answer.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from http.cookies import SimpleCookie
from types import TracebackType
from typing import Self

COOKIE = "epsilon_explorer_server"
END = b"\r\n\r\n"
PIECE = 2**16
STOP_SECONDS = 10


class Balancer:
    """Before these servers, each known by its port, from `address` on; `opened` counts websockets by port.

    Each connection carries one request, unless it becomes a websocket.
    """

    def __init__(self, ports: Sequence[int], *, address: str = "127.0.0.1", scheme: str = "http") -> None:
        self.opened: Counter[int] = Counter()
        self._ports, self._address, self._scheme = list(ports), address, scheme
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="balancer")
        self._turn, self._port = 0, 0
        self._under_way: dict[asyncio.Task[None], int] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        """Listen on a free port."""
        self._thread.start()
        listening = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._met, "127.0.0.1", 0), self._loop)
        self._server = listening.result(STOP_SECONDS)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cut every connection, and stop."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(STOP_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(STOP_SECONDS)
        self._loop.close()

    def lose(self, port: int) -> None:
        """From now on this server is as if it had been killed: its connections are cut, and nobody reaches it."""
        self._ports.remove(port)
        asyncio.run_coroutine_threadsafe(self._cut({port}), self._loop).result(STOP_SECONDS)

    async def _end(self) -> None:
        self._server.close()
        await self._cut(set(self._under_way.values()))

    async def _cut(self, ports: set[int]) -> None:
        cut = [task for task, port in self._under_way.items() if port in ports]
        for task in cut:
            task.cancel()
        await asyncio.gather(*cut, return_exceptions=True)

    async def _met(self, caller: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._under_way[task] = 0
        try:
            await self._passed_on(task, caller, back)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            back.transport.abort()
        finally:
            del self._under_way[task]
            back.close()

    async def _passed_on(
        self, task: asyncio.Task[None], caller: asyncio.StreamReader, back: asyncio.StreamWriter
    ) -> None:
        request = Head(await caller.readuntil(END))
        wanted = request.cookie
        port, answer, server = await self._reached(int(wanted) if wanted.isdecimal() else None)
        self._under_way[task] = port
        request.append("X-Forwarded-For", back.get_extra_info("peername")[0])
        request.replace("X-Forwarded-Proto", self._scheme)
        if not request.upgrades:
            request.replace("Connection", "close")
        self.opened[port] += request.upgrades
        server.write(request.written)
        sending = asyncio.create_task(_copied(caller, server))
        try:
            said = Head(await answer.readuntil(END))
            if wanted != str(port):
                said.append("Set-Cookie", f"{COOKIE}={port}; Path=/; HttpOnly; SameSite=Lax")
            back.write(said.written)
            await _copied(answer, back)
        finally:
            sending.cancel()
            server.close()

    async def _reached(self, wanted: int | None) -> tuple[int, asyncio.StreamReader, asyncio.StreamWriter]:
        """The browser's own server, else the next in turn, else any that answers; ConnectionError where none does."""
        self._turn += wanted is None
        first = wanted if wanted in self._ports else self._ports[self._turn % len(self._ports)]
        for port in (first, *(one for one in self._ports if one != first)):
            with suppress(OSError):
                own = (self._address, 0)
                return port, *await asyncio.open_connection("127.0.0.1", port, local_addr=own)
        raise ConnectionError


class Head:
    """The lines before a body, as they came, and what is put among them."""

    def __init__(self, written: bytes) -> None:
        self._first, *self._lines = written.removesuffix(END).decode("latin-1").split("\r\n")

    @property
    def written(self) -> bytes:
        return "\r\n".join([self._first, *self._lines]).encode("latin-1") + END

    @property
    def upgrades(self) -> bool:
        return bool(self._values("upgrade"))

    @property
    def cookie(self) -> str:
        """What the browser's cookie of ours says; empty where it has none."""
        found = SimpleCookie("; ".join(self._values("cookie"))).get(COOKIE)
        return found.value if found else ""

    def append(self, name: str, value: str) -> None:
        """One more line, after those that came."""
        self._lines.append(f"{name}: {value}")

    def replace(self, name: str, value: str) -> None:
        """This line alone, whatever came."""
        self._lines = [line for line in self._lines if line.partition(":")[0].lower() != name.lower()]
        self.append(name, value)

    def _values(self, name: str) -> list[str]:
        pairs = (line.partition(":") for line in self._lines)
        return [value.strip() for key, _, value in pairs if key.lower() == name]


async def _copied(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Everything that comes until one of the two ends."""
    while piece := await source.read(PIECE):
        target.write(piece)
        await target.drain()
