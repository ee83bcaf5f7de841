"""What has been released, and how sure is each answer?"""

from __future__ import annotations

import streamlit as st

from pages.plan import published_panels
from pages.widgets import outputs

heading = st.container()
with published_panels.sentence_for_a_broken_ledger():
    account = published_panels.chosen(st.container())
    if account is None:
        published_panels.nothing_yet()
    else:
        with heading:
            outputs.finding(published_panels.answers_title(account), published_panels.kind(account))
        published_panels.newest(account)
        published_panels.terms(account)
