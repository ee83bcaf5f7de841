"""What was declared about the columns of a question, all of it public: bounds, lists of values, ranges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import singledispatch

from dpengine.data import BooleanColumn, CategoryColumn, DateColumn, Labels, NumberColumn, Schema, TextColumn
from dpengine.data.declared.columns import Column
from dpengine.formatting import amount
from dpengine.queries import Query
from dpengine.reports.quoting import LONGEST_UNIT, one_line, quoted


def declarations(query: Query, schema: Schema, labels: Labels) -> tuple[str, ...]:
    """One short sentence for each column that the question uses, in the order of use; words before the name."""
    named = dict.fromkeys(columns_asked(query))
    return tuple(f"{in_words_with_name(name, labels)} {_declared(schema.column(name))}" for name in named)


def in_words_with_name(name: str, labels: Labels) -> str:
    """What a column is called, and in brackets its name where that is another."""
    words = labels.column(name)
    return quoted(name) if words in (None, name) else f"{one_line(str(words))} ({quoted(name)})"


def columns_asked(asked: object) -> Iterator[str]:
    """Names of columns in a question or a condition, wherever they stand in it."""
    if isinstance(asked, tuple):
        for item in asked:
            yield from columns_asked(item)
    elif is_dataclass(asked):
        for field in fields(asked):
            yield from _of_field(field.name, getattr(asked, field.name))


def _of_field(name: str, value: object) -> Iterator[str]:
    if name in ("column", "by"):
        yield from (value,) if isinstance(value, str) else value  # type: ignore[misc]
    else:
        yield from columns_asked(value)


@singledispatch
def _declared(column: Column) -> str:
    raise NotImplementedError(type(column).__name__)


@_declared.register
def _(column: NumberColumn) -> str:
    unit = f" {one_line(column.unit, LONGEST_UNIT)}" if column.unit else ""
    return f"from {amount(column.lower, 6)} to {amount(column.upper, 6)}{unit}; values beyond count as the bound"


@_declared.register
def _(column: CategoryColumn) -> str:
    count = len(column.categories)
    return f"one of {count:,} listed value{'s' if count > 1 else ''}"


@_declared.register
def _(column: BooleanColumn) -> str:
    return "yes or no"


@_declared.register
def _(column: DateColumn) -> str:
    return f"from {column.earliest} to {column.latest}"


@_declared.register
def _(column: TextColumn) -> str:
    return "text"
