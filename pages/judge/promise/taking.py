"""Take along: two pages to print, the promise as a link and as a file, back from either, and beside another one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import streamlit as st

from dpengine.errors import ScenarioError
from dpengine.promises import Promise
from dpengine.reports import evaluation_html
from pages import session
from pages.access import roles
from pages.access.roles import Role
from pages.judge.promise import hand
from pages.judge.promise.hand import KEY, Hand
from pages.widgets.escaping import unmarked

LONGEST_PASTED = 25_000
_PASTED, _FILE, _REFUSED = f"{KEY}_pasted", f"{KEY}_file", f"{KEY}_pasted_refused"


def show(held: Hand) -> None:
    """What can be kept of a promise that makes sense; another one can be opened whatever is in hand."""
    if held.promise is not None:
        _kept(held.promise, held)
    if said := session.remembered(_REFUSED, ""):
        st.error(unmarked(str(said)))
    st.text_area(
        "Open a promise: paste its link, or the text of its file",
        key=_PASTED,
        max_chars=LONGEST_PASTED,
        height=80,
        on_change=_open,
    )
    if roles.current() is Role.CURATOR:  # nobody else may upload
        st.file_uploader("or bring its file", type=["json"], key=_FILE, on_change=_open_file)


def _kept(promise: Promise, held: Hand) -> None:
    pages = {name: page for name, page in held.pages.items() if name not in held.changed}
    today = date.today()  # noqa: DTZ011  # the day on the wall of whoever runs this server
    address = str(st.context.url or "").split("?")[0].split("#")[0]
    st.markdown("**Everybody who opens this link sees this promise**, with all that you typed.")
    st.code(f"{address}?{session.PROMISE_LINK}={promise.to_link()}", language=None, wrap_lines=True)
    place = st.container(horizontal=True)
    place.download_button(
        "Evaluation, two pages",
        lambda: evaluation_html(promise, day=today, pages=pages),
        file_name="promise-evaluation.html",
        mime="text/html",
        key=f"{KEY}_evaluation",
        on_click="ignore",
        help="To print or send: what it means, what is left unsaid, what to ask its author.",
    )
    place.download_button(
        "Save the promise as a file",
        promise.to_json(),
        file_name="promise.json",
        mime="application/json",
        key=f"{KEY}_save",
        on_click="ignore",
    )
    st.page_link("pages/judge/two_promises/page.py", label="Compare it with another one: Two promises →")


def _open() -> None:
    text = str(session.widget_held(_PASTED) or "").strip()
    if not text:
        session.remember(_REFUSED, "")
        return
    _take(lambda: Promise.from_json(text) if text.startswith("{") else Promise.from_link(session.link_in(text)))


def _open_file() -> None:
    file = session.widget_held(_FILE)
    if file is not None:
        text: str = file.getvalue().decode("utf-8", errors="replace")  # type: ignore[attr-defined]
        _take(lambda: Promise.from_json(text))


def _take(read: Callable[[], Promise]) -> None:
    """A bad text gets a sentence, and the promise in hand stays."""
    try:
        promise = read()
    except ScenarioError as error:
        session.remember(_REFUSED, f"{error} The promise before is still in hand.")
    else:
        session.remember(_REFUSED, "")
        session.forget_link()
        hand.take(promise)
