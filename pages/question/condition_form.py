"""A condition, typed row by row: which rows of the table a question is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.data import (
    And,
    Between,
    BooleanColumn,
    CategoryColumn,
    Column,
    Comparison,
    Condition,
    DateColumn,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    Schema,
    TextColumn,
)
from dpengine.data.declared.conditions import Value
from dpengine.data.declared.references import LONGEST_TEXT
from dpengine.errors import RefusedQueryError
from pages import session
from pages.widgets import date_input
from pages.widgets.escaping import short
from pages.widgets.options import apart

MOST_ROWS = 8
WHOLE_BELOW = 2**53
NARROW, WIDE = 152, 332
_ORDERED = ("=", "!=", "<", "<=", ">", ">=", "between", "missing")
OPERATORS: Mapping[type[Column], tuple[str, ...]] = {
    NumberColumn: _ORDERED,
    DateColumn: _ORDERED,
    CategoryColumn: ("=", "!=", "one of", "missing"),
    BooleanColumn: ("=", "missing"),
    TextColumn: ("=", "!=", "one of", "missing"),
}
_IN_WORDS = {"!=": "≠", "<=": "≤", ">=": "≥", "one of": "is one of", "between": "from … to", "missing": "is missing"}


@dataclass(frozen=True, slots=True)
class TypedCondition:
    """What stands in the rows of the form: conditions, or the sentence that says what a row still needs."""

    rows: tuple[Condition | str, ...]
    any_of: bool = False

    def finished(self) -> Condition | None:
        """The condition, None for no row; raises RefusedQueryError while a row is unfinished."""
        conditions = self.each()
        if len(conditions) > 1:
            return Or(conditions) if self.any_of else And(conditions)
        return conditions[0] if conditions else None

    def each(self) -> tuple[Condition, ...]:
        """The conditions one by one; raises RefusedQueryError while a row is unfinished."""
        return tuple(_finished(row) for row in self.rows)


def typed_condition(
    schema: Schema, *, key: str, invitation: str, needed: bool = False, joined: bool = True
) -> TypedCondition:
    """Draw the rows of a condition, one at first where it is needed; `invitation` is the first one's button.

    Texts are offered last, so that no row begins with somebody's name.
    Where the rows are not joined, each stands for a condition of its own.
    """
    columns = sorted(schema.queryable, key=lambda column: isinstance(column, TextColumn))
    rows = _rows(key, start=1 if needed else 0) if columns else ()
    any_of = joined and len(rows) > 1 and _any_of(key)
    typed = tuple(_row(schema, columns, key=f"{key}_{row}", on_remove=_remover(key, row)) for row in rows)
    if columns and len(rows) < MOST_ROWS:
        label = "Add another condition" if rows else invitation
        st.button(label, key=f"{key}_add", on_click=_add_row, args=(key,), type="tertiary", icon=":material/add:")
    return TypedCondition(typed, any_of)


def start_over(key: str) -> None:
    """Take all rows of a condition away: what narrowed one question does not narrow the next one in silence."""
    session.remember(f"{key}_rows", ())


def _rows(key: str, start: int) -> tuple[int, ...]:
    return cast("tuple[int, ...]", session.remembered(f"{key}_rows", tuple(range(start))))


def _add_row(key: str) -> None:
    """A row with a number that none had before, so that it starts empty."""
    rows = _rows(key, 0)
    row = max(int(str(session.remembered(f"{key}_next", 0))), max(rows, default=-1) + 1)
    session.remember(f"{key}_rows", (*rows, row))
    session.remember(f"{key}_next", row + 1)


def _remover(key: str, row: int) -> Callable[[], None]:
    return lambda: session.remember(f"{key}_rows", tuple(other for other in _rows(key, 0) if other != row))


def _any_of(key: str) -> bool:
    """Whether one row of the form is enough, or all must hold."""
    words = {False: "all of these hold", True: "at least one of these holds"}
    return bool(
        st.radio(
            "Which rows count",
            (False, True),
            format_func=apart(words, words.__getitem__),
            key=f"{key}_any_of",
            horizontal=True,
            persist_state="session",
        )
    )


def _row(schema: Schema, columns: Sequence[Column], *, key: str, on_remove: Callable[[], None]) -> Condition | str:
    """One line of the form: its condition, or the sentence that says what it still needs."""
    place = st.container(horizontal=True, vertical_alignment="center", gap="xsmall")
    negated = place.checkbox("not", key=f"{key}_not", width=58, persist_state="session")
    names = [column.name for column in columns]
    name = place.selectbox(
        "Column",
        names,
        format_func=apart(names, short),
        key=f"{key}_column",
        label_visibility="collapsed",
        width=_wide(map(short, names)),
        persist_state="session",
    )
    column = schema.column(name)
    value_key = keys_of_values(schema, column, key)
    operator = place.selectbox(
        "Comparison",
        OPERATORS[type(column)],
        format_func=apart(OPERATORS[type(column)], lambda sign: _IN_WORDS.get(sign, sign)),
        key=f"{value_key}_operator",
        label_visibility="collapsed",
        width=112,
        persist_state="session",
    )
    found = _condition(place, column, operator, key=f"{value_key}_{operator}")
    place.button("remove", key=f"{key}_remove", on_click=on_remove, type="tertiary")
    return Not(found) if negated and not isinstance(found, str) else found


def keys_of_values(schema: Schema, column: Column, row_key: str) -> str:
    """What the keys of a row's operator and values begin with: they belong to one column of one schema."""
    return f"{row_key}_{schema.columns.index(column)}_{type(column).__name__}"


