"""Statements that cannot be answered privately, to try: each teaches by its refusal."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.delta_generator import DeltaGenerator

from dpengine.data import BooleanColumn, CategoryColumn, NumberColumn, Schema, TextColumn
from dpengine.queries.sql.names import quoted
from pages.widgets.options import apart

Example = tuple[str, str]
_EXAMPLES: tuple[Example, ...] = (
    ("All rows as they are", "SELECT * FROM {table}"),
    ("One person's value", "SELECT {listed} FROM {table} WHERE {number} = 22"),
    ("A mean of a column without bounds", "SELECT avg({unbounded}) FROM {table}"),
    ("The largest value", "SELECT max({number}) FROM {table}"),
    ("Only the large groups", "SELECT {listed}, count(*) FROM {table} GROUP BY {listed} HAVING count(*) > 5"),
    ("Which values occur", "SELECT DISTINCT {listed} FROM {table}"),
    ("Two tables joined", "SELECT count(*) FROM {table} JOIN visits ON true"),
)


def chosen(place: DeltaGenerator, schema: Schema, *, key: str, on_change: Callable[[], None]) -> None:
    """A menu of the examples, which closes over none of what it brings about."""
    labels = {text: label for label, text in examples(schema)}
    place.selectbox(
        "See what is refused, and why",
        list(labels),
        index=None,
        format_func=apart(labels, labels.__getitem__),
        key=key,
        placeholder="See what is refused, and why",
        label_visibility="collapsed",
        on_change=on_change,
        width=285,
    )


def examples(schema: Schema) -> tuple[Example, ...]:
    """What each example is called in plain words, and its SQL for this table."""
    listed, text = _last(schema, CategoryColumn, BooleanColumn), _last(schema, TextColumn)
    names = {
        "table": quoted(schema.name),
        "listed": listed,
        "number": _first(schema, NumberColumn),
        "unbounded": text or listed,
    }
    missing = tuple("{" + name + "}" for name, found in names.items() if not found)
    return tuple(
        (label, text.format(**names)) for label, text in _EXAMPLES if not any(name in text for name in missing)
    )


def _first(schema: Schema, *kinds: type[object]) -> str:
    """The first column of some kind; empty if there is none."""
    return next((quoted(column.name) for column in schema.columns if isinstance(column, kinds)), "")


def _last(schema: Schema, *kinds: type[object]) -> str:
    """The last column of some kind, most often a telling one; empty if there is none."""
    return next((quoted(column.name) for column in reversed(schema.columns) if isinstance(column, kinds)), "")
