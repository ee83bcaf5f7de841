"""Which browser a session belongs to: a secret in a cookie that no script reads, no address carries and no log holds.

Streamlit gives a session back to whoever names its id, unless `server.trustedUserHeaders` tells two people apart. So
each connection carries one more header, made here from the cookie: a session is given back to its own browser only.
"""

from __future__ import annotations

import hashlib
import logging
import re
import secrets
from contextvars import ContextVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

from pages.serving.layers import cookies, opened

COOKIE = "epsilon_explorer_browser"
HEADER = "x-epsilon-explorer-browser"
USER_KEY = "browser"
"""Under which `st.user` holds the header's value."""
_TRUSTED = "server.trustedUserHeaders"
_NAMES_IDS, _NAMES_THEIR_BEGINNING = "streamlit.runtime.websocket_session_manager", "streamlit.runtime.app_session"
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HAS_IT_ALREADY = (b"if-none-match", b"if-modified-since")
"""What a browser says that has kept a page longer than our cookie: it would be answered without the page."""
_BYTES = 32
_LETTERS = len(secrets.token_urlsafe(_BYTES))

_asking: ContextVar[str] = ContextVar("the browser whose connection this is done for", default="")


class SameBrowser:
    """The same application, whose every page leaves the secret, and whose every connection carries the proof of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over with our header in place of any that claims to be it."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        secret = _secret(scope)
        marked = dict(scope)
        unheard = {HEADER.encode()} if secret else {HEADER.encode(), *_HAS_IT_ALREADY}
        kept = [(name, value) for name, value in scope["headers"] if name.lower() not in unheard]
        known = proof(secret and secret + opened.of_request(scope))
        marked["headers"] = [*kept, (HEADER.encode(), known.encode())]
        _asking.set(known)
        await self._app(marked, receive, send if secret else _leaving_a_secret(scope, send))


def asking() -> str:
    """The proof of the browser for whose message something is done without any run; empty where there is none."""
    return _asking.get()


def bind_sessions() -> None:
    """From now on a session is given back only with the proof it began with, and no log names its id.

    No other header says who somebody is, whatever the settings trust.
    """
    config.set_option(_TRUSTED, {HEADER: USER_KEY})
    logging.getLogger(_NAMES_IDS).addFilter(_without_ids)
    logging.getLogger(_NAMES_THEIR_BEGINNING).addFilter(lambda record: "session ID mismatch" not in str(record.msg))


def _without_ids(record: logging.LogRecord) -> bool:
    record.msg, record.args = _ID.sub("(id)", record.getMessage()), ()
    return True


def proof(secret: str) -> str:
    """What stands for the cookie inside the process; without one, a value that never comes again."""
    return hashlib.sha256((secret or secrets.token_urlsafe(_BYTES)).encode()).hexdigest()


def of_request(scope: Scope) -> str:
    """The proof that a request carries once it has passed here; empty where it has not."""
    return Headers(scope=scope).get(HEADER, "")


def _secret(scope: Scope) -> str:
    """The cookie's value, if it is one of ours; else empty."""
    kept = cookies.kept(COOKIE, scope)
    return kept if len(kept) == _LETTERS else ""


def _leaving_a_secret(scope: Scope, send: Send) -> Send:
    """Send on, with a new secret beside a page, which nobody keeps; of two that open at once, the last one's counts."""

    async def with_cookie(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer = MutableHeaders(scope=message)
            if answer.get("content-type", "").startswith("text/html"):
                secret = secrets.token_urlsafe(_BYTES)
                answer.append("set-cookie", cookies.leaving(COOKIE, secret, scope, same_site="Lax"))
                answer["cache-control"] = "no-store"
        await send(message)

    return with_cookie
