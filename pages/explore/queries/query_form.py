"""The builder of one question: its kind, its column, its condition, its epsilon; no row is read."""

from __future__ import annotations

import streamlit as st

from dpengine.data import Schema
from dpengine.errors import DPEngineError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import Query, require_undeclared
from dpengine.scenario import Scenario
from pages import session
from pages.explore.queries.query_kinds import KINDS
from pages.question.condition_form import TypedCondition, typed_condition
from pages.session.first_plan import FIRST_EPSILON
from pages.widgets import number_box
from pages.widgets.options import apart


def built_question(schema: Schema) -> Query | str:
    """The question that the builder says, or the sentence that says what is unfinished or refused."""
    try:
        return _built(schema)
    except DPEngineError as error:
        return str(error)


def planned_at_epsilon(query: Query | str, scenario: Scenario) -> PlannedQuery | str:
    """The question at the epsilon that is typed, if the table's declaration can answer it; else a sentence."""
    epsilon = number_box.kept(
        st.container(),
        "Epsilon for this question",
        key="query_epsilon",
        start=FIRST_EPSILON,
        step=None,
        format="%g",
        persist_state="session",
        help="How much privacy the answer may cost. 0.1 is a careful start; you can change it later.",
    )
    if isinstance(query, str):
        return query
    try:
        planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon))
        planned.parts(scenario.schema, scenario.neighbors)
        require_undeclared(query, scenario.schema, scenario.neighbors)
    except DPEngineError as error:
        return str(error)
    return planned


def _built(schema: Schema) -> Query:
    _start_over_for(schema)
    kind = st.selectbox(
        "What do you want to know?",
        KINDS,
        format_func=apart(KINDS, lambda name: KINDS[name].label),
        key="query_kind",
        persist_state="session",
    )
    top = st.container()
    where = _where(schema)
    with top:
        return KINDS[kind].query(schema, where)


def _start_over_for(schema: Schema) -> None:
    """Conditions typed for another table mean nothing here."""
    if session.remembered("builder_schema", schema) != schema:
        session.remember("builder_schema", schema)
        session.remember("where_rows", ())
        session.remember("having_rows", (0,))
        session.remember("several_rows", (0,))


def _where(schema: Schema) -> TypedCondition:
    if session.remembered("where_rows", ()):
        st.markdown("Only rows for which …")
    return typed_condition(schema, key="where", invitation="Count only some rows: add a condition")
