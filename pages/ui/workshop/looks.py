"""The little CSS of a room: letters that ten meters do not make small, and buttons that a thumb finds."""

from __future__ import annotations

import streamlit as st

_LARGE = """
<style>
.st-key-projector h1 { font-size: min(3.2rem, 5vh + 1rem); }
.st-key-projector p, .st-key-projector li { font-size: 2rem; line-height: 1.3; }
.st-key-projector [data-testid="stCaptionContainer"] p { font-size: 1.6rem; }
</style>
"""
_THUMB = """
<style>
.st-key-thumb button { min-height: 5.5rem; }
.st-key-thumb button p { font-size: 1.6rem; font-weight: 700; }
</style>
"""


def large() -> None:
    """On the projector: nothing below 2.2 of 100 of its height."""
    st.html(_LARGE)


def thumb() -> None:
    """On a phone: what stands in the container "thumb" is pressed without looking."""
    st.html(_THUMB)
