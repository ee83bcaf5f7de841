"""The door of a room: a code that few wrong tries are allowed for, a pseudonym, and an address that brings one back."""

from __future__ import annotations

import threading
from functools import cache

import streamlit as st

from dpengine.errors import RoomError
from dpengine.workshop import Room, codes, people
from pages.ui import outputs, session
from pages.ui.curator_token import Tries
from pages.ui.names import unmarked
from pages.ui.workshop import state

CODE, KEY = "code", "me"
"""What stands in the address of a phone: which room, and the secret that brings its owner back."""
OWN_TRIES, ALL_TRIES = 5, 60
"""Wrong codes a minute, from one browser and from all together."""
_LOCK = threading.Lock()


@cache
def _everybodys() -> Tries:
    return Tries(most=ALL_TRIES)


def door() -> None:
    """Ask for the code and a name; the way in is the address that holds the key."""
    outputs.finding("Join a room", "The code stands on the projector. No account, and any name will do.")
    said = st.container()
    with st.container(key="card_join"), st.form("join", border=False):
        typed = st.text_input("Code", value=st.query_params.get(CODE, ""), key="join_code", max_chars=20)
        name = st.text_input(
            "A name for you here", key="join_name", max_chars=codes.LONGEST_NAME, help="It need not be your own."
        )
        if st.form_submit_button("Join", type="primary", width="stretch"):
            try:
                _enter(typed, name)
            except RoomError as refused:
                said.error(unmarked(str(refused)))
                return
            st.rerun()


def leave() -> None:
    """Forget the room in this browser; what was said in it stays there."""
    st.query_params.clear()


def _enter(typed: str, name: str) -> None:
    """Join, and put the key into the address; raises RoomError where that cannot be."""
    room = _found(typed)
    _, key = people.join(state.rooms(), room, name)
    state.changed(room.id)
    st.query_params.clear()
    st.query_params[KEY] = key


def _found(typed: str) -> Room:
    """The room of a code; wrong ones are counted, right ones do not pass once there were too many."""
    own = session.remembered("wrong_codes", None)
    if not isinstance(own, Tries):
        own = Tries(most=OWN_TRIES)
        session.remember("wrong_codes", own)
    with _LOCK:
        wait = max(own.wait(), _everybodys().wait())
        if wait:
            raise RoomError(f"Too many wrong codes. Try again in {wait:.0f} seconds.")
        try:
            return state.rooms().by_code(typed)
        except RoomError:
            own.failed()
            _everybodys().failed()
            raise
