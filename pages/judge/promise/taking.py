"""Take along: the promise as a link and as a file, back from either, and beside another one."""

from __future__ import annotations

import streamlit as st

from dpengine.errors import ScenarioError
from dpengine.promises import Promise
from pages import session
from pages.judge.promise import hand
from pages.judge.promise.hand import KEY, Hand
from pages.widgets.escaping import unmarked

LONGEST_PASTED = 25_000
_PASTED = f"{KEY}_pasted"


def show(held: Hand) -> None:
    """What can be kept of a promise that makes sense; another one can be opened whatever is in hand."""
    if held.promise is not None:
        _kept(held.promise)
    if said := session.remembered(f"{_PASTED}_refused", ""):
        st.error(unmarked(str(said)))
    st.text_area(
        "Open a promise: paste its link, or the text of its file",
        key=_PASTED,
        max_chars=LONGEST_PASTED,
        height=80,
        on_change=_open,
    )


def _kept(promise: Promise) -> None:
    address = str(st.context.url or "").split("?")[0].split("#")[0]
    st.markdown("**Everybody who opens this link sees this promise**, with all that you typed.")
    st.code(f"{address}?{session.PROMISE_LINK}={promise.to_link()}", language=None, wrap_lines=True)
    with st.container(horizontal=True):
        st.download_button(
            "Save the promise as a file",
            promise.to_json(),
            file_name="promise.json",
            mime="application/json",
            key=f"{KEY}_save",
            on_click="ignore",
        )
    st.page_link("pages/judge/two_promises/page.py", label="Compare it with another one: Two promises →")


def _open() -> None:
    """A bad text gets a sentence, and the promise in hand stays."""
    text = str(session.widget_held(_PASTED) or "").strip()
    if not text:
        session.remember(f"{_PASTED}_refused", "")
        return
    try:
        promise = Promise.from_json(text) if text.startswith("{") else Promise.from_link(session.link_in(text))
    except ScenarioError as error:
        session.remember(f"{_PASTED}_refused", f"{error} The promise before is still in hand.")
    else:
        session.remember(f"{_PASTED}_refused", "")
        session.forget_link()
        hand.take(promise)
