"""A participant's phone: the door, or the step that the room is in."""

from __future__ import annotations

import streamlit as st

from dpengine.errors import RoomError
from dpengine.workshop import Participant, Room, people
from pages.room import joining, live, place_memory, saying, screens, state, steps
from pages.room.projector import CLOSED, TO_LEAVE_WITH
from pages.room.steps import spend
from pages.widgets import outputs
from pages.widgets.escaping import code, unmarked


def show() -> None:
    """The room of this browser, or the door."""
    screens.of_a_phone()
    key = st.query_params.get(joining.KEY, "")
    try:
        with st.container(key="phone"), saying.sentences():
            if key:
                _back(key)
            else:
                joining.door()
    finally:
        spend.take_press()


def _back(key: str) -> None:
    """Where this browser was; a key that opens nothing any more is forgotten."""
    try:
        whom = people.back(state.rooms(), key)
        room = state.now(whom.room)
    except RoomError as gone:
        place_memory.forget(key)
        outputs.finding("You are in no room", unmarked(str(gone)))
        st.button("Join a room", key="join_again", type="primary", on_click=joining.leave)
        return
    place_memory.keep(key)
    _inside(room, whom)


def _inside(room: Room, whom: Participant) -> None:
    step = steps.of(room)
    st.markdown(f":small[:gray[You are]] {code(whom.name)} :small[:gray[· {unmarked(room.setting.title)}]]")
    if room.state != "open":
        outputs.finding(*_WAITING[room.state])
        live.follow(room)
        return
    if step is None:
        outputs.finding("You are in", "It begins when the host says so. This page moves on by itself.")
        live.follow(room)
        return
    with st.container(key="room_step"):
        step.phone(room, whom)
    foot = step.live
    live.follow(room, None if foot is None else lambda now: foot(now, whom))


_WAITING = {
    "paused": ("A moment, please", "The host has paused the room. Nothing is lost; this page goes on by itself."),
    "closed": (CLOSED, TO_LEAVE_WITH),
}
