"""The planned questions, each with how far one person moves its answer and the sentence why."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpengine.charts import amount, tiny
from dpengine.plan import PlannedQuery
from dpengine.queries import Part
from dpengine.scenario import Scenario
from pages.ui import session, wording
from pages.ui.names import unmarked

TRADEOFF = "pages/explore/tradeoff.py"
_NUMBERS = {2: "two", 3: "three"}
_PART_WORDS = {"centered sum": "a sum", "centered count": "a sum of zeros and ones", "count": "a count"}


def title(scenario: Scenario) -> str:
    """What the plan holds, and what it adds up to."""
    count = len(scenario.queries)
    if not count:
        return "No question is planned yet"
    epsilon = sum(planned.guarantee.epsilon for planned in scenario.queries)
    delta = sum(planned.guarantee.delta for planned in scenario.queries if planned.mechanism == "gaussian")
    total = f"ε {amount(epsilon)}" + (f", δ {tiny(delta)}" if delta else "")
    return f"{count} question{'s' if count > 1 else ''} planned; together they cost {total}"


def show(scenario: Scenario) -> None:
    """One card a question, with its two buttons."""
    if not scenario.queries:
        st.markdown("Build a question on this page, then press **Add this question**.")
    for index, planned in enumerate(scenario.queries):
        with st.container(border=True, gap="xxsmall", key=f"card_question_{index}"):
            _heading(index, planned)
            explain(planned, scenario)


def explain(planned: PlannedQuery, scenario: Scenario) -> None:
    """How far one person moves each noisy part, why, and what each part costs."""
    parts = planned.parts(scenario.schema, scenario.neighbors)
    if len(parts) == 1:
        st.markdown(f":gray[{unmarked(parts[0].sensitivity.because)}]")
        return
    shares = planned.shares(scenario.schema, scenario.neighbors)
    costs = " and ".join(_cost(part, float(share)) for part, share in zip(parts, shares, strict=True))
    st.markdown(f"Costs {_NUMBERS[len(parts)]} answers: {costs}.  \n{_reasons(parts)}")


def _cost(part: Part, epsilon: float) -> str:
    return f"{_PART_WORDS.get(part.name, part.name)} ({float(part.share) * 100:.0f} % of epsilon: {amount(epsilon)})"


def _reasons(parts: Sequence[Part]) -> str:
    return "  \n".join(f":gray[{part.name.capitalize()}: {unmarked(part.sensitivity.because)}]" for part in parts)


def _heading(index: int, planned: PlannedQuery) -> None:
    """The question and its epsilon, with its two buttons at the end of the line."""
    place = st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False)
    epsilon = f"ε\u00a0{amount(planned.guarantee.epsilon)}{wording.delta_and_noise(planned)}"
    place.markdown(f"**{index + 1}. {wording.asked(planned)}** {epsilon}", width="stretch")
    if place.button(
        "Trade-off →", key=f"ask_{index}", help="Ask about this question on the trade-off page", type="tertiary"
    ):
        session.choose_question(index)
        st.switch_page(TRADEOFF)
    place.button("Remove", key=f"remove_{index}", on_click=_remove, args=(index,), type="tertiary")


def _remove(index: int) -> None:
    chosen = session.question_index()
    session.replace_scenario(session.scenario().without_query(index))
    session.choose_question(chosen - 1 if index < chosen else chosen)
