"""What do you want to know, and how far can one person move each answer?"""

from __future__ import annotations

import streamlit as st

from pages.ui import outputs, plan_file, query_form, query_list, session, wording
from pages.ui.names import unmarked

scenario = session.scenario()
outputs.finding(
    query_list.title(scenario), "How far one person can move each answer, and why. No row is read on this page."
)

listed, builder = st.columns([6, 5], gap="medium")
with listed:
    query_list.show(scenario)
    plan_file.save_and_load()
with (
    outputs.card(builder, "Another question", "what it would cost, before any row is read", key="builder") as place,
    place,
):
    planned, refusal = query_form.typed_question(scenario)
    if planned:
        st.markdown(f"**{wording.asked(planned)}**")
        query_list.explain(planned, scenario)
    pressed = st.button("Add this question", key="add_question", type="primary")
    if planned is None:
        (st.error if pressed else st.info)(unmarked(refusal))
    elif pressed:
        session.replace_scenario(scenario.with_query(planned))
        st.rerun()
