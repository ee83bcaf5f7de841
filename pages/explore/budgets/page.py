"""How much of each budget is left, and where did the rest go?"""

from __future__ import annotations

import streamlit as st

from pages.plan import published_panels
from pages.widgets import outputs

heading = st.container()
with published_panels.sentence_for_a_broken_ledger():
    account = published_panels.chosen(st.container())
    if account is None:
        published_panels.nothing_yet(
            "What is spent and left of each budget stands here once the curator releases an answer."
        )
    else:
        with heading:
            outputs.finding(published_panels.budget_title(account), published_panels.kind(account))
        published_panels.all_budgets(account)
        drawn = published_panels.burn(account)
        published_panels.terms(account)
        outputs.numbers_behind(drawn, key="published_numbers")
