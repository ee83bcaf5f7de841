"""What every answer tells the browser: show this in nobody's frame, and load and run nothing from anybody else."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_PAGE = Path(st.__file__).parent / "static" / "index.html"


def _inline_scripts() -> Iterator[str]:
    """What Streamlit's own page runs without a file, each known by its hash."""
    for script in re.findall(r"<script>(.*?)</script>", _PAGE.read_text(encoding="utf-8"), flags=re.DOTALL):
        digest = hashlib.sha256(script.encode()).digest()
        yield f"'sha256-{base64.b64encode(digest).decode()}'"


_POLICY = {
    "default-src": "'self'",
    "script-src": " ".join(("'self'", "blob:", *_inline_scripts())),
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "media-src": "'self' blob:",
    "worker-src": "'self' blob:",
    "connect-src": "'self'",
    "frame-src": "'none'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
"""Components of ours come as blobs, and Streamlit writes its styles in place."""
_MACHINE = ("camera", "microphone", "geolocation", "payment", "usb", "serial", "midi")
HEADERS = {
    "Content-Security-Policy": "; ".join(f"{what} {whence}" for what, whence in _POLICY.items()),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{what}=()" for what in _MACHINE),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

ENCRYPTED = {"Strict-Transport-Security": "max-age=31536000"}
"""Where the connection is encrypted: for a year no browser asks this host without, as somebody between would answer."""


class SafeHeaders:
    """The same application, each of whose answers carries these headers, errors and files included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over, and add them to what comes back."""

        async def with_headers(message: Message) -> None:
            if message["type"] in {"http.response.start", "websocket.http.response.start"}:
                MutableHeaders(scope=message).update(HEADERS)
                if scope["scheme"] in {"https", "wss"}:
                    MutableHeaders(scope=message).update(ENCRYPTED)
                    message["headers"] = [_encrypted(*header) for header in message["headers"]]
            await send(message)

        await self._app(scope, receive, with_headers)


def _encrypted(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """Where there is a certificate, a cookie never goes over a connection without one, Streamlit's own included."""
    return (name, value + b"; Secure") if name.lower() == b"set-cookie" else (name, value)
