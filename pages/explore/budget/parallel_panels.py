"""Questions about different people: what they would cost by parallel composition, and how to really save it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpengine.formatting import at_most
from dpengine.privacy import Neighbors
from dpengine.queries import HistogramQuery
from dpengine.scenario import Scenario
from dpengine.spending import Apart, apart, as_one_question
from pages import session
from pages.explore.budget import share_panels
from pages.phrasing import wording
from pages.plan import accounts, budget_bar
from pages.widgets.escaping import code

_PRICE = {
    Neighbors.ADD_REMOVE: "Adding or removing one person touches one of them, so only the one that costs most counts",
    Neighbors.REPLACE_ONE: (
        "Replacing one person may take somebody out of one and put somebody into another, so the two that cost most "
        "add up"
    ),
}


def different_people(plan: Scenario) -> None:
    """Which questions share nobody, and what that would save; nothing to say where there are none."""
    if not plan.schema.one_row_each:
        _several_rows(plan)
        return
    found = apart(plan)
    if not found.found:
        return
    with st.container(border=True, key="card_apart"):
        st.markdown(_sentence(found, plan.neighbors))
        for family in found.found:
            _one_question(plan, family)


def _sentence(found: Apart, neighbors: Neighbors) -> str:
    families = "; ".join(f"**{_numbers(family)} are about different people**" for family in found.found)
    together, added = at_most(found.together.epsilon), at_most(found.added_up.epsilon)
    known = (
        f"{families}: no row can be in two of them, whatever the table holds. {_PRICE[neighbors]} (parallel "
        "composition)."
    )
    if together == added:
        return f"{known} Here that saves nothing: ε {added} either way."
    return (
        f"{known} **If your account knew this, the list would cost ε {together} instead of {added}.** It does "
        "not: it charges every question by its rule."
    )


def _one_question(plan: Scenario, family: Sequence[int]) -> None:
    """The way that saves for real: counts of single values are one histogram, which the account charges once."""
    joined = as_one_question(plan, family)
    if joined is None:
        st.markdown(
            f":gray[{_numbers(family)}: to pay once, ask one question with an answer for each group: a histogram, or a "
            "sum or mean by group.]"
        )
        return
    asked = joined.queries[family[0]]
    column = code(asked.query.column) if isinstance(asked.query, HistogramQuery) else ""
    words, button = st.columns([3, 1.2], vertical_alignment="center")
    words.markdown(
        f"{_numbers(family)} are cells of one histogram of {column}: as one question they cost "
        f"{wording.guarantee(asked.guarantee)}, and the other cells come free{_ITS_NOISE[plan.neighbors]}."
    )
    button.button(
        "Ask them as one question",
        key=f"budget_one_question_{family[0]}",
        on_click=session.of_this_plan(_take),
        args=(joined, family),
        width="stretch",
    )
    account = accounts.current()
    bars = budget_bar.of_plan(plan, account), budget_bar.of_plan(joined, account)
    for place, name, bar in zip(st.columns(2), ("One by one", "As one question"), bars, strict=True):
        place.html(f"<p>{name}</p>{bar}")


_ITS_NOISE = {
    Neighbors.ADD_REMOVE: "",
    Neighbors.REPLACE_ONE: ", with noise twice as large: a replaced person may leave one cell and enter another",
}


def _take(plan: Scenario, family: Sequence[int]) -> None:
    """The new question where the first of its family stood; the others stay what they were."""
    first, gone = family[0], family[1:]
    many = len(session.scenario().queries)
    session.replace_scenario(plan, came_from=[None if one == first else one for one in range(many) if one not in gone])
    share_panels.start_over(plan)


def _several_rows(plan: Scenario) -> None:
    if sum(planned.query.where is not None for planned in plan.queries) > 1:
        st.markdown(
            ":gray[One person may have several rows in this table, and so be in several groups: questions about "
            "different groups are not about different people, and their costs add up.]"
        )


def _numbers(family: Sequence[int]) -> str:
    return f"Questions {wording.listed([str(place + 1) for place in family])}"
