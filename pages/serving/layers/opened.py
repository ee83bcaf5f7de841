"""Who sits at this machine: whoever opened the address that the start says, with the curator's token in it.

That a connection comes from this machine says little of who made it: another program here, or somebody at the far end
of a tunnel. So the address leaves a cookie, signed by this process, and leads on to the same page without the token.
"""

from __future__ import annotations

import hmac
import secrets

from starlette.datastructures import URL, Headers, QueryParams
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.serving import curator_token
from pages.serving.alone import set_up_for_one
from pages.serving.layers import cookies
from pages.serving.network.outside import MARK
from pages.serving.tries import counted_as

PARAMETER = "token"
COOKIE = "epsilon_explorer_opened"
HEADER = "x-epsilon-explorer-opened"
_SEE_OTHER = 303
_BETWEEN, _SIGNED = "~", "."
MOST = 8
"""Dashboards whose marks a browser keeps for this machine: a cookie is for all of its ports."""


class OpenedHere:
    """The same application, which takes a token from an address, and hears which browser has come with one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over with our header in place of any that claims to be it."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
        elif _opens(scope):
            await _led_on(scope)(scope, receive, send)
        else:
            marked = dict(scope)
            kept = [(name, value) for name, value in scope["headers"] if name.lower() != HEADER.encode()]
            marked["headers"] = [*kept, (HEADER.encode(), _mark(scope).encode())]
            await self._app(marked, receive, send)


def of_request(scope: Scope) -> str:
    """The mark of a browser that was opened with the token, once a request has passed here; else empty."""
    return Headers(scope=scope).get(HEADER, "")


def signed_by(token: curator_token.CuratorToken) -> str:
    """A new mark, which a browser keeps that was opened with this token."""
    drawn = secrets.token_urlsafe(16)
    return f"{drawn}{_SIGNED}{token.signature(drawn)}"


def _mark(scope: Scope) -> str:
    """The mark that this very process has signed, or one with the same strong token; empty where there is none."""
    if not _is_here(scope):
        return ""
    return next((one for one in cookies.kept(COOKIE, scope).split(_BETWEEN) if _is_signed(one)), "")


def _is_here(scope: Scope) -> bool:
    """Whether the settings serve one person, and nothing says that the connection is from elsewhere."""
    return set_up_for_one() and MARK not in Headers(scope=scope)


def _is_signed(mark: str) -> bool:
    drawn, _, signature = mark.partition(_SIGNED)
    return hmac.compare_digest(signature.encode(), curator_token.of_this_server().signature(drawn).encode())


def says_a_token(scope: Scope) -> bool:
    """Whether an address that is asked for has a token in it."""
    return scope["type"] == "http" and PARAMETER in QueryParams(scope["query_string"])


def _opens(scope: Scope) -> bool:
    """Whether a page is opened with a token in its address, for whatever it is worth there: it stays at no door."""
    return says_a_token(scope) and scope["method"] == "GET" and "text/html" in Headers(scope=scope).get("accept", "")


def _is_opened_by_hand(scope: Scope) -> bool:
    """Whether no other page does it, as far as the browser says: those try no tokens in a curator's name."""
    headers = Headers(scope=scope)
    by_itself = headers.get("sec-fetch-site", "none") in {"none", "same-origin"}
    return by_itself and headers.get("sec-fetch-dest", "document") == "document"


def _led_on(scope: Scope) -> RedirectResponse:
    """The way to the same page without the token; at this machine the mark, where it is right and there is none yet."""
    asked = URL(scope=scope)
    answer = RedirectResponse(asked.remove_query_params(PARAMETER), status_code=_SEE_OTHER)
    answer.headers["cache-control"] = "no-store"
    token, address = curator_token.of_this_server(), (scope.get("client") or ("", 0))[0]
    typed = QueryParams(scope["query_string"])[PARAMETER]
    right = _is_here(scope) and (
        token.opens_once(typed) or (_is_opened_by_hand(scope) and not token.opens(typed, counted_as(address)))
    )
    if right and not _mark(scope):
        others = [one for one in cookies.kept(COOKIE, scope).split(_BETWEEN) if one]
        marks = _BETWEEN.join([*others[1 - MOST :], signed_by(token)])
        answer.headers.append("set-cookie", cookies.leaving(COOKIE, marks, scope, same_site="Strict"))
    return answer
