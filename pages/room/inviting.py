"""How people find a room: an address, a code to type, a picture to scan."""

from __future__ import annotations

from html import escape
from urllib.parse import urlsplit

import streamlit as st

from dpengine.workshop import Room
from pages.access.visit import LOOPBACK
from pages.serving.network import addresses, qr

SHARE = "streamlit run app.py -- --share"


def address() -> str:
    """Where participants reach this server; empty where only this machine does."""
    shared = addresses.for_participants()
    return shared[0] if shared else _of_this_browser()


def _of_this_browser() -> str:
    """The address by which this browser came, where others may come by it too."""
    own = urlsplit(st.context.url or "")
    if not own.hostname or own.hostname in LOOPBACK:
        return ""
    return f"{own.scheme}://{own.netloc}{own.path.rpartition('/')[0]}"


def shown() -> str:
    """The door's address as people type it, in a code span of any length; empty where only this machine reaches it."""
    here = f"{address()}/room".removeprefix("http://").replace("`", "")
    return f"`{here}`" if address() else ""


def link(room: Room) -> str:
    """What the picture says: the room's door, with the code filled in; empty where nobody else could open it."""
    here = address()
    return f"{here}/room?code={room.code}" if here else ""


def picture(room: Room) -> None:
    """The QR code, as wide as its place; an image, since st.html lets no drawing through."""
    st.html(f'<img class="qr" alt="QR code: {escape(link(room))}" src="{qr.source(link(room))}">')
