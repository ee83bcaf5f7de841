"""Where a browser sits: at this machine, or with others to whom this server is served."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit as st
from streamlit.runtime import Runtime, get_instance

from pages.ui import session

SERVED = "EPSILON_EXPLORER_SERVED"
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_OF_A_BROWSER = frozenset(
    {"host", "origin", "connection", "upgrade", "user-agent", "cookie", "pragma", "cache-control", "dnt", "priority"}
)
_OF_BROWSERS = ("sec-", "accept")
_OPENS_UP: tuple[tuple[str, object], ...] = (
    ("server.enableCORS", True),
    ("server.corsAllowedOrigins", []),
    ("server.allowedHosts", []),
    ("browser.serverAddress", "localhost"),
    ("server.baseUrlPath", ""),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A browser's connection: what it said of itself, and whether this server is set up for one person alone.

    `headers` are those of its handshake, each with all its values.
    """

    alone: bool
    headers: Mapping[str, tuple[str, ...]]

    @property
    def at_this_machine(self) -> bool:
        """Whether the browser names this machine, comes from one of its own pages, and no proxy stands between.

        Whoever is not proved to sit here is taken for somebody else.
        """
        named, origins = self._said("host"), self._said("origin")
        if not self.alone or len(named) != 1 or len(origins) != 1 or self._through_others():
            return False
        return _is_loopback(f"//{named[0]}") and origins[0].casefold() in {
            f"{scheme}://{named[0]}".casefold() for scheme in ("http", "https")
        }

    def _said(self, name: str) -> tuple[str, ...]:
        return next((values for key, values in self.headers.items() if key.casefold() == name), ())

    def _through_others(self) -> bool:
        """Whether a header tells of anything between, since no browser sends it by itself."""
        names = {name.casefold() for name in self.headers} - _OF_A_BROWSER
        return not all(name.startswith(_OF_BROWSERS) for name in names)


def _is_loopback(address: str) -> bool:
    try:
        place = urlsplit(address)
        return place.hostname in LOOPBACK and place.username is None
    except ValueError:
        return False


def is_here() -> bool:
    """Whether this session's browser sits at this machine; of one that is gone for a moment, what was true before."""
    headers = {name: tuple(st.context.headers.get_all(name)) for name in st.context.headers}
    if headers:
        session.remember("is_here", Visit(alone=set_up_for_one(), headers=headers).at_this_machine)
    return session.remembered("is_here", None) is True


def by_a_test() -> bool:
    """Whether there is no server at all: AppTest, or a plain run of the script; then nobody else can look."""
    try:
        return type(get_instance()) is not Runtime
    except RuntimeError:
        return True


def set_up_for_one() -> bool:
    """Whether the settings let only this machine in: the loopback address, and no other host, origin or proxy."""
    address = str(st.get_option("server.address") or "")
    closed = all(_unset(name, usual) for name, usual in _OPENS_UP)
    return address in LOOPBACK and closed and not os.environ.get(SERVED)


def _unset(name: str, usual: object) -> bool:
    return bool(st.get_option(name) == usual)
