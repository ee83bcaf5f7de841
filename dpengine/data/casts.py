"""Cells as values: the text of a cell becomes a number, a date and so on, or is missing where it does not fit."""

from __future__ import annotations

import math
from functools import singledispatch

import ibis

from dpengine.data.columns import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.data.predicates import literal

NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


@singledispatch
def cast(column: Column, text: ibis.Value) -> ibis.Value:
    """The value of a trimmed cell; NULL where it is NULL or does not fit the column. Text is not stored."""
    raise TypeError(column)


@cast.register
def _(column: NumberColumn, text: ibis.Value) -> ibis.Value:
    number = _if(text.re_search(NUMBER), text).try_cast("float64")
    return number.nullif(literal(math.inf)).nullif(literal(-math.inf))


@cast.register
def _(column: CategoryColumn, text: ibis.Value) -> ibis.Value:
    return _if(text.isin(column.categories), text)


@cast.register
def _(column: BooleanColumn, text: ibis.Value) -> ibis.Value:
    word = text.lower()
    return ibis.cases((word.isin(column.true_words), True), (word.isin(column.false_words), False))


@cast.register
def _(column: DateColumn, text: ibis.Value) -> ibis.Value:
    day = _if(text.re_search(DATE), text).try_cast("date")
    return _if(day.between(ibis.literal(column.earliest), ibis.literal(column.latest)), day)


@singledispatch
def rule(column: Column) -> str:
    """What happens to cells of this column that do not fit, as a sentence; depends on the schema alone."""
    raise TypeError(column)


@rule.register
def _(column: NumberColumn) -> str:
    return (
        "A cell that is not a plain decimal number counts as missing; "
        f"numbers beyond {column.lower:g} and {column.upper:g} count as that bound in sums."
    )


@rule.register
def _(column: CategoryColumn) -> str:
    return f"A cell that is not one of the {len(column.categories)} declared categories counts as missing."


@rule.register
def _(column: BooleanColumn) -> str:
    words = ", ".join(column.true_words + column.false_words)
    return f"A cell that is not one of the declared words ({words}) counts as missing."


@rule.register
def _(column: DateColumn) -> str:
    return (
        "A cell that is not a real date written YYYY-MM-DD "
        f"from {column.earliest} to {column.latest} counts as missing."
    )


@rule.register
def _(column: TextColumn) -> str:
    return "Any text fits; no question can be asked of it."


def _if(condition: ibis.Value, value: ibis.Value) -> ibis.Value:
    return ibis.ifelse(condition, value, None)
