"""What stands on the page of a presenter's stop: a practice plan and its settings, lent for as long as one is there."""

from __future__ import annotations

import streamlit as st

from pages import session
from pages.plan import accounts
from pages.session.first_plan import first_plan
from pages.session.plan import READY_MADE
from pages.tour import progress
from pages.tour.paths import SHOW, is_on
from pages.tour.presenting import STOPS, PresenterStop

HOME = "pages/start/welcome/page.py"
_BEGAN, _OPENED, _STAGED = "show_began", "show_opened", "show_staged"
_FOR_CURATORS = "The presenter’s path is for the curator, who may release answers. Enter as curator to open it."


def begin(page: str) -> None:
    """Start the path from this page, to which its end leads back."""
    session.remember(_BEGAN, page)
    progress.open_stop(1, SHOW)


def end() -> None:
    """Back to where it began."""
    progress.finish(SHOW)
    st.switch_page(str(session.remembered(_BEGAN, HOME)))


def refuse() -> None:
    """Tell an analyst who opens its address, once, who may present."""
    if SHOW.parameter in st.query_params and session.remembered("show_refused", None) is None:
        session.remember("show_refused", value=True)
        session.notice(_FOR_CURATORS)


def settle(page: str) -> None:
    """Before anything of a page is drawn: set its stop up when one arrives there, and give all back elsewhere.

    An address leads to its stop's page; whoever strays from there later sees the plan and the table that are theirs.
    """
    now = progress.current(SHOW)
    if now is None or not is_on(STOPS[now.number - 1], page):
        session.give_back()
        session.remember(_STAGED, None)
        if now is not None and session.remembered(_OPENED, None) is None:
            session.scenario()  # the address holds the plan, and another page's address does not
            progress.open_stop(now.number, SHOW)
    elif session.remembered(_STAGED, None) != now.number:
        session.remember(_STAGED, now.number)
        _set_up(STOPS[now.number - 1])
    session.remember(_OPENED, value=True)


def _set_up(stop: PresenterStop) -> None:
    """The practice plan under the terms of its account, as the stop changes it; nothing is charged."""
    session.lend(first_plan(READY_MADE), stop.settings)
    session.replace_scenario(stop.plan(accounts.as_charged(session.scenario())))
