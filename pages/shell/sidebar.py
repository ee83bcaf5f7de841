"""The card at the side of every page: the table, the promise, the budget left, and what may be shown."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.scenario import Scenario
from pages import session
from pages.phrasing import wording
from pages.plan import accounts, budget_bar


def show(*, folded: bool = False, lesson: bool = False) -> None:
    """The facts that every number on the page depends on; folded where the page does not use the table."""
    if not folded:
        _facts(st.sidebar)
        return
    _facts(st.sidebar.expander("The table of your plan"))
    if lesson:
        st.sidebar.markdown(":gray[Lessons do not read it, and cost nothing.]")


UNREAD = "What was spent cannot be read now."


def _facts(place: DeltaGenerator) -> None:
    plan = session.scenario()
    title = wording.table_title(plan, built_in=session.is_built_in())
    account = accounts.current()
    unread = session.table() is not None and accounts.is_ledger_unreadable()
    place.markdown(f"**{title}**  \n{UNREAD if unread else wording.budget_line(plan, account)}")
    if not unread and (bar := budget_bar.of_plan(plan, account)):
        place.html(bar)
    _exact_values(place, plan)
    unit = wording.unit_line(plan)
    place.markdown(f":gray[{unit[:1].upper()}{unit[1:]}. {plan.neighbors.sentence}]")


def _exact_values(place: DeltaGenerator, plan: Scenario) -> None:
    """The switch that shows them, where the rows are here."""
    if session.table() is None:
        return
    key = session.key_of_table("exact_toggle")
    session.widget_starts_at(key, session.exact_shown())
    session.set_widget(key, session.exact_shown())
    if not session.is_built_in():
        place.markdown(f":gray[{wording.EXACT_SHOWN}]")
    place.toggle("Show exact values, for your eyes only", key=key, on_change=_keep_exact, args=(key,))


def _keep_exact(key: str) -> None:
    """A late press on the switch of the table before is about that table."""
    if key == session.key_of_table("exact_toggle"):
        session.show_exact(shown=bool(session.widget_held(key)))
