"""Whose rows an attack runs on: those of the curator who shows exact values, else those that come with the project.

No other file of this folder may reach a table.
"""

from __future__ import annotations

import streamlit as st

from dpengine.data import Table
from dpengine.queries import Query
from pages import session
from pages.access import roles
from pages.access.roles import Role
from pages.widgets.escaping import code


def brought() -> Table | None:
    """The table that the curator brought, while exact values are shown; None for everybody else."""
    if roles.current() is not Role.CURATOR or session.is_built_in() or not session.exact_shown():
        return None
    return session.table()


def own_or_invented(invented: str, *, key: str) -> Table | None:
    """Let the curator choose between the table that was brought and an `invented` one; None for the invented one."""
    table = brought()
    if table is None:
        st.caption(_why_invented(invented))
        return None
    options = (f"your table {code(table.schema.name)}", invented)
    session.widget_stays_within(key, options)
    session.widget_starts_at(key, options[0])
    chosen = st.pills("Attack", options, key=key, required=True, persist_state="session")
    st.caption("Runs only on this server, on exact values, and only you see it. Nothing is released or charged.")
    return table if chosen == options[0] else None


def _why_invented(invented: str) -> str:
    said = f"This runs on {invented}. Nothing is released, and nothing is charged."
    if roles.current() is Role.CURATOR and not session.is_built_in():
        return f"{said} To attack your own table, show exact values: the switch is at the side."
    return said


def exact_answer(query: Query) -> float | None:
    """The exact answer to a count of the table that was brought, read once a session; None where it may not be seen."""
    if brought() is None:
        return None
    return session.exact_guess(query).answers[0]
