"""Which cookie is a browser's secret: the one that its kind of connection has, read to the letter, and alone."""

from __future__ import annotations

import secrets

import pytest
from starlette.types import Message, Receive, Scope, Send

from pages.serving.layers import opened, proof
from pages.serving.layers.proof import COOKIE, SameBrowser
from tests.servers.looping import finished

SECRET = secrets.token_urlsafe(32)


def proven(scheme: str, *cookies: bytes) -> bool:
    """Whether a connection with these lines of cookies is taken for the browser that has the secret."""
    seen = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(proof.of_request(scope))

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    async def nowhere(message: Message) -> None:
        raise AssertionError(message)

    kind = "websocket" if scheme.startswith("ws") else "http"
    headers = [(b"cookie", line) for line in cookies]
    finished(SameBrowser(app)({"type": kind, "scheme": scheme, "headers": headers}, nothing, nowhere))
    return seen == [proof.proof(SECRET)]


@pytest.mark.parametrize(
    ("scheme", "own", "others"),
    [("http", COOKIE, f"__Host-{COOKIE}"), ("ws", COOKIE, f"__Host-{COOKIE}")]
    + [(scheme, f"__Host-{COOKIE}", COOKIE) for scheme in ("https", "wss")],
)
def test_only_the_cookie_of_its_connection_is_read(scheme: str, own: str, others: str) -> None:
    ours = f"{own}={SECRET}".encode()
    for line in (ours, b"a=b; " + ours, b"a=b;\t" + ours + b" ; c", ours + f"; {others}={'x' * len(SECRET)}".encode()):
        assert proven(scheme, line)
    for name in (
        others,
        own.upper(),
        own.lower() if own != COOKIE else "",
        f"__Secure-{COOKIE}",
        f"{own} ",
        f'"{own}"',
    ):
        assert not proven(scheme, f"{name}={SECRET}".encode()), name
    for sign in (b"\x0b", b"\x0c", b"\x1c", b"\x85", b"\xa0", "\xa0".encode(), "\u2000".encode(), "\u3000".encode()):
        assert not proven(scheme, sign + ours), sign
    assert not proven(scheme, ours, ours), "Of two, one was left by somebody else."


def test_a_secret_that_somebody_planted_is_not_that_of_who_sits_here() -> None:
    """They would know it; what the browser was opened with they do not."""
    here, seen = (opened.HEADER.encode(), b"signed"), []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(proof.of_request(scope))

    for further in ([here], []):
        headers = [(b"cookie", f"{COOKIE}={SECRET}".encode()), *further]
        finished(SameBrowser(app)({"type": "websocket", "scheme": "ws", "headers": headers}, None, None))  # type: ignore[arg-type]
    with_the_mark, without = seen
    assert with_the_mark != without == proof.proof(SECRET)
