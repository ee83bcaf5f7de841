"""The browser's Back leads to the page before: a plan that changes, and its address with it, is no step of its own."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_ONE_STEP_A_PAGE = st.components.v2.component(
    "one_step_a_page",
    html="<span hidden></span>",
    js=(Path(__file__).parent / "back_button.js").read_text(encoding="utf-8"),
)


def leads_back() -> None:
    """Have the browser keep one step a page; takes no room on it."""
    with st.container(key="no_room"):
        _ONE_STEP_A_PAGE(key="one_step_a_page")
