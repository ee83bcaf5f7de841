"""Which sign-ins count: each in the browser in which it was made, until somebody signs out there or this server ends.

Streamlit keeps a sign-in in a signed cookie and nowhere else: wherever that is copied, it holds for 30 days, also after
signing out.
"""

from __future__ import annotations

import json
import threading
import time
from http.cookies import SimpleCookie

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from pages.serving.layers import uploads
from pages.serving.layers.proof import of_request

HOURS = 12
"""A sign-in older than this no longer counts."""
NAME = "nonce"
"""Chosen at random for each sign-in, and repeated by the provider in what it says of the person."""
_BACK, _OUT = "/oauth2callback", "/auth/logout"
_TO_THE_START = "../"
"""From there; a path that was asked for could be another site's address."""
_ANOTHERS = {"cross-site", "same-site"}
"""Where a browser says that another site's page has led it here; nobody is signed out by a link that somebody sent."""
_made: dict[str, tuple[str, float]] = {}
_lock = threading.Lock()


class NotedSignIns:
    """The same application, which knows of each browser the sign-in that was made there last."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over; note who comes back from a provider, and forget who signs out."""
        path = scope["path"] if scope["type"] == "http" else ""
        if path.endswith(_OUT):
            if Headers(scope=scope).get("sec-fetch-site") in _ANOTHERS:
                await RedirectResponse(_TO_THE_START, status_code=303)(scope, receive, send)
                return
            end(of_request(scope))
        await self._app(scope, receive, _noting(send, of_request(scope)) if path.endswith(_BACK) else send)


def begin(browser: str, sign_in: str, now: float) -> None:
    """From now on this is the one sign-in of a browser, known by the proof that it carries; `now` in seconds."""
    with _lock:
        for old in [one for one, (_, since) in _made.items() if now - since > HOURS * 3600]:
            del _made[old]
        _made[browser] = sign_in, now


def end(browser: str) -> None:
    """From now on nobody is signed in with what this browser holds, nor with a copy of it, and it sends no file."""
    with _lock:
        _made.pop(browser, None)
    uploads.forbid_browser(browser)


def of(browser: str) -> str:
    """The sign-in that was made in this browser and not ended; empty where there is none."""
    with _lock:
        return _made.get(browser, ("", 0.0))[0]


def counts(browser: str, sign_in: str) -> bool:
    """Whether it was made in this browser, and not ended."""
    return bool(sign_in) and of(browser) == sign_in


def _noting(send: Send, browser: str) -> Send:
    async def noted(message: Message) -> None:
        if message["type"] == "http.response.start" and (sign_in := _left(Headers(scope=message))):
            begin(browser, sign_in, time.monotonic())
        await send(message)

    return noted


def _left(headers: Headers) -> str:
    """The name of the sign-in whose cookies an answer leaves; empty where it leaves none."""
    cookies = SimpleCookie("; ".join(line.partition(";")[0] for line in headers.getlist("set-cookie")))

    def signed(name: str) -> bytes | None:
        return decode_signed_value(get_cookie_secret(), name, cookies[name].value) if name in cookies else None

    said = json.loads(get_cookie_with_chunks(signed, USER_COOKIE_NAME) or b"{}")
    return str(said.get(NAME) or "")
