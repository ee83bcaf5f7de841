"""The card at the side of every Explore page: the table, the promise, the budget left, and what may be shown."""

from __future__ import annotations

import streamlit as st

from dpengine.ledger import Account
from pages.ui import accounts, session, wording
from pages.ui.names import code


def show() -> None:
    """The facts that every number on the page depends on."""
    plan = session.scenario()
    st.sidebar.markdown(f"**{wording.table_title(plan, built_in=session.is_built_in())}**  \n{wording.unit_line(plan)}")
    st.sidebar.markdown(f":gray[{plan.neighbors.sentence}]")
    st.sidebar.markdown(_budget_line(accounts.current()))
    if session.table() is None:
        st.sidebar.markdown(
            f"The rows of {code(plan.table_name)} are not here: bring them on the **Data** page to release answers."
        )
        return
    session.widget_starts_at("exact_toggle", session.exact_shown())
    session.set_widget("exact_toggle", session.exact_shown())
    shown = st.sidebar.toggle(
        "Exact values shown, for your eyes only", key="exact_toggle", on_change=_keep_exact, disabled=False
    )
    if shown and not session.is_built_in():
        st.sidebar.markdown(f":gray[{wording.EXACT_SHOWN}]")


def _keep_exact() -> None:
    session.show_exact(shown=bool(session.widget_value("exact_toggle")))


def _budget_line(account: Account | None) -> str:
    return wording.budget_line(session.scenario(), account)
