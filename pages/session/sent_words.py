"""Words for a table that came with somebody's plan: set aside until the person here has read them."""

from __future__ import annotations

import streamlit as st

from dpengine.data import Labels, Schema

_KEY = "words_sent"


def set_aside(labels: Labels, schema: Schema) -> None:
    """Keep the words that a plan brought for this table; one without any puts those before away."""
    st.session_state[_KEY] = (labels, schema)


def aside(schema: Schema) -> Labels | None:
    """The words that wait to be read for this table; None where there are none."""
    labels, about = st.session_state.get(_KEY, (Labels(), schema))
    return labels if about == schema and labels != Labels() else None


def put_away() -> None:
    """Nothing waits any more."""
    st.session_state.pop(_KEY, None)
