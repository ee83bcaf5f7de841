"""A room at work: what is on, what comes next, who is in, what to say."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from dpengine.workshop import CHOOSE, LOBBY, Room
from pages.room import live, record, state, steps
from pages.room.hosting import ending, inviting_panel, paying, script, who, words
from pages.room.steps import choose_host
from pages.widgets import outputs


def show(room: Room) -> None:
    """The page of whoever leads this room."""
    step = steps.of(room)
    outputs.finding(step.title if step else "Let people in", words.place(room))
    missing = paying.bring_back(room)
    if missing:
        st.warning(missing)
    ending.expired(room)
    _moves(room)
    left, right = st.columns([3, 2])
    with left:
        if room.place == LOBBY:
            inviting_panel.show(room)
        with st.container(border=True, key="card_host_now"):
            st.markdown(f"## Now\n{words.now(room)}")
            live.follow(room, _seen)
            if step is not None and step.controls is not None:
                step.controls(room)
        if room.place != LOBBY:
            inviting_panel.show(room)
        script.mistaken(room)
    with right:
        script.card(room)
        if room.place != LOBBY:
            with st.container(border=True, key="card_host_record"):
                record.download(room)


def _moves(room: Room) -> None:
    """The one button that leads on, and those for everything else; each means the room as it was drawn."""
    following, before = room.after(), room.before()
    with st.container(horizontal=True, vertical_alignment="center", key="host_moves"):
        if following is None:
            ending.close(room, last=True)
        elif st.button(words.ahead(room), key=_key("next", room), type=_weight(room)):
            _go(room, following)
        if st.button("Back", key=_key("back", room), disabled=before is None) and before is not None:
            _go(room, before)
        _pause(room)
        st.link_button("Open the projector view", f"projector?screen={room.screen}")
        ending.start_over(room)
        if following is not None:
            ending.close(room)
    if room.state == "paused":
        st.warning("**Paused.** Phones wait, and nothing that anybody presses counts, until you go on.")


def _weight(room: Room) -> Literal["primary", "secondary"]:
    """The way on is the page's one strong button, unless something is to be done before."""
    return "secondary" if room.step == CHOOSE and choose_host.waits(room) else "primary"


def _key(name: str, room: Room) -> str:
    """Another one once the room has moved, so that a late press on an old page does not move it again."""
    return f"host_{name}_{room.id}_{room.version}"


def _go(room: Room, to: Room) -> None:
    state.rooms().go(room, to)
    state.changed(room.id)
    st.rerun()


def _pause(room: Room) -> None:
    paused = room.state == "paused"
    kind: Literal["primary", "secondary"] = "primary" if paused else "secondary"
    if st.button("Go on" if paused else "Pause", key=_key("pause", room), type=kind):
        (state.rooms().resume if paused else state.rooms().pause)(room)
        state.changed(room.id)
        st.rerun()


def _seen(room: Room) -> None:
    """Who is in and who has done what, each second."""
    st.markdown(f"{words.how_many(room)} {words.done(room)}")
    who.show(room)
