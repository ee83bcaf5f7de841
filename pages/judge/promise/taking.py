"""Take along: an evaluation to print, the promise as a link and as a file, and back from either."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import streamlit as st

from dpengine.deployments import SourcePage
from dpengine.errors import ScenarioError
from dpengine.promises import Promise
from dpengine.reports import evaluation_html
from pages import session
from pages.judge.promise import hand
from pages.judge.promise.hand import KEY, Hand
from pages.widgets.escaping import unmarked

LONGEST_PASTED = 25_000
_PASTED = f"{KEY}_pasted"


def show(held: Hand) -> None:
    """What can be kept of a promise that makes sense; another one can be opened whatever is in hand."""
    if held.promise is not None:
        _kept(held, held.promise)
    if said := session.remembered(f"{_PASTED}_refused", ""):
        st.error(unmarked(str(said)))
    st.text_area(
        "Open a promise: paste its link, or the text of its file",
        key=_PASTED,
        max_chars=LONGEST_PASTED,
        height=80,
        on_change=_open,
    )


def _kept(held: Hand, promise: Promise) -> None:
    """Two pages for people, a file and a link for this program, and the way to a comparison."""
    still_as_read = {name: page for name, page in held.pages.items() if name not in held.changed}
    files = (
        ("Two pages to print or send", "evaluation.html", "text/html", lambda: _evaluation(promise, still_as_read)),
        ("The promise as a file", "promise.json", "application/json", promise.to_json),
    )
    place = st.container(horizontal=True)
    for label, file, mime, written in files:
        place.download_button(
            label, written, file_name=file, mime=mime, key=f"{KEY}_{file.split('.')[0]}", on_click="ignore"
        )
    address = str(st.context.url or "").split("?")[0].split("#")[0]
    st.markdown("**Everybody who opens this link sees this promise**, with all that you typed.")
    st.code(f"{address}?{session.PROMISE_LINK}={promise.to_link()}", language=None, wrap_lines=True)
    st.page_link("pages/judge/two_promises/page.py", label="Compare it with another one: Two promises →")


def _evaluation(promise: Promise, pages: Mapping[str, SourcePage]) -> str:
    day = date.today()  # noqa: DTZ011 - the day on the wall of the server
    return evaluation_html(promise, day=day, pages=pages)


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
