"""How people come in, on the host's page: the code, the address, the picture, and the curator's own token."""

from __future__ import annotations

import streamlit as st

from dpengine.workshop import Room
from pages.access import roles, visit
from pages.room import inviting
from pages.room.hosting import who
from pages.serving import curator_token
from pages.widgets.escaping import unmarked


def show(room: Room) -> None:
    """The code large, the address below it; picture and token only for whoever asks for them."""
    with st.container(border=True, key="card_host_join"):
        words, buttons = st.columns([3, 2], vertical_alignment="center")
        here = inviting.shown()
        words.markdown(f"Join at {here}" if here else "**Join with this code, on this machine only:**")
        with words.container(key="host_code"):
            st.markdown(f"**{room.spaced_code}**")
        with buttons:
            who.door(room)
        if not here:
            st.markdown(f"Only this machine reaches this server. To let phones in, start it with `{inviting.SHARE}`.")
        elif buttons.toggle("Show the QR code", key="host_qr"):
            inviting.picture(room)
        if here and _knows_the_token() and buttons.toggle("Show the curator's token", key="host_token"):
            st.markdown(unmarked(curator_token.of_this_server().said()))


def _knows_the_token() -> bool:
    """Whether the host may see it anyway: a sign-in ends, and the token would not."""
    return visit.is_here() or roles.entered() or visit.by_a_test()
