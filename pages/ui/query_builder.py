"""The card in which one question is built and written in SQL, side by side, explained, and added to the plan."""

from __future__ import annotations

import streamlit as st

from dpengine.plan import PlannedQuery
from dpengine.queries import Query
from dpengine.scenario import Scenario
from pages.ui import one_person, query_form, session, sql_box, wording
from pages.ui.names import unmarked


def show(scenario: Scenario) -> None:
    """The builder on the left, SQL on the right, and below them what one person can do to the answer."""
    with st.container(border=True, key="card_builder"):
        left, right = st.columns([13, 10], gap="medium")
        with left:
            st.markdown("## Build a question")
            built = query_form.built_question(scenario.schema)
        asked = sql_box.question(built, scenario.schema)
        with right:
            st.markdown("## Or write it in SQL")
            sql_box.show(built, scenario.schema)
        with st.container(key="explained"):
            _explained(asked, scenario)


def _explained(asked: Query | str, scenario: Scenario) -> None:
    """The question in words, how far one person moves it, and the button that adds it."""
    words, adding = st.columns([13, 10], gap="medium", vertical_alignment="top")
    with adding:
        planned, pressed = _adding(asked, scenario)
    if isinstance(planned, str):
        with words:
            (st.error if pressed else st.info)(unmarked(planned))
        return
    if pressed:
        session.replace_scenario(scenario.with_query(planned))
        st.rerun()
    with words:
        st.markdown(f"**{wording.asked(planned)}**  \n{one_person.because(planned, scenario)}")
        known = one_person.known_already(planned.query, scenario)
        if known:
            st.markdown(known)
        jump = one_person.jump(planned.query, scenario)
        if jump:
            st.markdown(jump)
    with adding:
        st.markdown(one_person.under_both_relations(planned.query, scenario))


def _adding(asked: Query | str, scenario: Scenario) -> tuple[PlannedQuery | str, bool]:
    """The question at its epsilon, and whether it was added."""
    left, right = st.columns([1, 1], vertical_alignment="bottom")
    with left:
        planned = query_form.planned_at_epsilon(asked, scenario)
    refused = sql_box.is_refused(scenario.schema)
    return planned, right.button("Add this question", key="add_question", type="primary", disabled=refused)
