"""The facilitator's page: open a room, lead it from step to step, close it."""

from __future__ import annotations

import streamlit as st

from dpengine.errors import DPEngineError
from dpengine.workshop import Room, Setting
from pages.ui import accounts, outputs, session
from pages.ui.names import unmarked
from pages.ui.workshop import live, state, steps, tables


def show() -> None:
    """The room that this host leads, or the form that opens one."""
    with outputs.sentences_for_errors():
        number = session.remembered("hosted", None)
        open_ones = [room for room in state.rooms().all() if room.state != "closed"]
        mine = next((room for room in open_ones if room.id == number), open_ones[0] if open_ones else None)
        if mine is None:
            _opening()
        else:
            _leading(mine)


def _opening() -> None:
    outputs.finding("Open a room", "Ten to fifty people, one table, one budget.")
    plan = session.scenario()
    title = st.text_input("What is it about?", "Our workshop", key="host_title")
    if st.button("Open the room", type="primary", key="host_open"):
        try:
            table = session.required_table()
            accounts.open_planned()
            account = accounts.ledger().account_of(table)
            if account is not None:
                tables.lend(account.id, table)
                room = state.rooms().open(Setting(title=title, plan=plan), account)
                session.remember("hosted", room.id)
        except DPEngineError as refused:
            st.error(unmarked(str(refused)))
            return
        st.rerun()


def _leading(room: Room) -> None:
    step = steps.of(room)
    outputs.finding(step.title if step else "Let people in", unmarked(room.setting.title))
    st.markdown(f"## {room.spaced_code}")
    st.page_link("pages/workshop/projector.py", label="Projector view →", query_params={"screen": room.screen})
    back, following, pause, close = st.columns(4)
    before, after = room.before(), room.after()
    if back.button("Back", key="host_back", disabled=before is None) and before is not None:
        state.rooms().go(room, before)
        st.rerun()
    if following.button("Next", key="host_next", type="primary", disabled=after is None) and after is not None:
        state.rooms().go(room, after)
        st.rerun()
    paused = room.state == "paused"
    if pause.button("Go on" if paused else "Pause", key="host_pause"):
        (state.rooms().resume if paused else state.rooms().pause)(room)
        st.rerun()
    if close.button("Close the room", key="host_close"):
        state.rooms().close(room)
        st.rerun()
    if step is not None and step.controls is not None:
        step.controls(room)
    live.follow(room, _seen)


def _seen(room: Room) -> None:
    st.markdown(f"{len(state.everybody(room))} people are in.")