def _finished(row: Condition | str) -> Condition:
    if isinstance(row, str):
        raise RefusedQueryError(row)
    return row


def _condition(place: DeltaGenerator, column: Column, operator: str, *, key: str) -> Condition | str:
    if operator == "missing":
        return IsMissing(column.name)
    if operator == "one of":
        return _one_of(place, column, key=key)
    if operator == "between":
        return _between(place, column, key=key)
    value = _value(place, column, key=key)
    return f"Type a value for {column.name!r}." if value is None else Comparison(column.name, operator, value)


def _one_of(place: DeltaGenerator, column: Column, *, key: str) -> Condition | str:
    """Listed values to choose from, or those that are typed where none are listed."""
    listed = column.categories if isinstance(column, CategoryColumn) else ()
    chosen = place.multiselect(
        "Values",
        listed,
        key=key,
        placeholder="Choose values" if listed else "Type a value, then Enter",
        accept_new_options=not listed,
        label_visibility="collapsed",
        width=230 if listed else WIDE,
        persist_state="session",
    )
    values = tuple(filter(None, (str(value).strip() for value in chosen)))
    return OneOf(column.name, values) if values else f"Choose at least one value of {column.name!r}."


def _between(place: DeltaGenerator, column: Column, *, key: str) -> Condition | str:
    lower, upper = (_value(place, column, key=f"{key}_{end}", hint=end) for end in ("from", "to"))
    if lower is None or upper is None:
        return f"Type both ends for {column.name!r}."
    if lower > upper:  # type: ignore[operator]
        return f"{column.name!r} runs from {lower} down to {upper}: swap the two ends."
    return Between(column.name, lower, upper)


def _value(place: DeltaGenerator, column: Column, *, key: str, hint: str = "") -> Value | None:
    """The widget that fits the column; bounds are shown as a hint, and never as a limit."""
    label = f"Value {hint}".strip()
    if isinstance(column, NumberColumn):
        bounds = hint or f"{column.lower:g} to {column.upper:g}"
        typed = place.number_input(
            label,
            value=None,
            key=key,
            placeholder=bounds,
            label_visibility="collapsed",
            width=120,
            step=None,
            format="%g",
            persist_state="session",
        )
        return None if typed is None else plain(typed)
    if isinstance(column, DateColumn):
        return date_input.box(place, label, key=key, width=130)
    if isinstance(column, TextColumn):
        return _text(place, label, key=key)
    return _listed_value(place, column, label, key=key)


def _text(place: DeltaGenerator, label: str, *, key: str) -> str | None:
    """Texts are compared without the spaces around them."""
    typed = place.text_input(
        label,
        key=key,
        max_chars=LONGEST_TEXT,
        placeholder="the exact text",
        label_visibility="collapsed",
        width=NARROW,
        persist_state="session",
    )
    return typed.strip() or None


def plain(number: float) -> float:
    """A whole number without a point, as people write it.

    >>> plain(4.0), plain(4.5)
    (4, 4.5)
    """
    return int(number) if number == round(number) and abs(number) < WHOLE_BELOW else number


def _listed_value(place: DeltaGenerator, column: Column, label: str, *, key: str) -> Value | None:
    yes_or_no = isinstance(column, BooleanColumn)
    values: Sequence[Value] = column.categories if isinstance(column, CategoryColumn) else (True, False)
    return place.selectbox(
        label,
        values,
        format_func=apart(values, _yes_or_no if yes_or_no else str),
        key=key,
        label_visibility="collapsed",
        width=96 if yes_or_no else _wide(map(str, values)),
        persist_state="session",
    )


def _wide(words: Iterable[str]) -> int:
    """Pixels of a box that shows these words whole: names that differ at their ends read alike in a narrow one."""
    return min(max(NARROW, 52 + 7 * max(map(len, words), default=0)), WIDE)


def _yes_or_no(value: object) -> str:
    return "yes" if value else "no"
