"""Which promise a room judges at its end: none, the one in hand, a real deployment's, or one that somebody pastes."""

from __future__ import annotations

import streamlit as st

from dpengine.errors import DPEngineError, ScenarioError
from dpengine.promises import Promise
from dpengine.promises.recorded import RECORDED
from dpengine.promises.saved import LARGEST_PROMISE, from_json, from_link
from dpengine.workshop import judging
from pages import session
from pages.widgets.escaping import short
from pages.widgets.options import apart

NONE, IN_HAND, PASTED = "", "in hand", "pasted"
CHOICE, TEXT = "host_promise", "host_promise_text"


def chosen() -> tuple[Promise | None, str]:
    """The promise, None for no such step; and why it cannot be judged, empty where it can."""
    held = session.promise_in_hand()
    options = (NONE, *([IN_HAND] if held else []), PASTED, *RECORDED)
    words = {NONE: "No, leave this step out", PASTED: "Another one: paste its link or its file"}
    words |= {IN_HAND: f"The promise in hand: {short(held.name)}"} if held else {}
    words |= {name: f"{name} ({known.promise.by})" for name, known in RECORDED.items()}
    session.widget_stays_within(CHOICE, options)
    choice = st.selectbox(
        "At the end, judge somebody's promise together",
        options,
        format_func=apart(options, words.__getitem__),
        key=CHOICE,
        persist_state="session",
    )
    if choice == NONE:
        return None, ""
    try:
        promise = RECORDED[choice].promise if choice in RECORDED else held if choice == IN_HAND else _pasted()
        return promise and judging.judged(promise).promise, ""
    except DPEngineError as refused:
        return None, str(refused)


def _pasted() -> Promise:
    """What stands in the box: the text of a file, or an address with a link at its end."""
    label = "The promise: its link, or the text of its file"
    text = st.text_area(label, key=TEXT, max_chars=LARGEST_PROMISE, persist_state="session").strip()
    if not text:
        raise ScenarioError("Paste the promise that the room judges, or leave the step out.")
    return from_json(text) if text.startswith("{") else from_link(text.rpartition("=")[2])
