"""The promise that is being judged: every page that speaks of it finds it here."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import streamlit as st

from dpengine.errors import ScenarioError
from dpengine.promises import Promise
from pages.session.kept import remember, remembered

PROMISE_LINK = "promise"
"""The name of a promise's link in the address."""


def promise_in_hand() -> Promise | None:
    """The last promise on *Judge a promise* that makes sense; None before there is one."""
    held = remembered("promise_in_hand", None)
    return held if isinstance(held, Promise) else None


def keep_promise(promise: Promise) -> None:
    """Let other pages speak of this one."""
    remember("promise_in_hand", promise)


def promise_that_came() -> Promise | None:
    """The promise that the address brought, once for each link; raises ScenarioError for a link that holds none."""
    link = st.query_params.get(PROMISE_LINK)
    if not link or remembered("promise_link", None) == link:
        return None
    remember("promise_link", link)
    return Promise.from_link(link)


def link_in(typed: str) -> str:
    """The promise in a whole address, or the text itself where somebody pasted no more than that.

    >>> link_in("http://127.0.0.1:8501/promise?promise=p1.AbC"), link_in("p1.AbC")
    ('p1.AbC', 'p1.AbC')
    """
    if f"{PROMISE_LINK}=" not in typed:
        return typed
    try:
        return parse_qs(urlsplit(typed).query).get(PROMISE_LINK, [""])[-1]
    except ValueError:
        raise ScenarioError("This is not the address of a promise.") from None


def forget_link() -> None:
    """Take the link out of the address, once something else is in hand."""
    st.query_params.pop(PROMISE_LINK, None)
