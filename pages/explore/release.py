"""What may leave the table, at what price: one button, one charge, one answer."""

from __future__ import annotations

import streamlit as st

from pages.ui import accounts, choices, outputs, release_panels, session, wording

heading = st.container()
planned = choices.question(st.container(), key="release_question")
account = accounts.current()
with heading:
    outputs.finding(release_panels.title(planned, account), wording.EPSILON_PROTECTS)

if session.table() is None:
    release_panels.missing_table()
elif account is None:
    release_panels.open_account()
elif planned is not None:
    with st.container(border=True, key="card_price"):
        release_panels.price(planned, account)
        release_panels.release_button(planned, account)
    release_panels.answer(planned)

if account is not None:
    release_panels.history(account)
    release_panels.terms(account)
