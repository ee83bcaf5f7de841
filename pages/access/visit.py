"""Where a browser sits: at this machine, or with others to whom this server is served."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime import get_instance

from pages import session
from pages.serving.alone import LOOPBACK, SERVED, is_own_name, is_own_page, is_served_port, set_up_for_one
from pages.serving.layers.news import HEADER as CONNECTION
from pages.serving.layers.proof import HEADER
from pages.serving.network.outside import MARK
from pages.serving.tries import counted_as

__all__ = ["LOOPBACK", "SERVED", "Visit", "address", "by_a_test", "is_here", "set_up_for_one"]

_OF_A_BROWSER = frozenset(
    {"host", "origin", "connection", "upgrade", "user-agent", "cookie", "pragma", "cache-control", "dnt", "priority"}
)
_OF_BROWSERS = ("sec-", "accept")


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
        if not self.alone or self.from_outside or self._through_others() or len(named) != 1 or len(origins) != 1:
            return False
        return is_own_name(named[0]) and is_served_port(origins[0]) and is_own_page(origins[0], named[0])

    @property
    def from_outside(self) -> bool:
        """Whether it came through the network's door (--share), whatever host and origin it claims."""
        return bool(self._said(MARK))

    def _said(self, name: str) -> tuple[str, ...]:
        return next((values for key, values in self.headers.items() if key.casefold() == name), ())

    def _through_others(self) -> bool:
        """Whether a header tells of anything between, since no browser sends it by itself."""
        names = {name.casefold() for name in self.headers} - _OF_A_BROWSER - {HEADER, CONNECTION}
        return not all(name.startswith(_OF_BROWSERS) for name in names)


def is_here() -> bool:
    """Whether this session's browser sits at this machine; of one that is gone for a moment, what was true before."""
    headers = {name: tuple(st.context.headers.get_all(name)) for name in st.context.headers}
    if headers:
        session.remember("is_here", Visit(alone=set_up_for_one(), headers=headers).at_this_machine)
    return session.remembered("is_here", None) is True


def proof() -> str:
    """What stands for this session's browser, whose cookie nobody else has; empty while it is gone for a moment."""
    return str(st.context.headers.get(HEADER) or "")


def address() -> str:
    """Where this session's browser comes from, as it is counted; of one that is gone for a moment, what was before.

    Empty where it is unknown, and at this machine: all of these are counted as one.
    """
    known = counted_as(st.context.ip_address)
    if known:
        session.remember("address", known)
    return known or str(session.remembered("address", ""))


def by_a_test() -> bool:
    """Whether there is no server at all: AppTest, or a plain run of the script; then nobody else can look.

    AppTest's is a mock, which no server has; a server of another kind than we know makes nobody curator.
    """
    try:
        return type(get_instance()).__module__ == "unittest.mock"
    except RuntimeError:
        return True
