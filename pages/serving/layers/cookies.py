"""What a browser keeps for us: under which name, and read to the letter."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import Scope

_ENCRYPTED = ("https", "wss")


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
