"""The promise that is being judged: every page that speaks of it finds it here."""

from __future__ import annotations

import streamlit as st

from dpengine.promises import Promise
from pages.session.kept import remember, remembered

LINK = "promise"
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
    link = st.query_params.get(LINK)
    if not link or remembered("promise_link", None) == link:
        return None
    remember("promise_link", link)
    return Promise.from_link(link)


def forget_link() -> None:
    """Take the link out of the address, once something else is in hand."""
    st.query_params.pop(LINK, None)
