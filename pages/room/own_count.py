"""A count of one's own: how many people have a value, of the columns that the host has opened for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Column,
    Comparison,
    Condition,
    DateColumn,
    NumberColumn,
)
from dpengine.errors import DPEngineError
from dpengine.plan import PlannedQuery
from dpengine.queries import CountPeopleQuery
from dpengine.workshop import Room
from pages.question.condition_form import plain
from pages.widgets import date_input
from pages.widgets.escaping import short
from pages.widgets.options import apart

_WORDS = {True: "yes", False: "no"}
_AT = {">=": "at least", "<=": "at most", "=": "exactly"}


def columns(room: Room) -> tuple[Column, ...]:
    """What people may count about: what the host opened, but for text, of which nothing is declared."""
    opened = [room.setting.plan.schema.column(name) for name in room.setting.columns]
    return tuple(column for column in opened if type(column) in _FIELDS)


def asked(room: Room) -> PlannedQuery | str:
    """The count that the form says, at the price of the room's questions, or the sentence of what it still needs."""
    names = [column.name for column in columns(room)]
    name = st.selectbox("How many people have …", names, format_func=apart(names, short), key="own_column")
    column = room.setting.plan.schema.column(name)
    condition = _FIELDS[type(column)](column, f"own_value_{names.index(name)}")
    if isinstance(condition, str):
        return condition
    try:
        planned = room.own(CountPeopleQuery(where=condition))
        planned.parts(room.setting.plan.schema, room.setting.plan.neighbors)
    except DPEngineError as error:
        return str(error)
    return planned


def _listed(column: CategoryColumn, key: str) -> Condition:
    value = st.selectbox("Value", column.categories, format_func=apart(column.categories, short), key=key)
    return Comparison(column.name, "=", value)


def _yes_or_no(column: BooleanColumn, key: str) -> Condition:
    value = st.radio("Value", (True, False), format_func=_WORDS.__getitem__, key=key)
    return Comparison(column.name, "=", value)


def _number(column: NumberColumn, key: str) -> Condition | str:
    sign = _sign()
    value = st.number_input(
        f"A number from {column.lower:g} to {column.upper:g}",
        min_value=float(column.lower),
        max_value=float(column.upper),
        value=None,
        step=None,
        format="%g",
        key=key,
    )
    return "Type a number first." if value is None else Comparison(column.name, sign, plain(value))


def _day(column: DateColumn, key: str) -> Condition | str:
    sign = _sign()
    value = date_input.box(st.container(), "A day", key=key)
    return "Choose a day first." if value is None else Comparison(column.name, sign, value)


def _sign() -> str:
    chosen = st.segmented_control(
        "How it compares", list(_AT), format_func=_AT.__getitem__, default=">=", key="own_sign", required=True
    )
    return str(chosen)


_FIELDS: Mapping[type[Column], Callable[..., Condition | str]] = {
    CategoryColumn: _listed,
    BooleanColumn: _yes_or_no,
    NumberColumn: _number,
    DateColumn: _day,
}
