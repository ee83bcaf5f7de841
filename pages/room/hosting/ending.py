"""What a host presses at most once: start over, close, reopen, keep the record, delete; each asks once more."""

from __future__ import annotations

import streamlit as st

from dpengine.errors import DPEngineError
from dpengine.workshop import Room
from pages.room import live, record, state
from pages.room.hosting import paying, words
from pages.widgets import outputs
from pages.widgets.escaping import unmarked


def start_over(room: Room) -> None:
    """Back to an empty room and a whole budget, on practice data only."""
    if not room.setting.plan.built_in:
        return
    with st.popover("Start over", key=f"host_over_{room.id}_{room.version}"):
        st.markdown(
            "Everything said and asked in this room is deleted; its people stay. The practice budget is filled "
            "again, which only invented or public people allow: a real budget never comes back."
        )
        if st.button("Yes, start over", key=f"host_over_sure_{room.id}_{room.version}"):
            _changing(lambda: state.rooms().start_over(room, paying.again(room)), room)


def close(room: Room, *, last: bool = False) -> None:
    """Nobody can do anything from then on; after the last step it is what comes next."""
    label = "Finish: close the room" if last else "Close"
    with st.popover(label, type="primary" if last else "secondary", key=f"host_close_{room.id}_{room.version}"):
        st.markdown("Nobody can join, ask or choose any more. You can open it again until it is deleted.")
        if st.button("Yes, close the room", key=f"host_close_sure_{room.id}_{room.version}"):
            _changing(lambda: _close(room), room)


def closed(room: Room) -> None:
    """A room that is over: what is left to do with it."""
    outputs.finding("This room is closed", f"{words.place(room)} · deleted on {words.day(room)}")
    st.markdown(f"{words.were_in(room)} What was charged stays in the ledger, even after the room is deleted.")
    with st.container(border=True, key="card_host_record"):
        st.markdown(
            "## Take the record with you\nSettings, votes, answers and checks, in one page that opens anywhere."
        )
        record.download(room)
    with st.container(horizontal=True, vertical_alignment="center", key="host_closed"):
        if not paying.has_the_rows(room):
            st.markdown("Somebody who has the rows of its table, declared as they are in the room, can open it again.")
        elif st.button("Open it again", key=f"host_reopen_{room.id}_{room.version}"):
            _changing(lambda: state.rooms().resume(room), room)
        _prolong(room)
        with st.popover("Delete it now", key=f"host_delete_{room.id}"):
            st.markdown("What people said is then gone for good, and no record can be made of it.")
            if st.button("Yes, delete it", key=f"host_delete_sure_{room.id}"):
                state.rooms().delete(room.id)
                paying.give_back()
                st.rerun()
    live.follow(room)


def expired(room: Room) -> None:
    """The day on which a room is deleted has come: say so, and let it live on."""
    if state.rooms().is_expired(room):
        st.warning(
            f"**This room's day has come** ({words.day(room)}). Nobody can join any more, and it is deleted once "
            "nobody has done anything in it for an hour."
        )
        _prolong(room)


def _prolong(room: Room) -> None:
    days = room.setting.days
    label = f"Keep it {days} more day{'s' if days > 1 else ''}"
    if st.button(label, key=f"host_prolong_{room.id}_{room.version}"):
        _changing(lambda: state.rooms().prolong(room), room)


def _close(room: Room) -> None:
    state.rooms().close(room)
    paying.give_back()


def _changing(change: object, room: Room) -> None:
    """Change a room, and draw the page anew; a sentence where that cannot be."""
    try:
        change()  # type: ignore[operator]
    except DPEngineError as refused:
        st.error(unmarked(str(refused)))
        return
    state.changed(room.id)
    st.rerun()
