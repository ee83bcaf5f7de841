"""A table that a plan waits for: recognized by what is declared about it, or told what differs and what to do."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpengine.data import Preview, Schema, Table
from dpengine.scenario import Declarations, DeclaredDifference, Scenario
from pages import session
from pages.plan.table import schema_form
from pages.plan.table.schema_form import Declaration
from pages.widgets.escaping import MOST_LISTED, code, listed, unmarked

WAITING_PAGES = ("queries", "tradeoff", "budget")
_LONGEST = 60


def awaiting() -> Scenario | None:
    """The plan in use where its rows are not here and have to be brought."""
    return session.scenario() if session.table() is None else None


def say_what_is_missing(page: str) -> None:
    """On a page about the plan: whose rows are not here, and what the pictures show instead."""
    plan = awaiting()
    if plan is None or page not in WAITING_PAGES:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="rows_awaited"):
        st.markdown(
            f":gray[The rows of] {code(plan.table_name)} :gray[are not here: nothing can be released, and pictures are "
            "drawn around 0.]",
            width="stretch",
        )
        st.page_link("pages/explore/data/page.py", label="Bring the rows on the Data page →")


def say_how_the_one_here_differs() -> bool:
    """On the Data page: a table that is here, but declared otherwise than the plan's; says whether there is one."""
    plan, brought = awaiting(), session.widget_held("table")
    if plan is None or not isinstance(brought, Table):
        return False
    here = Declarations(schema=brought.schema, neighbors=plan.neighbors)
    differences = told(here.differences(plan.declarations)) or "its columns stand in another order"
    st.warning(f"Your table is here, but declared differently: {differences}.")
    return True


def compared(read: Preview, declared: Declaration | str) -> None:
    """Below the form: whether this is the table that the plan waits for, and where not, what differs."""
    plan = awaiting()
    if plan is None:
        return
    absent = [column.name for column in plan.schema.columns if column.name not in read.names]
    if absent:
        st.warning(
            f"The plan is about {code(plan.table_name)}, and what you brought has no column {listed(absent)}. "
            "Bring the file that the plan was made for, or use this one without the questions about what it lacks."
        )
    elif isinstance(declared, str):
        _offer(read, plan)
    else:
        _say_how_it_compares(read, plan, declared)


def _say_how_it_compares(read: Preview, plan: Scenario, declared: Declaration) -> None:
    differences = _declarations(declared).differences(plan.declarations)
    mark = plan.declarations.fingerprint
    if not differences:
        st.success(
            f"Declared as in the plan ({mark}): press the button, and {_questions(plan)} with it. An account that was "
            "opened for these rows on this server is found again, with what is left of it."
        )
        return
    same = declared.schema.name == plan.table_name
    st.warning(
        f"Declared differently than in the plan ({mark}): {told(differences)}. What is declared decides how much noise "
        f"an answer needs. {_those_that_hold(plan) if same else f'Under another name {_questions(plan, stay=True)}.'}"
    )
    _offer(read, plan)


def _offer(read: Preview, plan: Scenario) -> None:
    st.button(
        "Declare it as in the plan",
        key="declare_as_planned",
        on_click=schema_form.fill,
        args=(read, plan.schema, plan.neighbors, plan.spoken),
    )


def told(differences: Sequence[DeclaredDifference]) -> str:
    """The first few differences, as a list within a sentence; names and values may be anybody's."""
    more = len(differences) - MOST_LISTED
    return "; ".join(map(_told, differences[:MOST_LISTED])) + (f"; and {more} more" if more > 0 else "")


def _told(one: DeclaredDifference) -> str:
    of = f" of {code(one.column)}" if one.column and one.fact != "column" else ""
    named = f"column {code(one.column)}" if one.fact == "column" else f"{one.fact}{of}"
    return f"{named}: {_short(one.here)} here, {_short(one.there)} in the plan"


def _short(text: str) -> str:
    return unmarked(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")


def _questions(plan: Scenario, *, stay: bool = False) -> str:
    count = len(plan.queries)
    one = count == 1
    verb = ("stays" if one else "stay") + " behind" if stay else ("comes" if one else "come")
    return f"its {'question' if one else f'{count} questions'} {verb}"


def _those_that_hold(plan: Scenario) -> str:
    count = len(plan.queries)
    if count == 1:
        return "Its question comes along if it still holds."
    return f"Of its {count} questions those come along that still hold."


def schema_of(declared: Declaration) -> Schema:
    """The plan's own schema where the same facts were declared, though perhaps in another order."""
    plan = awaiting()
    same = plan is not None and _declarations(declared).same_as(plan.declarations)
    return plan.schema if plan is not None and same else declared.schema


def _declarations(declared: Declaration) -> Declarations:
    return Declarations(schema=declared.schema, neighbors=declared.neighbors)
