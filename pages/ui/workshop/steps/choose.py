"""Choose epsilon."""

from __future__ import annotations

import streamlit as st

from dpengine.workshop import Participant, Room
from pages.ui.workshop.steps.step import Script, Step


def _phone(room: Room, whom: Participant) -> None:
    st.markdown("Look at the projector.")


def _screen(room: Room) -> None:
    st.title(STEP.title)


STEP = Step(
    name="choose",
    title="Choose epsilon",
    script=Script(goal="", minutes=10, say=(), mistaken=(), ending=""),
    phone=_phone,
    screen=_screen,
)
