"""Which promise a room judges at its end: none, a real deployment's, or one that somebody pastes."""

from __future__ import annotations

import streamlit as st

from dpengine.errors import DPEngineError
from dpengine.promises import Promise
from dpengine.promises.recorded import RECORDED
from dpengine.promises.saved import from_json, from_link
from dpengine.workshop import judging
from pages.widgets.options import apart

NONE, PASTED = "", "pasted"
CHOICE, TEXT = "host_promise", "host_promise_text"
LONGEST_TEXT = 20_000
_OPTIONS = (NONE, PASTED, *RECORDED)


def chosen() -> tuple[Promise | None, str]:
    """The promise, None for no such step; and why what was pasted is none, empty where it is one."""
    choice = st.selectbox(
        "At the end, judge somebody's promise together",
        _OPTIONS,
        format_func=apart(_OPTIONS, _named),
        key=CHOICE,
        persist_state="session",
    )
    if choice == PASTED:
        return _pasted()
    return (RECORDED[choice].promise, "") if choice else (None, "")


def _named(option: str) -> str:
    if option in RECORDED:
        return f"{option} ({RECORDED[option].promise.by})"
    return "No, leave this step out" if option == NONE else "A promise of your own: paste its link or file"


def _pasted() -> tuple[Promise | None, str]:
    text = st.text_area(
        "The promise, as its link or the text of its file", key=TEXT, max_chars=LONGEST_TEXT, persist_state="session"
    ).strip()
    if not text:
        return None, "Paste the promise that the room judges, or leave the step out."
    try:
        promise = from_json(text) if text.startswith("{") else from_link(text.rpartition("=")[2])
        judging.judged(promise)
    except DPEngineError as refused:
        return None, str(refused)
    return promise, ""
