"""How exactly each column is told, as a person chooses it: dates by day, month, year or decade, numbers in bands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch

from streamlit.delta_generator import DeltaGenerator

from dpengine.data import (
    AsItIs,
    Bands,
    BooleanColumn,
    CategoryColumn,
    Coarsening,
    Column,
    DateColumn,
    NumberColumn,
    Period,
    Schema,
    TextColumn,
)
from pages.lesson import pickers

DATES: dict[str, Callable[[str], Coarsening]] = {
    "day": lambda name: AsItIs(column=name),
    "month": lambda name: Period(column=name, period="month"),
    "year": lambda name: Period(column=name, period="year"),
    "decade": lambda name: Period(column=name, period="decade"),
}
EXACT = "as they are"
WIDTHS = (EXACT, "5", "10", "20", "100", "1000")


def names_to_choose(schema: Schema) -> list[str]:
    """The columns by which people can be told apart: of text no list of values is public."""
    return [column.name for column in schema.columns if not isinstance(column, TextColumn)]


def chosen(schema: Schema, names: Sequence[str], place: DeltaGenerator, *, key: str) -> tuple[Coarsening, ...]:
    """Each column as the person wants it told; asks only about the kinds that are among them."""
    columns = [schema.column(name) for name in names]
    by, width = "day", EXACT
    if any(isinstance(column, DateColumn) for column in columns):
        by = pickers.listed(place, "Dates published by", list(DATES), key=f"{key}_dates", start="year")
    if any(isinstance(column, NumberColumn) for column in columns):
        width = pickers.listed(place, "Numbers in bands of", WIDTHS, key=f"{key}_bands", start=EXACT)
    return tuple(_told(column, by, width) for column in columns)


@singledispatch
def _told(column: Column, by: str, width: str) -> Coarsening:
    raise TypeError(column)


@_told.register(CategoryColumn)
@_told.register(BooleanColumn)
def _(column: CategoryColumn | BooleanColumn, by: str, width: str) -> Coarsening:
    return AsItIs(column=column.name)


@_told.register
def _(column: DateColumn, by: str, width: str) -> Coarsening:
    return DATES[by](column.name)


@_told.register
def _(column: NumberColumn, by: str, width: str) -> Coarsening:
    return AsItIs(column=column.name) if width == EXACT else Bands(column=column.name, width=float(width))
