"""What a browser keeps for us: under which name, and read to the letter."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

_ENCRYPTED = ("https", "wss")


class PlainCookies:
    """The same application, which is told no cookie with a backslash: neither we nor Streamlit leave one.

    Python before 3.11.10 and 3.12.6 reads those of one cookie in a time that grows with the square of their number
    (CVE-2024-7592): one request kept everybody waiting for half a minute.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over without them."""
        if any(name == b"cookie" and b"\\" in value for name, value in scope.get("headers", ())):
            scope = {**scope, "headers": [(name, _plain(name, value)) for name, value in scope["headers"]]}
        await self._app(scope, receive, send)


def _plain(name: bytes, value: bytes) -> bytes:
    return value if name != b"cookie" else b";".join(pair for pair in value.split(b";") if b"\\" not in pair)


def named(name: str, scope: Scope) -> str:
    """What it is kept under; where the connection is encrypted, a name that no other host can leave there.

    Browsers take such a cookie from the very host alone that it is for, and over TLS only (RFC 6265bis, 4.1.3).
    """
    return f"__Host-{name}" if scope["scheme"] in _ENCRYPTED else name


def kept(name: str, scope: Scope) -> str:
    """The value under this name, if there is only one; else empty.

    Only spaces and tabs are taken off a name: another white space before it is another name, which anybody may leave.
    """
    found, wanted = [], named(name, scope)
    for line in Headers(scope=scope).getlist("cookie"):
        for pair in line.split(";"):
            one, _, value = pair.strip(" \t").partition("=")
            if one == wanted:
                found.append(value)
    return found[0] if len(found) == 1 else ""


def leaving(name: str, value: str, scope: Scope, *, same_site: str) -> str:
    """The header by which a browser keeps it until it is closed, out of reach of any script."""
    return f"{named(name, scope)}={value}; Path=/; HttpOnly; SameSite={same_site}"
