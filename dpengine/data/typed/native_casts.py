"""Values of a database as a schema's values, with the meaning that their text in a file would have."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime, time

import ibis
import ibis.expr.datatypes as dt

from dpengine.data.aggregates.predicates import literal
from dpengine.data.declared.columns import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.data.typed.casts import cast
from dpengine.errors import IntakeError

SPACES = "".join(filter(str.isspace, map(chr, range(0x3001))))
"""Every character that counts as a space around a cell: the last is U+3000, and a look at all would slow each start."""

LONGEST = 1024**2
"""Bytes of a text: a longer one is missing. No file that is brought may have one, and in a database one of a hundred
megabytes would make the questions fail, or end the engine, that come to it.
"""
_EXACT = 2**53
"""Up to here every whole number has a floating one of its own."""
_ANY_NUMBER = NumberColumn(name="number", lower=0, upper=1)


def _of_text(text: str, spaces: str) -> str:
    """What an engine does under the name that it is given below."""
    raise NotImplementedError


def _of_short_text(text: str, most: int) -> str:
    """The same."""
    raise NotImplementedError


_trim = ibis.udf.scalar.builtin(_of_text, name="trim")
_short = ibis.udf.scalar.builtin(_of_short_text, name="short_text")


def typed(column: Column, value: ibis.Value) -> ibis.Value:
    """The value of a source's column; NULL where it is NULL or does not fit the declared column.

    Raises IntakeError where the source's type cannot serve at all.
    """
    for kind, reading in _READINGS[type(column)].items():
        if isinstance(value.type(), kind):
            return reading(column, value)
    raise IntakeError(
        f"Column {column.name!r} holds {_called(value)}, which cannot be read as {_DECLARED[type(column)]}. "
        "Declare it differently, or bring a view in which it is text."
    )


def canonical_text(value: ibis.Value) -> ibis.Value | None:
    """The text that a file of the same values has in its cell, without spaces around it; None where there is no such.

    NULL stays NULL, and empty text becomes it.
    """
    reading = next((read for kind, read in _TEXTS.items() if isinstance(value.type(), kind)), None)
    return None if reading is None else reading(value)


def person_of(name: str, value: ibis.Value) -> ibis.Value:
    """The identifier of whoever a row belongs to: whole numbers as they are, anything else as text.

    Raises IntakeError for types in which equality is a matter of rounding.
    """
    if isinstance(value.type(), dt.Integer):
        return value
    text = canonical_text(value) if isinstance(value.type(), dt.String | dt.UUID | dt.Date) else None
    if text is None:
        raise no_identifier(name, _called(value))
    return text


FOLDED = "text that ignores case or accents"


def no_identifier(name: str, holds: str) -> IntakeError:
    """The refusal of a column in which equality is a matter of rounding."""
    return IntakeError(f"Column {name!r} holds {holds}, which cannot tell people apart; text and whole numbers can.")


def _trimmed(text: ibis.Value) -> ibis.Value:
    return _without_spaces(text).nullif("")


def _word(value: ibis.Value) -> ibis.Value:
    return ibis.cases((value, "true"), (~value, "false"))


def _finite(_: Column, value: ibis.Value) -> ibis.Value:
    """NaN and the infinities are missing, each asked for by its name before anything compares the value.

    No comparison with bounds may do it: the least and largest number that a Parquet file states leave NaN out, and
    DuckDB takes what they imply for true of every row.
    """
    infinite = value.isin([literal(math.inf), literal(-math.inf)])
    return ibis.ifelse(value.isnan() | infinite, None, value)


def _as_cell(column: Column, value: ibis.Value) -> ibis.Value:
    """For columns that nothing empty fits."""
    return cast(column, _without_spaces(value))


def _without_spaces(text: ibis.Value) -> ibis.Value:
    return _trim(_short(text, LONGEST), SPACES)


def _as_text(column: Column, value: ibis.Value) -> ibis.Value:
    return cast(column, canonical_text(value))


def _within(column: DateColumn, value: ibis.Value) -> ibis.Value:
    return ibis.ifelse(value.between(ibis.literal(column.earliest), ibis.literal(column.latest)), value, None)


def _midnight(column: DateColumn, value: ibis.Value) -> ibis.Value:
    """A moment at the start of a declared day is that day; any other is not a date, as in a file.

    Others are left out before they are read as days: Spark cannot turn its farthest days back into moments. Counted in
    nanoseconds, as pandas writes them, there is no moment beyond 1677 and 2262 to compare one with; in microseconds is.
    """
    value = value.cast(dt.Timestamp(scale=6)) if value.type().scale == 9 else value
    first, last = (datetime.combine(end, time.min) for end in (column.earliest, column.latest))
    near = ibis.ifelse(value.between(ibis.literal(first), ibis.literal(last)), value, None)
    day = near.cast("date")
    return ibis.ifelse(near == day.cast("timestamp"), day, None)


def _textless(column: TextColumn, value: ibis.Value) -> ibis.Value:
    """Missing in each row: engines spell moments differently, and what else there is has no text."""
    nothing = ibis.literal(None, type="string")
    return ibis.ifelse(value.isnull(), nothing, nothing)


def _whole_text(column: TextColumn, value: ibis.Value) -> ibis.Value:
    """A whole number as text, as a column of such numbers has it; a fraction is missing, since engines spell it apart.

    pandas writes whole numbers as floating ones as soon as one person has none: everybody's text has to stay, or to be
    missing before as after where a floating number would be another one.
    """
    some = _finite(column, value) if isinstance(value.type(), dt.Floating) else value
    near = ibis.ifelse(some.between(literal(1 - _EXACT), literal(_EXACT - 1)), some, None)
    whole = near.cast("int64")
    return ibis.ifelse(near == whole, cast(column, whole.cast("string")), None)


def _decimal_text(column: TextColumn, value: ibis.Value) -> ibis.Value:
    """Read as a number first: a decimal number may be larger or smaller than any that engines can compare it with."""
    return _whole_text(column, cast(_ANY_NUMBER, canonical_text(value)))


class _LocalTimestamp(type):
    """Moments without a time zone: with one, the day depends on where one stands."""

    def __instancecheck__(cls, kind: object) -> bool:
        return isinstance(kind, dt.Timestamp) and kind.timezone is None


class _Local(metaclass=_LocalTimestamp):
    """A kind for the table below."""


_TEXTS: Mapping[type, Callable[[ibis.Value], ibis.Value]] = {
    dt.String: _trimmed,
    dt.Boolean: _word,
    dt.Integer: lambda value: value.cast("string"),
    dt.Decimal: lambda value: value.cast("string"),
    dt.Floating: lambda value: value.cast("string"),
    dt.Date: lambda value: value.cast("string"),
    dt.Timestamp: lambda value: value.cast("string"),
    dt.Time: lambda value: value.cast("string"),
    dt.UUID: lambda value: value.cast("string"),
}
_READINGS: Mapping[type, Mapping[type, Callable[..., ibis.Value]]] = {
    NumberColumn: {
        dt.Float64: _finite,
        dt.Integer: lambda _, value: value.cast("float64"),
        dt.String: _as_cell,
        # Through text: 0.1 in 32 bits is 0.1 to whoever wrote it, and decimals are rounded once.
        dt.Floating: _as_text,
        dt.Decimal: _as_text,
    },
    CategoryColumn: {dt.String: _as_cell, dt.Integer: _as_text, dt.Boolean: _as_text, dt.Date: _as_text},
    BooleanColumn: {dt.String: _as_text, dt.Integer: _as_text, dt.Boolean: _as_text},
    DateColumn: {dt.String: _as_cell, dt.Date: _within, _Local: _midnight},
    TextColumn: {
        **dict.fromkeys((dt.String, dt.Boolean, dt.Date, dt.UUID), _as_text),
        **dict.fromkeys((dt.Integer, dt.Floating), _whole_text),
        dt.Decimal: _decimal_text,
        dt.DataType: _textless,
    },
}
_DECLARED: Mapping[type, str] = {
    NumberColumn: "a number",
    CategoryColumn: "a category",
    BooleanColumn: "yes or no",
    DateColumn: "a date",
}


def _called(value: ibis.Value) -> str:
    return str(value.type()).removeprefix("!")
