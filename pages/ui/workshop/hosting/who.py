"""Who is in a room, for the host alone, and the way out for somebody who has left, or who came in twice."""

from __future__ import annotations

import streamlit as st

from dpengine.workshop import Participant, Room, people
from pages.ui.names import code
from pages.ui.workshop import state


def show(room: Room) -> None:
    """The names for whoever asks for them; one that is chosen may be let go."""
    if not st.toggle("Show who is in", key="host_names"):
        return
    everybody = {one.id: one for one in state.everybody(room)}
    if not everybody:
        st.markdown(":gray[Nobody yet.]")
        return
    chosen = st.pills(
        "Choose somebody to let them go",
        list(everybody),
        format_func=lambda number: code(everybody[number].name),
        key=f"host_who_{room.id}_{room.version}",
        wrap=True,
    )
    if chosen is not None and chosen in everybody:
        _offer(everybody[chosen])


def _offer(whom: Participant) -> None:
    st.markdown(
        f"Let {code(whom.name)} go? Their name is free then, and their guesses, choices and answers to the check no "
        "longer count. What they asked stays paid."
    )
    if st.button("Yes, let them go", key=f"host_let_go_{whom.id}"):
        people.let_go(state.rooms(), whom)
        state.changed(whom.room)
        st.rerun()
