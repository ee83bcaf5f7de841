"""Cells as values: the text of a cell becomes a number, a date and so on, or is missing where it does not fit."""

from __future__ import annotations

import math
from functools import singledispatch

import ibis

from dpengine.data.columns import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.data.predicates import literal

NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
NUMBERS = {".": NUMBER, ",": NUMBER.replace(r"\.", ",")}
"""What is written like a number, by the mark before its fraction; nothing stands between its thousands."""
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


@singledispatch
def cast(column: Column, text: ibis.Value, decimal: str = ".") -> ibis.Value:
    """The value of a trimmed cell; NULL where it is NULL or does not fit the column. Text is not stored.

    The decimal mark is that of numbers.
    """
    raise TypeError(column)


@cast.register
def _(column: NumberColumn, text: ibis.Value, decimal: str = ".") -> ibis.Value:
    written = text if decimal == "." else text.replace(decimal, ".")
    number = _if(text.re_search(NUMBERS[decimal]), written).try_cast("float64")
    return number.nullif(literal(math.inf)).nullif(literal(-math.inf))


@cast.register
def _(column: CategoryColumn, text: ibis.Value, decimal: str = ".") -> ibis.Value:
    return _if(text.isin(column.categories), text)


@cast.register
def _(column: BooleanColumn, text: ibis.Value, decimal: str = ".") -> ibis.Value:
    word = text.lower()
    return ibis.cases((word.isin(column.true_words), True), (word.isin(column.false_words), False))


@cast.register
def _(column: DateColumn, text: ibis.Value, decimal: str = ".") -> ibis.Value:
    day = _if(text.re_search(DATE), text).try_cast("date")
    return _if(day.between(ibis.literal(column.earliest), ibis.literal(column.latest)), day)


@singledispatch
def rule(column: Column, decimal: str = ".") -> str:
    """What happens to cells of this column that do not fit, as a sentence; depends on the schema alone."""
    raise TypeError(column)


@rule.register
def _(column: NumberColumn, decimal: str = ".") -> str:
    return (
        f"A cell that is not a plain decimal number{_MARKED[decimal]} counts as missing; "
        f"numbers beyond {column.lower:g} and {column.upper:g} count as that bound in sums."
    )


@rule.register
def _(column: CategoryColumn, decimal: str = ".") -> str:
    return f"A cell that is not one of the {len(column.categories)} declared categories counts as missing."


@rule.register
def _(column: BooleanColumn, decimal: str = ".") -> str:
    words = ", ".join(column.true_words + column.false_words)
    return f"A cell that is not one of the declared words ({words}) counts as missing."


@rule.register
def _(column: DateColumn, decimal: str = ".") -> str:
    return (
        "A cell that is not a real date written YYYY-MM-DD "
        f"from {column.earliest} to {column.latest} counts as missing."
    )


@rule.register
def _(column: TextColumn, decimal: str = ".") -> str:
    return "Any text fits; no question can be asked of it."


_MARKED = {".": "", ",": " with a comma before its fraction (3,5 and not 3.5)"}


def _if(condition: ibis.Value, value: ibis.Value) -> ibis.Value:
    return ibis.ifelse(condition, value, None)
