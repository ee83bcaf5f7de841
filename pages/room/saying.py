"""What a phone says in its room, and what it is told where something cannot be done: nothing of the server."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from dpengine.errors import DPEngineError, LedgerError
from dpengine.workshop import Participant, Room, sayings
from pages import session
from pages.room import state
from pages.widgets.escaping import unmarked

AWAY = "The room cannot be reached at the moment. Nothing was changed; try again, or tell the host."


def sentence(error: DPEngineError) -> str:
    """An error as its sentence; what a ledger says of itself names places on this server, and goes to its log."""
    if type(error) is not LedgerError:
        return str(error)
    logging.getLogger(__name__).error("The ledger could not be used for a room: %s", error)
    return AWAY


@contextmanager
def sentences() -> Iterator[None]:
    """Show an error as its sentence; the rest of the page stays."""
    try:
        yield
    except DPEngineError as error:
        st.error(unmarked(sentence(error)))


def say(room: Room, whom: Participant, kind: str, *, number: int, value: float) -> None:
    """Keep a guess, a choice or an answer; a refusal waits until it is told."""
    try:
        sayings.say(state.rooms(), whom, kind, number=number, value=value)
    except DPEngineError as refused:
        session.remember(_refused(kind), sentence(refused))
    state.changed(room.id)


def refusal(kind: str) -> None:
    """Tell why the last one of this kind was not kept, if it was not."""
    if refused := session.remembered(_refused(kind), ""):
        session.remember(_refused(kind), "")
        st.error(unmarked(str(refused)))


def _refused(kind: str) -> str:
    return f"{kind}_refused"
