"""The planned questions, each with how far one person moves its answer and the sentence why."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.formatting import amount, tiny
from dpengine.plan import PlannedQuery
from dpengine.scenario import Lost, Scenario
from pages import session
from pages.explore.queries import query_builder
from pages.phrasing import wording
from pages.question import one_person
from pages.widgets.escaping import unmarked

TRADEOFF = "pages/explore/tradeoff/page.py"


def title(scenario: Scenario) -> str:
    """What the plan holds, and what it adds up to."""
    count = len(scenario.queries)
    if not count:
        return "No question is planned yet"
    epsilon = sum(planned.guarantee.epsilon for planned in scenario.queries)
    delta = sum(planned.used_delta for planned in scenario.queries)
    total = f"ε {amount(epsilon)}" + (f", δ {tiny(delta)}" if delta else "")
    if count == 1:
        return f"1 question planned; it costs {total}"
    return f"{count} questions planned; together they cost {total}"


def show(scenario: Scenario) -> None:
    """One card a question, with its buttons."""
    if not scenario.queries:
        st.markdown("Build a question on this page, then press **Add this question**.")
    for index, planned in enumerate(scenario.queries):
        with st.container(border=True, gap="xxsmall", key=f"card_question_{index}"):
            _heading(index, planned)
            st.markdown(one_person.because(planned, scenario))
    lost = session.lost_questions()
    if lost:
        st.markdown(
            "**No longer possible under the new declarations** :gray[kept only in this tab: the plan and its link do "
            "not hold them]"
        )
    for index, one in enumerate(lost):
        _lost(index, one)


def _heading(index: int, planned: PlannedQuery) -> None:
    """The question and its epsilon, with its buttons at the end of the line.

    In a shorter list each *Remove* is another button: a second click does not fall on the question that has moved up.
    """
    place = _line(f"{index + 1}. ", planned)
    if place.button(
        "Trade-off →", key=f"ask_{index}", help="Ask about this question on the trade-off page", type="tertiary"
    ):
        session.choose_question(index)
        st.switch_page(TRADEOFF)
    change, remove = session.of_this_plan(query_builder.change), session.of_this_plan(session.remove_query)
    place.button("Change", key=f"change_{index}", on_click=change, args=(index,), type="tertiary")
    key = f"remove_{index}_of_{len(session.scenario().queries)}"
    place.button("Remove", key=key, on_click=remove, args=(index,), type="tertiary")


def _line(number: str, planned: PlannedQuery) -> DeltaGenerator:
    """A question with its epsilon, and room for its buttons behind."""
    place = st.container(horizontal=True, vertical_alignment="center", gap="small")
    epsilon = f"ε\u00a0{amount(planned.guarantee.epsilon)}{wording.delta_and_noise(planned)}"
    place.markdown(f"**{number}{wording.asked(planned, session.scenario().spoken)}** {epsilon}", width="stretch")
    return place


def _lost(index: int, lost: Lost) -> None:
    """A question that does not hold any more, why, and what can be done with it."""
    with st.container(border=True, gap="xxsmall", key=f"card_lost_{index}"):
        place = _line("", lost.planned)
        mend, let_go = session.of_this_plan(query_builder.mend), session.of_this_plan(session.let_go)
        place.button("Correct", key=f"mend_{index}", on_click=mend, args=(lost,), type="tertiary")
        place.button("Delete", key=f"let_go_{index}", on_click=let_go, args=(lost,), type="tertiary")
        st.markdown(unmarked(lost.reason))
