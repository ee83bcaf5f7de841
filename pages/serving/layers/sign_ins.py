"""Which sign-ins count: those of one person in the browser in which they were made, until they sign out there.

Streamlit keeps a sign-in in a signed cookie and nowhere else: wherever that is copied, it holds for 30 days, also after
signing out.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter, OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, QueryParams
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.auth_util import decode_provider_token, get_cookie_with_chunks
from streamlit.errors import StreamlitAuthError
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from pages.serving.layers import uploads
from pages.serving.layers.proof import of_request

HOURS = 12
"""A sign-in older than this no longer counts."""
NAME = "nonce"
"""Chosen at random for each sign-in, and repeated by the provider in what it says of the person."""
_METADATA = "/.well-known/openid-configuration"
_BACK, _IN, _OUT = "/oauth2callback", "/auth/login", "/auth/logout"
_TO_THE_START = "../"
"""From there; a path that was asked for could be another site's address."""
_ANOTHERS = {"cross-site", "same-site", "none"}
"""Where a browser says that another site's page has led it here, or a mail: a link signs nobody in or out."""


@dataclass(slots=True)
class _SignedIn:
    """Who is signed in in a browser, with the time of each sign-in by its name; `first` is the name of the first."""

    person: tuple[str, str]
    first: str
    names: dict[str, float]


_PATIENCE, MOST = 3600.0, 100_000
"""Seconds that somebody may take with a provider, and how many may be there at once: then the first of them begin anew.

So many cannot be sent there in the minute that a person takes, by whoever wants to be in the way.
"""
_made: dict[str, _SignedIn] = {}
_ended = Counter[str]()
_on_their_way: OrderedDict[tuple[str, str], tuple[float, str]] = OrderedDict()
"""Who was sent to a provider, when and to which: the browser, and the state that comes back with it.

Streamlit keeps the state in a cookie, which another program may leave with its own: a link would sign in who sent it.
"""
_lock = threading.Lock()


class NotedSignIns:
    """The same application, which knows of each browser who signed in there last."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over; note who comes back from a provider, and forget who signs out."""
        path = scope["path"] if scope["type"] == "http" else ""
        if not path.endswith((_IN, _BACK, _OUT)):
            await self._app(scope, receive, send)
            return
        browser, comes_back = of_request(scope), path.endswith(_BACK)
        query = _query(scope)
        if not (_comes_back(browser, query) if comes_back else _asks_itself(scope)):
            await RedirectResponse(_TO_THE_START, status_code=303)(scope, receive, send)
            return
        if path.endswith(_OUT):
            end(browser)
        noted = _noting(send, browser) if comes_back else _going(send, browser, _said(query, "provider"))
        await self._app(scope, receive, noted)


def begin(browser: str, sign_in: str, now: float, person: tuple[str, str] = ("", "")) -> None:
    """From now on this person alone is signed in in a browser, known by the proof that it carries; `now` in seconds.

    Whoever signs in again, in another tab, keeps what stands in the first; somebody else, or nobody known, begins anew.
    """
    with _lock:
        for of_browser in [*_made]:
            made = _made[of_browser]
            made.names = {name: since for name, since in made.names.items() if now - since <= HOURS * 3600}
            if not made.names:
                del _made[of_browser]
        again = _made.get(browser)
        if again is None or again.person != person or not all(person):
            again = _made[browser] = _SignedIn(person=person, first=sign_in, names={})
        again.names[sign_in] = now


def end(browser: str) -> None:
    """From now on nobody is curator with what this browser holds, nor with a copy of it, and it sends no file.

    Whoever leaves, or signs out, ends all of it: who sits there next is asked anew, whichever way in they take.
    """
    with _lock:
        if _made.pop(browser, None) is not None or uploads.is_a_curators(browser):
            _ended[browser] += 1
    uploads.forbid_browser(browser)


def times_left(browser: str) -> int:
    """How often somebody has left, in any tab of the browser with this proof: a token typed before counts no more."""
    with _lock:
        return _ended[browser]


def of(browser: str) -> str:
    """Who is signed in in this browser, by the name of their first sign-in there; empty where nobody is."""
    with _lock:
        made = _made.get(browser)
        return made.first if made else ""


def counts(browser: str, sign_in: str) -> bool:
    """Whether it was made in this browser, and not ended."""
    with _lock:
        made = _made.get(browser)
        return bool(sign_in) and made is not None and sign_in in made.names


def _asks_itself(scope: Scope) -> bool:
    """Whether a browser signs in or out by itself, as far as it says: no other site leads it, and no picture asks."""
    headers = Headers(scope=scope)
    return headers.get("sec-fetch-site") not in _ANOTHERS and headers.get("sec-fetch-dest", "document") == "document"


def is_at_its_address(provider: str, issuer: str) -> bool:
    """Whether a provider of the settings calls itself by the address at which they find it.

    Source: OpenID Connect Discovery 1.0, section 4.3.
    """
    settings = st.secrets["auth"]
    own = settings if provider == "default" and "client_id" in settings else settings.get(provider, {})
    return str(own.get("server_metadata_url")) == f"{issuer.rstrip('/')}{_METADATA}"


def _going(send: Send, browser: str, asked: str) -> Send:
    """Send on, and note with which state, if any, this browser is sent to a provider, whose name is signed."""

    async def noted(message: Message) -> None:
        if message["type"] == "http.response.start":
            state = _said(urlsplit(Headers(scope=message).get("location", "")).query, "state")
            _goes(browser, state, _provider(asked))
        await send(message)

    return noted


def _provider(signed_name: str) -> str:
    with suppress(StreamlitAuthError):
        return decode_provider_token(signed_name)["provider"]
    return ""


def _query(scope: Scope) -> str:
    return bytes(scope["query_string"]).decode("latin-1")


def _said(query: str, name: str) -> str:
    return QueryParams(query).get(name, "")


def _goes(browser: str, state: str, provider: str) -> None:
    now = time.monotonic()
    with _lock:
        if state:
            _on_their_way[browser, state] = now, provider
        while _on_their_way and (len(_on_their_way) > MOST or now - next(iter(_on_their_way.values()))[0] > _PATIENCE):
            _on_their_way.popitem(last=False)


def _comes_back(browser: str, query: str) -> bool:
    """Whether this browser was sent away with this state, which counts once, and comes from where it was sent.

    Else one provider could lead on to another one's page, and hand on what that one gives. Source: RFC 9207.
    """
    said = QueryParams(query)
    if len(said.multi_items()) > len(said):
        return False
    with _lock:
        sent = _on_their_way.pop((browser, _said(query, "state")), None)
    comes_from = _said(query, "iss")
    return sent is not None and (not comes_from or is_at_its_address(sent[1], comes_from))


def _noting(send: Send, browser: str) -> Send:
    async def noted(message: Message) -> None:
        if message["type"] == "http.response.start" and (said := _left(Headers(scope=message))).get(NAME):
            person = str(said.get("iss") or ""), str(said.get("sub") or "")
            begin(browser, str(said[NAME]), time.monotonic(), person)
        await send(message)

    return noted


def _left(headers: Headers) -> dict[str, object]:
    """What the provider said of whom an answer's cookies sign in; nothing where it leaves none."""
    cookies = SimpleCookie("; ".join(line.partition(";")[0] for line in headers.getlist("set-cookie")))

    def signed(name: str) -> bytes | None:
        return decode_signed_value(get_cookie_secret(), name, cookies[name].value) if name in cookies else None

    said: dict[str, object] = json.loads(get_cookie_with_chunks(signed, USER_COOKIE_NAME) or b"{}")
    return said
