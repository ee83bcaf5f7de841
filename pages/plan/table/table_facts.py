"""What may be known about the current table, and for the curator's eyes what happened to its cells."""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import Literal

import pandas as pd
import streamlit as st

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Column,
    ColumnReport,
    DateColumn,
    IntakeReport,
    NumberColumn,
    PrivacyUnit,
    Schema,
    Table,
    TextColumn,
)
from dpengine.plan.amounts import RULE_NAMES
from dpengine.privacy import Neighbors
from dpengine.queries.sensitivity.sentences import agreeing, plural
from dpengine.scenario import Scenario
from pages import session
from pages.phrasing import account_words, wording
from pages.plan import accounts
from pages.plan.table import (
    brought_file,
    file_words,
    recognized,
    rows_per_person,
    saved_declaration,
    schema_form,
    server_tables,
    upload_form,
)
from pages.widgets.escaping import code, listed, unmarked

_WIDTHS = {
    "column": st.column_config.TextColumn(width=150),
    "called in questions": st.column_config.TextColumn(width=170),
    "kind": st.column_config.TextColumn(width=85),
    "what it can be": st.column_config.TextColumn(width=168),
    "missing": st.column_config.TextColumn("missing?", width=75),
}
_SAID: tuple[Literal["doubt", "lost"], ...] = ("doubt", "lost")
_NAME_PIXELS = 90
"""A phone shows all counts beside so much of a column's name; the sentences below repeat it whole."""


def title(scenario: Scenario) -> str:
    """The finding: how many columns, and how much of the table is one person's."""
    unit, count = scenario.schema.unit, len(scenario.schema.columns)
    rows = "one row" if unit.identifier is None else f"at most {plural(unit.rows, 'row')}"
    return f"{wording.called(scenario.spoken, scenario.table_name)}: {plural(count, 'column')}, {rows} per person"


def detail() -> str:
    """Where the rows are."""
    if session.is_built_in():
        return "Public practice data. What everybody may know before asking anything:"
    if session.table() is None:
        return "Its rows are not here: bring them to release answers. What was declared:"
    connected = server_tables.in_use()
    if connected is not None:
        return f"{connected.place}; nothing is copied. What you declared, which everybody may know:"
    return "Your table. What you declared, which everybody may know:"


def show(scenario: Scenario) -> None:
    """The declared facts, the promise, and what the curator can do with the table."""
    st.dataframe(_frame(scenario), hide_index=True, height="content", column_config=_WIDTHS)
    st.markdown(
        f"**Whose rows:** {wording.unit_line(scenario)}.{_by_group(scenario.schema.unit)}  \n"
        f"**The promise:** {scenario.neighbors.sentence}"
    )
    if scenario.built_in:
        _promise_of_practice(scenario)
    _show_plan_left()
    _show_budget_before(scenario)
    table, buttons = session.table(), st.container(horizontal=True)
    with buttons:
        saved_declaration.download(scenario)
    if table is None:
        if recognized.say_how_the_one_here_differs() and brought_file.held() is not None:
            st.button("Declare it differently", key="declare_again", on_click=brought_file.declare_again)
        return
    if table.built_in:
        rows_per_person.show(table)
        return
    with buttons:
        at_hand = server_tables.in_use() is not None or brought_file.held() is not None
        if at_hand:
            st.button("Declare it differently", key="declare_again", on_click=declare_again)
        st.button("Forget my table", key="forget_table", on_click=upload_form.forget)
    if not at_hand:
        st.caption("To declare it differently, bring its file again.")
    _show_report(table, scenario)
    rows_per_person.show(table)


def _promise_of_practice(scenario: Scenario) -> None:
    """Either relation, to be tried; a practice account that is open goes on by its own."""
    session.set_widget("practice_neighbors", scenario.neighbors)
    schema_form.what_to_hide("practice_neighbors", on_change=session.of_this_plan(_hide_instead))
    if differs := account_words.difference(accounts.current(), scenario):
        st.caption(f"{differs} To change that, start the practice account over on the **Release** page.")


def _hide_instead() -> None:
    chosen = session.widget_held("practice_neighbors")
    if isinstance(chosen, Neighbors):
        session.hide_instead(chosen)


def declare_again() -> None:
    """The table in use, of the server or of a file, waits to be declared once more."""
    if server_tables.in_use() is not None:
        server_tables.declare_again()
    else:
        brought_file.declare_again()


def _by_group(unit: PrivacyUnit) -> str:
    """What one person may count with in answers by group, where that was declared."""
    groups = f" in at most {plural(unit.groups, 'group')}" if unit.groups else ""
    rows = f" with at most {plural(unit.rows_per_group, 'row')} in each group" if unit.rows_per_group else ""
    return f" In answers by group a person counts{groups}{rows}." if groups or rows else ""


def _frame(scenario: Scenario) -> pd.DataFrame:
    said, columns = scenario.spoken.column, scenario.schema.columns
    words = ["called in questions"] if any(said(column.name) for column in columns) else []
    rows = [
        {
            "column": one.name,
            **{name: said(one.name) or one.name for name in words},
            **_facts(one),
            **({} if one in scenario.schema.queryable else {"what it can be": "never asked about"}),
        }
        for one in columns
    ]
    return pd.DataFrame(rows, columns=["column", *words, "kind", "what it can be", "missing"])


@singledispatch
def _facts(column: Column) -> Mapping[str, str]:
    raise TypeError(column)


@_facts.register
def _(column: NumberColumn) -> Mapping[str, str]:
    missing = "no" if column.complete else "yes"
    between = f"{column.lower:,g} to {column.upper:,g} {column.unit}".strip()
    return {"kind": "number", "what it can be": between, "missing": missing}


