"""Numbered steps of which one is open: the row of their names, and the buttons to the one before and the one after."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages import session
from pages.widgets.options import apart


def open_step(key: str, names: Sequence[str]) -> int:
    """The step that is open, chosen from a row of numbered names; it stays open while the session lasts.

    Every run tells the browser which step it shows: a late word of an earlier run may have moved the highlight.
    """
    session.widget_starts_at(menu_key(key), 0)
    session.set_widget(menu_key(key), session.widget_value(menu_key(key)))
    chosen = st.segmented_control(
        "Steps",
        range(len(names)),
        format_func=apart(range(len(names)), lambda index: f"{index + 1} · {names[index]}"),
        key=menu_key(key),
        required=True,
        wrap=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    return int(chosen or 0)


def to_the_steps_beside(key: str, names: Sequence[str], index: int) -> None:
    """A button to the step before and one to the step after, each with its name."""
    for way, other, words in (("back", index - 1, "← {}"), ("next", index + 1, "{} →")):
        if 0 <= other < len(names):
            st.button(
                words.format(f"{other + 1} · {names[other]}"),
                key=f"{key}_{way}",
                type="primary" if way == "next" else "secondary",
                on_click=session.set_widget,
                args=(menu_key(key), other),
            )


def menu_key(key: str) -> str:
    """By which the row of names is known."""
    return f"{key}_step"
