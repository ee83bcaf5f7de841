"""The card in which one question is built and written in SQL, side by side, explained, and added to the plan."""

from __future__ import annotations

import streamlit as st

from dpengine.plan import PlannedQuery
from dpengine.queries import Query, declared_number
from dpengine.scenario import Lost, Scenario
from pages import session
from pages.explore.queries import query_form, sql_box
from pages.phrasing import wording
from pages.question import condition_form, one_person
from pages.widgets.escaping import unmarked


def show(scenario: Scenario) -> None:
    """The builder on the left, SQL on the right, and below them what one person can do to the answer."""
    with st.container(border=True, key="card_builder"):
        left, right = st.columns([13, 10], gap="medium")
        with left:
            place = _changing(scenario)
            heading = "Correct a question" if _mending() else "Build a question (query)"
            st.markdown(f"## {heading if place is None else f'Change question {place + 1}'}")
            built = query_form.built_question(scenario.schema)
        asked = sql_box.question(built, scenario.schema)
        with right:
            st.markdown("## Or write it in SQL")
            sql_box.show(built, scenario.schema)
        with st.container(key="explained"):
            _explained(asked, scenario)


def change(place: int) -> None:
    """Take a question of the plan into the builder, to be kept there in its place."""
    plan = session.scenario()
    planned = plan.queries[place]
    sql_box.take(planned.query, plan.schema)
    session.set_widget("query_epsilon", planned.guarantee.epsilon)
    session.remember("changing", (session.mark_at(place), planned))


def mend(lost: Lost) -> None:
    """Take into the builder what still holds of a question that the plan has lost."""
    sql_box.take_refused(lost.planned.query, session.scenario().schema, lost.reason)
    session.set_widget("query_epsilon", lost.planned.guarantee.epsilon)
    session.remember("changing", lost)


def _changing(scenario: Scenario) -> int | None:
    """The place of the question that is being changed, while it stands there as it was taken."""
    kept = session.remembered("changing", None)
    if not isinstance(kept, tuple):
        return None
    mark, planned = kept
    place = session.place_of(mark)
    return place if place is not None and scenario.queries[place] == planned else None


def _mending() -> Lost | None:
    """The lost question that is being mended, until it is mended or let go."""
    kept = session.remembered("changing", None)
    return kept if isinstance(kept, Lost) and kept in session.lost_questions() else None


def _keep(planned: PlannedQuery, scenario: Scenario) -> None:
    """A changed question in its place, a new or mended one at the end; then the builder is clean."""
    place, lost = _changing(scenario), _mending()
    if place is not None:
        session.replace_scenario(scenario.with_query_at(place, _with_noise_of(scenario.queries[place], planned)))
    elif lost is not None:
        session.replace_scenario(scenario.with_query(_with_noise_of(lost.planned, planned)))
        session.let_go(lost)
    else:
        session.replace_scenario(scenario.with_query(planned))
    session.remember("changing", None)
    condition_form.start_over("where")


def _with_noise_of(before: PlannedQuery, planned: PlannedQuery) -> PlannedQuery:
    return before.at(planned.guarantee.epsilon).asking(planned.query)


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
        _keep(planned, scenario)
        st.rerun()
    with words:
        st.markdown(f"**{wording.asked(planned, scenario.spoken)}**  \n{one_person.because(planned, scenario)}")
        for said in (one_person.of_text(planned, scenario), one_person.jump(planned.query, scenario)):
            if said:
                st.markdown(said)
    with adding:
        st.markdown(one_person.under_both_relations(planned.query, scenario))


def _adding(asked: Query | str, scenario: Scenario) -> tuple[PlannedQuery | str, bool]:
    """The question at its epsilon, and whether it was added."""
    left, right = st.columns([1, 1], vertical_alignment="bottom")
    with left:
        planned = query_form.planned_at_epsilon(asked, scenario)
    declared = declared_number(asked, scenario.schema, scenario.neighbors)
    refused, place = sql_box.is_refused(scenario.schema) or bool(declared), _changing(scenario)
    label = "Add this question" if place is None else f"Keep this as question {place + 1}"
    pressed = right.button(label, key="add_question", type="primary", disabled=refused)
    if place is not None or _mending():
        right.button("Leave it as it was", key="leave_question", on_click=_leave, type="tertiary")
    return planned, pressed


def _leave() -> None:
    session.remember("changing", None)
    condition_form.start_over("where")
