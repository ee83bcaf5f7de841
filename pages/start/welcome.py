"""The whole idea in one picture: one question, one dial, three consequences; then the doors."""

from __future__ import annotations

import streamlit as st

from pages.ui import entry, inputs, outputs, tradeoff_panels, welcome_panels

DIAL = "welcome_epsilon"


@st.fragment
def consequences() -> None:
    """One real question on a built-in table, whatever the plan of this session is."""
    heading = st.container()
    with st.container(border=True, key="card_dial"):
        epsilon = inputs.dial(key=DIAL, kept=0.1)
    with outputs.sentences_for_errors():
        subject = welcome_panels.subject(epsilon)
        with heading:
            outputs.finding(tradeoff_panels.finding(subject), welcome_panels.STORY)
        tradeoff_panels.three_cards(subject)


entry.require_curator()
consequences()
welcome_panels.doors()
