"""What a phone says in its room, and why it could not be kept, told once where its owner looks next."""

from __future__ import annotations

import streamlit as st

from dpengine.errors import DPEngineError
from dpengine.workshop import Participant, Room, sayings
from pages import session
from pages.room import state
from pages.widgets.escaping import unmarked


def say(room: Room, whom: Participant, kind: str, *, number: int, value: float) -> None:
    """Keep a guess, a choice or an answer; a refusal waits until it is told."""
    try:
        sayings.say(state.rooms(), whom, kind, number=number, value=value)
    except DPEngineError as refused:
        session.remember(_refused(kind), str(refused))
    state.changed(room.id)


def refusal(kind: str) -> None:
    """Tell why the last one of this kind was not kept, if it was not."""
    if refused := session.remembered(_refused(kind), ""):
        session.remember(_refused(kind), "")
        st.error(unmarked(str(refused)))


def _refused(kind: str) -> str:
    return f"{kind}_refused"
