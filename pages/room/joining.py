"""The door of a room: a code, a pseudonym, and an address that brings one back."""

from __future__ import annotations

import math

import streamlit as st

from dpengine.errors import DPEngineError, RoomError
from dpengine.workshop import Room, codes, people
from dpengine.workshop.pseudonyms import LONGEST_NAME, pseudonym
from pages import session
from pages.access import visit
from pages.room import place_memory, state
from pages.serving.tries import Tries
from pages.widgets import outputs
from pages.widgets.escaping import code, unmarked

CODE, KEY = "code", "me"
"""What stands in the address of a phone: which room, and the secret that brings its owner back."""
_JOINED = "room_joined"
WRONG_CODES = Tries(free=30)
"""A Wi-Fi full of people has one address, so many may mistype before anybody there is told to wait."""


def door() -> None:
    """Ask for the code and a name; the way in is the address that holds the key."""
    outputs.finding("Join a room", "The code stands on the projector. No account, and any name will do.")
    kept = place_memory.kept()
    _way_back(kept)
    said = st.container()
    with st.container(key="card_join"), st.form("join", border=False):
        typed = st.text_input("Code", value=st.query_params.get(CODE, ""), key="join_code", max_chars=20)
        name = st.text_input(
            "A name for you here", key="join_name", max_chars=LONGEST_NAME, placeholder="such as Blue Heron"
        )
        st.caption("The projector shows no names. The host sees yours, and may keep it with what you ask.")
        if st.form_submit_button("Join", type="primary", width="stretch"):
            try:
                _enter(typed, name, kept)
            except RoomError as refused:
                said.error(unmarked(str(refused)))
                return
            st.rerun()


def _way_back(key: str) -> None:
    """Offer the place that this browser had before, if it is in the room of the address, or none is named there."""
    if not key:
        return
    try:
        whom = people.back(state.rooms(), key)
        room = state.now(whom.room)
    except DPEngineError:
        return
    if codes.typed(st.query_params.get(CODE, room.code)) != room.code or room.state == "closed":
        return
    with st.container(border=True, key="card_back"):
        st.markdown(f"You were in **{unmarked(room.setting.title)}** on this phone.")
        st.button(
            f"Go on as {code(whom.name)}",
            key="join_back",
            type="primary",
            width="stretch",
            on_click=_stand_at,
            args=(key,),
        )


def _stand_at(key: str) -> None:
    """The way in is the address that holds the key."""
    st.query_params.clear()
    st.query_params[KEY] = key


def leave() -> None:
    """Forget the room in this browser; what was said in it stays there."""
    st.query_params.clear()


def _enter(typed: str, name: str, kept: str) -> None:
    """Join, and put the key into the address; raises RoomError where that cannot be.

    Whoever types the name that this browser had in the room is taken back to their place; so is a second press that
    ended the run of the first before the address had its key.
    """
    room = _found(typed)
    key = next((one for one in (kept, str(session.remembered(_JOINED, ""))) if _was(room, name, one)), "")
    if not key:
        key = people.join(state.rooms(), room, name, address=visit.address())[1]
        session.remember(_JOINED, key)
    state.changed(room.id)
    _stand_at(key)


def _was(room: Room, name: str, kept: str) -> bool:
    """Whether this browser was in the room under this name."""
    try:
        whom = people.back(state.rooms(), kept)
        return whom.room == room.id and whom.name.casefold() == pseudonym(name).casefold()
    except RoomError:
        return False


def _found(typed: str) -> Room:
    """The room of a code: a right one opens always, or whoever sits in the same Wi-Fi could keep everybody out."""
    try:
        return state.rooms().by_code(typed)
    except RoomError:
        wait = WRONG_CODES.wrong(visit.address())
        if wait:
            raise RoomError(
                f"Too many wrong codes from your network. Look at the projector, and try again in {math.ceil(wait)} "
                "seconds."
            ) from None
        raise
