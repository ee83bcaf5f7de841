"""Formulas, methods and sources, behind one switch: who does not look for them never meets them."""

from __future__ import annotations

import streamlit as st

HOW = "How is this computed?"
_UNFOLDED_ON_PAPER = "<style>@media print { details::details-content { content-visibility: visible; } }</style>"


def formula(words: str, tex: str) -> str:
    """A paragraph behind the switch: what it is in words, and the formula; no other text has one."""
    return f"{words}: ${tex}$\n\n"


def how(explained: str, *, key: str) -> None:
    """What is explained, folded at first; nothing where that is nothing. Paper shows it unfolded."""
    if explained:
        with st.expander(HOW, key=key):
            st.html(_UNFOLDED_ON_PAPER)
            st.markdown(explained)
