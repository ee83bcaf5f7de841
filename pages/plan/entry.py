"""The door between analysts and the curator: the guard of curator pages, and the place to prove who one is."""

from __future__ import annotations

import streamlit as st

from pages import session
from pages.access import roles, sign_on, visit
from pages.access.roles import Role
from pages.plan.table import brought_file, loading_panel
from pages.serving.layers import leaving
from pages.widgets import outputs
from pages.widgets.escaping import unmarked

_WHOSE = "whose"
_YOURS = (
    "**Is this your dashboard?** Then copy the address that its terminal shows, with the token in it, into the browser."
)


def require_curator() -> None:
    """Let only the curator see the rest of a page; anybody else reads one sentence, and where to enter."""
    if roles.current() is Role.CURATOR:
        return
    outputs.finding("This page is for the curator", "The curator answers for the table, and chooses what leaves it.")
    st.markdown(
        "You may read the **released answers**, see how much of each **budget** is left, and take the lessons. "
        "No page that you can open reads a row of the table."
    )
    st.page_link("pages/explore/released/page.py", label="See the released answers →")
    with st.container(border=True, key="card_entry"):
        _door("page")
    st.stop()


def at_the_side() -> None:
    """What an analyst sees instead of the table, or the curator's way out."""
    if roles.current() is Role.ANALYST:
        if visit.may_be_here():
            st.info(_YOURS)
        st.sidebar.markdown("**You are an analyst here.**  \n:gray[You see what was released, never a row.]")
        with st.sidebar.expander("Are you the curator?", expanded=visit.may_be_here()):
            _door("side")
    elif roles.entered():
        st.sidebar.markdown(":gray[You entered as curator, until this tab is closed or reloaded.]")
        st.sidebar.button("Leave, and forget my table", key=leaving.LEAVE, on_click=_leave)
    elif sign_on.is_curator():
        st.sidebar.button("Sign out", key=leaving.SIGN_OUT, on_click=_sign_out)


def end_what_was_anothers() -> None:
    """Forget a curator's table, file and plan in this session, where the role has ended or somebody else has it now.

    Somebody may have signed out in another tab, or a sign-in may have come to its end. A browser that is gone for a
    moment says nothing.
    """
    if not visit.proof():
        return
    if leaving.is_to_be_signed_out(visit.proof()):
        _sign_out()
    before, now = session.remembered(_WHOSE, ""), roles.whose()
    if before not in ("", now):
        _leave()
        now = roles.whose()
    session.remember(_WHOSE, now)


def _door(place: str) -> None:
    """A box for the token, and the server's other ways to sign in; `place` keeps two doors apart."""
    said = st.container()
    with st.form(f"entry_{place}", clear_on_submit=True, border=False):
        typed = st.text_input(
            "Curator's token", type="password", key=f"token_{place}", help="It stands in the server's terminal."
        )
        if st.form_submit_button("Enter as curator"):
            refused = roles.enter(typed)
            if not refused:
                st.rerun()
            said.error(unmarked(refused))
    sign_on.buttons(place)


def _leave() -> None:
    """Be an analyst again, whatever fails: the table, the file and everything kept of them go."""
    try:
        loading_panel.stop()
        brought_file.forget()
        roles.let_go_of_files()
    finally:
        session.forget_everything()
        st.query_params.clear()


def _sign_out() -> None:
    try:
        _leave()
    finally:
        st.logout()
