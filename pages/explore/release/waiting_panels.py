"""Charges without an answer: the server stopped, or something failed, between the charge and the answer."""

from __future__ import annotations

import streamlit as st

from dpengine.ledger import Account, Entry
from pages import session
from pages.explore.release import release_panels
from pages.phrasing import charge_words, wording
from pages.plan import accounts
from pages.widgets import outputs

MOST_SHOWN = 5


def waiting(account: Account, *, besides: Entry | None = None) -> None:
    """What was paid for and never shown, each with the button that fetches it; nothing where all is answered.

    `besides` is the one that the page offers above.
    """
    entries = [entry for entry in account.charges() if entry.noisy is None and entry != besides]
    if not entries:
        return
    with st.container(border=True, key="card_waiting"):
        st.markdown(
            f"## Paid for, but not answered yet: {len(entries):,}\n"
            "The charge was written down, as it always is before a row is read; then something stopped before there "
            "was an answer. Nobody has seen one, so it may be drawn now, once. **It costs nothing more.**"
        )
        for entry in entries[:MOST_SHOWN]:
            _offer(entry, account)


def _offer(entry: Entry, account: Account) -> None:
    asked = wording.asked(entry.planned_query, session.scenario().spoken)
    st.markdown(f"{asked} :gray[Charged on {entry.time:%Y-%m-%d %H:%M} UTC: {charge_words.signs(entry.charge)}.]")
    table = session.table()
    if table is None:
        st.markdown("Bring its table again on the **Data** page to fetch it.")
    elif table.schema != entry.schema:
        st.markdown(
            "Declare the columns on the **Data** page as they were declared then; it can be fetched after that."
        )
    elif st.button(release_panels.FETCH, key=f"fetch_{entry.request_id}"):
        with outputs.sentences_for_errors():
            accounts.fetch(entry, account)
            st.rerun()
