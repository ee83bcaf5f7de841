"""How many may be here at once: who comes beyond that reads why, and nobody who is here is sent away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from pages.serving.guard import MIDDLEWARE
from pages.serving.layers.admission import MOST, MOST_EACH, SENTENCE, NotTooMany
from tests.servers.looping import finished


async def connected(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.receive()


PAGES = Starlette(routes=[Route("/", lambda _: PlainTextResponse("a page")), WebSocketRoute("/stream", connected)])
HERE, ELSEWHERE, OTHERS = "192.0.2.1", "192.0.2.2", "192.0.2.3"


def scope_of(kind: str, path: str, address: str, accept: str = "") -> Scope:
    headers = [(b"accept", accept.encode())]
    return {
        "type": kind,
        "method": "GET",
        "path": path,
        "headers": headers,
        "client": (address, 9),
        "query_string": b"",
    }


@asynccontextmanager
async def there(app: ASGIApp, address: str) -> AsyncIterator[bool]:
    """A browser that connects from there, and is connected, if it is let in, until the end of this."""
    answered, leaves, said = asyncio.Event(), asyncio.Event(), list[str]()
    heard = iter(("websocket.connect", "websocket.disconnect"))

    async def receive() -> Message:
        if (word := next(heard)) == "websocket.disconnect":
            await leaves.wait()
        return {"type": word, "code": 1000}

    async def send(message: Message) -> None:
        said.append(message["type"])
        answered.set()

    visit = asyncio.ensure_future(app(scope_of("websocket", "/stream", address), receive, send))
    await answered.wait()
    yield said == ["websocket.accept"] and not visit.done()
    assert said == ["websocket.accept"] or visit.done()
    leaves.set()
    await visit


async def page(app: ASGIApp, address: str, accept: str) -> tuple[int, str]:
    answers: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        answers.append(message)

    await app(scope_of("http", "/", address, accept), receive, send)
    return int(answers[0]["status"]), bytes(answers[1]["body"]).decode()


async def is_let_in(app: ASGIApp, address: str) -> bool:
    """Whether both its page and its connection are answered; what belongs to a page always is."""
    assert await page(app, address, "*/*") == (200, "a page")
    async with there(app, address) as connects:
        pass
    status, words = await page(app, address, "text/html,*/*")
    assert (status, SENTENCE in words) == ((200, False) if connects else (503, True))
    return connects


async def come_and_go(app: NotTooMany) -> None:
    async with there(app, HERE):
        assert await is_let_in(app, HERE)
        async with there(app, HERE) as second:
            assert second
            assert not await is_let_in(app, HERE)
            assert await is_let_in(app, ELSEWHERE), "One address keeps no other out."
            async with there(app, ELSEWHERE):
                assert not await is_let_in(app, OTHERS), "Three are here."
            assert await is_let_in(app, OTHERS)
        assert await is_let_in(app, HERE), "One of them has left."


def test_no_more_than_so_many_from_one_address_and_in_all() -> None:
    app = NotTooMany(PAGES, most=3, most_each=2)
    finished(come_and_go(app))
    assert not app._open  # what is remembered of those who left


def test_a_connection_that_breaks_is_no_longer_counted() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise ConnectionError

    async def comes() -> None:
        await app(scope_of("websocket", "/stream", HERE), hears, says)

    async def hears() -> Message:
        return {"type": "websocket.connect"}

    async def says(message: Message) -> None:
        raise AssertionError(message)

    app = NotTooMany(broken, most=1)
    for _ in range(3):
        with pytest.raises(ConnectionError):
            finished(comes())


def test_the_doors_count_and_a_full_room_behind_one_address_fits() -> None:
    assert [one for one in MIDDLEWARE if one.cls is NotTooMany]  # type: ignore[comparison-overlap]
    assert 150 < MOST_EACH < MOST
