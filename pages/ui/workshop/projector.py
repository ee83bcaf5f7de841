"""What the whole room looks at: no controls, readable from ten meters, drawn anew with everything that anybody does."""

from __future__ import annotations

import streamlit as st

from dpengine.errors import DPEngineError
from dpengine.workshop import Room
from pages.ui import outputs
from pages.ui.names import unmarked
from pages.ui.workshop import live, state, steps

SCREEN = "screen"
"""What opens the view in an address: a key of the room that opens nothing else."""


def show() -> None:
    """The room whose key stands in the address."""
    try:
        room = state.now(state.rooms().by_screen(st.query_params.get(SCREEN, "")).id)
    except DPEngineError:
        outputs.finding("This is a room's projector view", "The host opens it from the page on which the room is run.")
        return
    with st.container(key="projector"):
        live.follow(room, _view)


def _view(room: Room) -> None:
    step = steps.of(room)
    if step is None:
        st.title(unmarked(room.setting.title))
        st.markdown(f"# {room.spaced_code}")
        st.markdown(f"{len(state.everybody(room))} people are in.")
        return
    step.screen(room)
