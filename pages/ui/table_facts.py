"""What may be known about the current table, and for the curator's eyes what happened to its cells."""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch

import pandas as pd
import streamlit as st

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Column,
    DateColumn,
    IntakeReport,
    NumberColumn,
    Schema,
    Table,
    TextColumn,
)
from dpengine.privacy import Neighbors
from dpengine.scenario import Scenario
from pages.ui import file_in_hand, saved_declaration, session, upload_form, wording
from pages.ui.names import code, unmarked

_WIDTHS = {
    "column": st.column_config.TextColumn(width=165),
    "kind": st.column_config.TextColumn(width=85),
    "what it can be": st.column_config.TextColumn(width=200),
    "unit": st.column_config.TextColumn(width=70),
    "missing": st.column_config.TextColumn("missing?", width=75),
}


def title(scenario: Scenario) -> str:
    """The finding: how many columns, and how much of the table is one person's."""
    unit, count = scenario.schema.unit, len(scenario.schema.columns)
    rows = "one person is one row" if unit.identifier is None else f"one person has at most {unit.rows} row"
    return f"{code(scenario.table_name)}: {count} columns, {rows}{'s' if unit.rows > 1 else ''}"


def detail() -> str:
    """Where the rows are."""
    if session.is_built_in():
        return "Public practice data. What may be known without looking at it:"
    if session.table() is None:
        return "Its rows are not here: bring them again to release answers. What was declared:"
    return "Your table. What you declared without looking at it:"


def show(scenario: Scenario) -> None:
    """The declared facts, the promise, and what the curator can do with the table."""
    st.dataframe(_frame(scenario.schema), hide_index=True, height="content", column_config=_WIDTHS)
    st.markdown(
        f"**Whose rows:** {wording.unit_line(scenario)}.  \n**What answers hide:** {scenario.neighbors.sentence}"
    )
    table, buttons = session.table(), st.container(horizontal=True)
    with buttons:
        saved_declaration.download(scenario)
    if table is None or table.built_in:
        return
    with buttons:
        if file_in_hand.held() is not None:
            st.button("Declare it differently", key="declare_again", on_click=file_in_hand.declare_again)
        st.button("Forget my table", key="forget_table", on_click=upload_form.forget)
    _show_report(table, scenario)


def _frame(schema: Schema) -> pd.DataFrame:
    rows = [{"column": column.name, **_facts(column)} for column in schema.columns]
    return pd.DataFrame(rows, columns=["column", "kind", "what it can be", "unit", "missing"])


@singledispatch
def _facts(column: Column) -> Mapping[str, str]:
    raise TypeError(column)


@_facts.register
def _(column: NumberColumn) -> Mapping[str, str]:
    missing = "no" if column.complete else "yes"
    between = f"{column.lower:,g} to {column.upper:,g}"
    return {"kind": "number", "what it can be": between, "unit": column.unit, "missing": missing}


@_facts.register
def _(column: CategoryColumn) -> Mapping[str, str]:
    return {"kind": "category", "what it can be": ", ".join(column.categories), "unit": "", "missing": "yes"}


@_facts.register
def _(column: BooleanColumn) -> Mapping[str, str]:
    return {"kind": "yes or no", "what it can be": "yes, no", "unit": "", "missing": "yes"}


@_facts.register
def _(column: DateColumn) -> Mapping[str, str]:
    between = f"{column.earliest} to {column.latest}"
    return {"kind": "date", "what it can be": between, "unit": "", "missing": "yes"}


@_facts.register
def _(column: TextColumn) -> Mapping[str, str]:
    return {"kind": "text", "what it can be": "anything: no question is possible", "unit": "", "missing": "yes"}


def _show_report(table: Table, scenario: Scenario) -> None:
    """Exact counts, so only while the curator asks for them."""
    if not st.toggle("Show what happened to the cells, for your eyes only", key="report_shown"):
        return
    report = table.intake_report
    st.markdown(f"**{_rows_read(report)}** :gray[{wording.EXACT_SHOWN}]")
    people = scenario.schema.people
    if scenario.neighbors is Neighbors.REPLACE_ONE and scenario.schema.one_row_each and people != report.rows_read:
        st.warning(
            f"You declared {people:,} people, one row each, and the file has {report.rows_read:,} rows. "
            "Where a mean or a share divides by the declared number, it will be off by that much."
        )
    st.dataframe(_report_frame(report), hide_index=True, height="content")
    for one in report.columns:
        if one.misfits:
            st.markdown(f"{code(one.name)}: {one.misfits:,} do not fit. {unmarked(one.rule)}")


def _rows_read(report: IntakeReport) -> str:
    text = f"{report.rows_read:,} rows read"
    if report.rows_without_identifier:
        text += f", {report.rows_without_identifier:,} without an identifier (not counted)"
    if report.rows_beyond_limit:
        text += f", {report.rows_beyond_limit:,} beyond the rows that a person may have (not counted)"
    return text + "."


def _report_frame(report: IntakeReport) -> pd.DataFrame:
    rows = [(one.name, one.missing, one.misfits, one.rule) for one in report.columns]
    return pd.DataFrame(rows, columns=["column", "empty cells", "cells that do not fit", "what happens to them"])
