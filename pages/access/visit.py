"""Where a browser sits: at this machine, or with others to whom this server is served."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime import get_instance

from pages import session
from pages.serving.alone import LOOPBACK, SERVED, set_up_for_one
from pages.serving.layers import opened
from pages.serving.layers.proof import HEADER
from pages.serving.network.outside import MARK
from pages.serving.tries import counted_as

__all__ = ["LOOPBACK", "SERVED", "address", "by_a_test", "is_here", "may_be_here", "set_up_for_one"]


def is_here() -> bool:
    """Whether this session's browser sits at this machine; of one that is gone for a moment, what was true before."""
    if st.context.headers:
        session.remember("is_here", set_up_for_one() and bool(st.context.headers.get(opened.HEADER)))
    return session.remembered("is_here", None) is True


def may_be_here() -> bool:
    """Whether it could: nothing says that this session's browser is elsewhere, or that others are served."""
    return set_up_for_one() and MARK not in st.context.headers


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
