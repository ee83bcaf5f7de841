"""The facilitator's page: open a room, lead it from step to step, close it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpengine.workshop import Room
from pages import session
from pages.room import screens, state
from pages.room.hosting import ending, form, leaders, leading, words
from pages.widgets import outputs

ROOM, NEW = "room", "new"
"""Which room a host leads, in the address too, so that a reload or a restart comes back to it."""


def show() -> None:
    """The room that this host leads, or the form that opens one."""
    screens.of_a_host()
    with outputs.sentences_for_errors():
        rooms = state.rooms().all()
        room = _led(rooms)
        if room is None:
            _lead(form.show(rooms))
        elif not leaders.may_lead(room):
            outputs.finding("Somebody else leads this room", words.place(room))
            st.markdown(leaders.ELSEWHERE)
        elif room.state == "closed":
            ending.closed(room)
        else:
            leading.show(room)
        _others(rooms, room)


def _led(rooms: Sequence[Room]) -> Room | None:
    """The room that was chosen, at first the latest that is not closed and that this session may lead.

    Where all are closed it is the latest: its record stands first.

    None where a new one is wanted, and where the one that was led is gone: nobody leads another's by accident.
    """
    wanted = session.remembered("hosted", st.query_params.get(ROOM))
    if wanted == NEW:
        return None
    if wanted:
        led = next((room for room in rooms if str(room.id) == str(wanted)), None)
    else:
        own = [room for room in rooms if leaders.may_lead(room)]
        led = next((room for room in own if room.state != "closed"), own[0] if own else None)
    if led is not None:
        session.remember("hosted", str(led.id))
        if st.query_params.get(ROOM) != str(led.id):
            st.query_params[ROOM] = str(led.id)
    return led


def _lead(room: Room | None) -> None:
    if room is not None:
        _choose(str(room.id))
        st.rerun()


def _choose(wanted: str) -> None:
    session.remember("hosted", wanted)
    st.query_params.pop(ROOM, None)


def _others(rooms: Sequence[Room], led: Room | None) -> None:
    """The way to other rooms, and to a new one."""
    others = [room for room in rooms if led is None or room.id != led.id]
    with st.container(horizontal=True, key="host_others"):
        if led is not None:
            st.button("Open a new room", key="host_new", on_click=_choose, args=(NEW,))
        if not others:
            return
        with st.popover(f"Other rooms ({len(others)})", key=f"host_rooms_{led.id if led else NEW}"):
            for room in others:
                st.button(words.listed(room), key=f"host_room_{room.id}", on_click=_choose, args=(str(room.id),))
