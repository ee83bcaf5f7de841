"""Pages that follow their room: a look twice a second, which costs a run only where something has changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpengine.errors import DPEngineError
from dpengine.workshop import Room
from pages.access import roles
from pages.room import saying, state
from pages.serving.layers import news
from pages.widgets.escaping import unmarked

EVERY = 0.5
"""Seconds between two looks: what everybody waits at most."""


def follow(room: Room, drawn: Callable[[Room], None] | None = None) -> None:
    """Draw what changes with everything that anybody does, again with each; a room that moved on draws the page anew.

    Nothing else of the page is run again, so that a box in which somebody types stays as it is.
    """
    _look(room, drawn)


@partial(roles.part, every=EVERY)
def _look(room: Room, drawn: Callable[[Room], None] | None) -> None:
    try:
        now = state.now(room.id)
    except DPEngineError as gone:
        st.error(unmarked(saying.sentence(gone)))
        return
    if now.version != room.version:
        st.rerun()
    if drawn is not None:
        drawn(now)
    news.shows(_shown(now), partial(_stands, now))


def _shown(room: Room) -> news.ShownPart:
    return news.ShownPart(page=room.version, part=room.pulse)


def _stands(room: Room) -> news.ShownPart:
    """How a room stands now; of one that is gone, a look says so."""
    try:
        return _shown(state.now(room.id))
    except DPEngineError:
        return news.ShownPart(page=room.version, part=None)
