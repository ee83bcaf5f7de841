"""What the whole room looks at: no controls, readable from ten meters, drawn anew with everything that anybody does."""

from __future__ import annotations

import streamlit as st

from dpengine.errors import DPEngineError
from dpengine.workshop import Room
from pages.room import inviting, live, saying, screens, state, steps, wall
from pages.room.steps import spend_screen
from pages.widgets import outputs
from pages.widgets.escaping import unmarked

SCREEN = "screen"
"""What opens the view in an address: a key of the room that opens nothing else."""
PAUSED = ("A moment, please", "The room is paused. Nothing is lost.")
SHUT = "Nobody else joins now."
CLOSED = "Thank you. This room is closed."
TO_LEAVE_WITH = (
    "What is told about all of us need not tell about any of us: noise hides each one, and only a budget that ends "
    "keeps it so."
)
_LAST_HEIGHT = 560


def show() -> None:
    """The room whose key stands in the address."""
    try:
        room = state.now(state.rooms().by_screen(st.query_params.get(SCREEN, "")).id)
    except DPEngineError:
        outputs.finding("This is a room's projector view", "The host opens it from the page on which the room is run.")
        return
    screens.of_a_projector()
    wall.measure()
    with st.container(key="projector"):
        live.follow(room, _view)


def _view(room: Room) -> None:
    step = steps.of(room)
    if room.state == "closed":
        _last(room)
    elif room.state == "paused":
        _said(*PAUSED)
        _foot(room)
    elif step is None:
        with st.container(key="projector_lobby"):
            _lobby(room)
    else:
        with saying.sentences():
            step.screen(room)
        _foot(room)


def _lobby(room: Room) -> None:
    """The title, the way in, and how many have taken it."""
    st.title(unmarked(room.setting.title), anchor=False)
    shared = "" if room.shut else inviting.shown()
    if not shared:
        with st.container(key="projector_alone"):
            _way_in(room, "")
        return
    words, picture = st.columns([1.3, 1], vertical_alignment="center")
    with words:
        _way_in(room, shared)
    with picture, st.container(key="projector_picture"):
        inviting.picture(room)


def _way_in(room: Room, shared: str) -> None:
    if shared:
        st.markdown("Scan the picture, or open")
        with st.container(key="projector_address"):
            st.markdown(shared)
        st.markdown("and type the code")
    if not room.shut:
        with st.container(key="projector_code"):
            st.markdown(room.spaced_code)
    st.markdown(how_many(room))


def how_many(room: Room) -> str:
    """How many have joined, for the wall."""
    count = len(state.everybody(room))
    joined = f"**{count}** {'person is' if count == 1 else 'people are'} in." if count else "Nobody is in yet."
    return f"{joined} {SHUT if room.shut else 'No account, and any name will do.'}"


def _foot(room: Room) -> None:
    """The way in for whoever comes late."""
    shared = inviting.shown()
    where = f"{shared} · " if shared else ""
    way_in = SHUT if room.shut else f"Join: {where}**{room.spaced_code}**"
    with st.container(key="projector_foot"):
        st.markdown(f"{way_in} · {len(state.everybody(room))} in")


def _last(room: Room) -> None:
    """One sentence to leave with, and how this room's budget burnt."""
    st.title(CLOSED, anchor=False)
    st.markdown(f"## {TO_LEAVE_WITH}", anchors=False)
    with saying.sentences():
        burnt = state.burnt(room)
        if burnt.questions:
            spend_screen.burns(st.container(), burnt, height=_LAST_HEIGHT)


def _said(title: str, detail: str) -> None:
    with st.container(key="projector_said"):
        st.title(title, anchor=False)
        st.markdown(detail)
