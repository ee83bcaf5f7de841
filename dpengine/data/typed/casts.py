"""Cells as values: the text of a cell becomes a number, a date and so on, or is missing where it does not fit."""

from __future__ import annotations

import math
from functools import singledispatch

import ibis

from dpengine.data.aggregates.predicates import literal
from dpengine.data.declared.columns import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.data.files.notation import ISO_DATE, PLAIN, TWO_DIGITS_FROM, DayPattern, Notation


@singledispatch
def cast(column: Column, text: ibis.Value, notation: Notation = PLAIN) -> ibis.Value:
    """The value of a trimmed cell; NULL where it is NULL or does not fit the column."""
    raise TypeError(column)


@cast.register
def _(column: NumberColumn, text: ibis.Value, notation: Notation = PLAIN) -> ibis.Value:
    written = text.re_replace(notation.between_thousands, "") if notation.thousands else text
    if notation.decimal != ".":
        written = written.replace(notation.decimal, ".")
    number = _if(text.re_search(notation.number), written).try_cast("float64")
    return number.nullif(literal(math.inf)).nullif(literal(-math.inf))


@cast.register
def _(column: CategoryColumn, text: ibis.Value, notation: Notation = PLAIN) -> ibis.Value:
    return _if(text.isin(column.categories), text)


@cast.register
def _(column: BooleanColumn, text: ibis.Value, notation: Notation = PLAIN) -> ibis.Value:
    longest = max(map(len, column.true_words + column.false_words))
    # PostgreSQL takes half a minute for small letters in place of a million.
    word = _if(text.length() <= 2 * longest, text).lower()
    return ibis.cases((word.isin(column.true_words), True), (word.isin(column.false_words), False))


@cast.register
def _(column: DateColumn, text: ibis.Value, notation: Notation = PLAIN) -> ibis.Value:
    if notation.dates == "iso":
        day = _if(text.re_search(ISO_DATE), text).try_cast("date")
    else:
        day = ibis.coalesce(*(_day(text, written) for written in notation.days))
    return _if(day.between(ibis.literal(column.earliest), ibis.literal(column.latest)), day)


@cast.register
def _(column: TextColumn, text: ibis.Value, notation: Notation = PLAIN) -> ibis.Value:
    return text


@singledispatch
def rule(column: Column, notation: Notation = PLAIN) -> str:
    """What happens to cells of this column that do not fit, as a sentence; depends on the schema alone."""
    raise TypeError(column)


@rule.register
def _(column: NumberColumn, notation: Notation = PLAIN) -> str:
    return (
        f"A cell that is not a plain decimal number{_marked(notation)} counts as missing; "
        f"numbers beyond {column.lower:g} and {column.upper:g} count as that bound in sums."
    )


@rule.register
def _(column: CategoryColumn, notation: Notation = PLAIN) -> str:
    return f"A cell that is not one of the {len(column.categories)} declared categories counts as missing."


@rule.register
def _(column: BooleanColumn, notation: Notation = PLAIN) -> str:
    words = ", ".join(column.true_words + column.false_words)
    return f"A cell that is not one of the declared words ({words}) counts as missing."


@rule.register
def _(column: DateColumn, notation: Notation = PLAIN) -> str:
    return (
        f"A cell that is not a real date written {_WRITTEN[notation.dates]} "
        f"from {column.earliest} to {column.latest} counts as missing."
    )


@rule.register
def _(column: TextColumn, notation: Notation = PLAIN) -> str:
    return (
        "Any text of up to a megabyte fits; a longer one, or a value of another kind that has no plain text, such as a "
        "number with fractions, is missing."
    )


_WRITTEN = {
    "iso": "YYYY-MM-DD",
    "year first": "year, month, day",
    "day first": "day, month, year (or year, month, day, the year with four digits)",
    "month first": "month, day, year (or year, month, day, the year with four digits)",
}
_BETWEEN = {".": "a point", ",": "a comma", " ": "a space", "'": "an apostrophe"}


def _marked(notation: Notation) -> str:
    marks = " with a comma before its fraction (3,5 and not 3.5)" if notation.decimal == "," else ""
    if notation.thousands:
        marks += f"{' and' if marks else ' with'} at most {_BETWEEN[notation.thousands]} between thousands"
    return marks


def _day(text: ibis.Value, written: DayPattern) -> ibis.Value:
    """The day of a cell written so, NULL for any other and for one that no calendar has."""
    year, month, day = (text.re_extract(written.pattern, part) for part in (written.year, written.month, written.day))
    century = ibis.ifelse(year >= str(TWO_DIGITS_FROM), "19", "20")
    years = ibis.ifelse(year.length() == 2, century.concat(year), year)
    iso = years.concat("-", month.lpad(2, "0"), "-", day.lpad(2, "0"))
    return _if(text.re_search(written.pattern), iso).try_cast("date")


def _if(condition: ibis.Value, value: ibis.Value) -> ibis.Value:
    return ibis.ifelse(condition, value, None)