@_facts.register
def _(column: CategoryColumn) -> Mapping[str, str]:
    return {"kind": "category", "what it can be": ", ".join(column.categories), "missing": "yes"}


@_facts.register
def _(column: BooleanColumn) -> Mapping[str, str]:
    return {"kind": "yes or no", "what it can be": "yes, no", "missing": "yes"}


@_facts.register
def _(column: DateColumn) -> Mapping[str, str]:
    between = f"{column.earliest} to {column.latest}"
    return {"kind": "date", "what it can be": between, "missing": "yes"}


@_facts.register
def _(column: TextColumn) -> Mapping[str, str]:
    return {"kind": "text", "what it can be": "any text", "missing": "yes"}


def _show_report(table: Table, scenario: Scenario) -> None:
    """Exact counts, so only while the curator asks for them."""
    lost, doubt = _said_at_intake("lost", table), _said_at_intake("doubt", table)
    if doubt:
        st.warning(doubt)
    if lost:
        st.warning(f"{lost} The first switch below shows how many.")
    elif lost is not None:
        st.markdown(f"**{file_words.ALL_READ}** :gray[For your eyes only.]")
    if not st.toggle("Show what happened to the cells, for your eyes only", key=session.key_of_table("report_shown")):
        st.caption(f"How many were empty or did not fit what you declared. The counts are exact. {wording.EXACT_SHOWN}")
        return
    report = table.intake_report
    st.markdown(f"**{_rows_read(report)}** :gray[{wording.EXACT_SHOWN}]")
    if scenario.neighbors is Neighbors.REPLACE_ONE:
        _compare_people(table, scenario.schema)
    narrow = {"column": st.column_config.Column(width=_NAME_PIXELS)}
    st.dataframe(_report_frame(report), hide_index=True, height="content", width="content", column_config=narrow)
    for one in report.columns:
        counts = (one.misfits, "do", "not fit"), (one.beyond, "lie", "beyond the bounds")
        if told := ", ".join(f"{count:,} {agreeing(count, verb)} {how}" for count, verb, how in counts if count):
            st.markdown(f"{code(one.name)}: {told}.{_examples(table, one)} {unmarked(one.rule)}")


def say_what_is_doubtful() -> None:
    """Before something about the table is fixed for good: once more what was said when it was used."""
    for what in _SAID:
        if told := _said_at_intake(what, session.table()):
            st.warning(told)


def repeat_what_is_doubtful() -> None:
    """Beside answers, in small print: what was said of the file when it was used still holds of them."""
    told = " ".join(filter(None, (_said_at_intake(what, session.table()) for what in _SAID)))
    if told:
        st.caption(f"**Of your file:** {told} For your eyes only.")


def _said_at_intake(what: Literal["doubt", "lost"], table: Table | None) -> str | None:
    """What was said of a file when it was used: what is lost, or who may be several rows; None where nobody looked."""
    kept = session.remembered(f"{what}_at_intake", None)
    return str(kept[1]) if isinstance(kept, tuple) and kept[0] is table else None


def _examples(table: Table, column: ColumnReport) -> str:
    """Cells of a column that do not fit: those that the form has seen before the file was used, or else one of all."""
    kept = session.remembered("lost_at_intake", None)
    seen = kept[2].get(column.name, ()) if isinstance(kept, tuple) and kept[0] is table else ()
    if seen:
        return f" In the first rows: {listed(seen)}."
    return f" For example {code(column.example)}." if column.example else ""


def _compare_people(table: Table, schema: Schema) -> None:
    """Say where the declared number of people is not the file's."""
    alone = schema.one_row_each
    found = table.intake_report.rows_read if alone else rows_per_person.counted(table).people
    if schema.people == found:
        return
    declared = f"{plural(schema.people or 0, 'person')}{', one row each,' if alone else ''}"
    read = plural(found, "row") if alone else f"rows of {plural(found, 'person')}"
    st.warning(
        f"You declared {declared} and the file has {read}. "
        "Where a mean or a share divides by the declared number, it will be off by that much."
    )


def _show_plan_left() -> None:
    """Where the questions of the table used before have gone."""
    left = session.plan_left()
    if left is None:
        return
    st.caption(
        f"No questions yet. Your {plural(len(left.queries), 'question')} about {code(left.table_name)} "
        f"{agreeing(len(left.queries), 'are')} kept in this tab, for when that table is used again with the "
        "same declarations. Plans can also be saved: press Share."
    )


def _show_budget_before(scenario: Scenario) -> None:
    """Where the planned budget of a table comes from that nobody has planned one for."""
    origin = session.budget_origin(scenario)
    if not origin or accounts.current() is not None:
        return
    rule = f" The plan's rule is {RULE_NAMES[scenario.rule]}: choose it on **Release**, where the account is opened."
    budget = f"The budget of {wording.guarantee(scenario.budget)} {origin}."
    st.caption(budget + ("" if scenario.rule == "basic" else rule))


def _rows_read(report: IntakeReport) -> str:
    text = f"{plural(report.rows_read, 'row')} read"
    if report.rows_without_identifier:
        text += f", {report.rows_without_identifier:,} without an identifier (not counted)"
    if report.rows_beyond_limit:
        text += f", {report.rows_beyond_limit:,} beyond the rows that one person counts with (not counted)"
    return text + "."


def _report_frame(report: IntakeReport) -> pd.DataFrame:
    rows = [(one.name, one.missing, one.misfits, one.beyond) for one in report.columns]
    return pd.DataFrame(rows, columns=["column", "empty", "do not fit", "beyond the bounds"])
