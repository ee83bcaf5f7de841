"""The fields of one column in the schema form: what is typed for each kind, and the column that comes of it."""

from __future__ import annotations

import csv
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import singledispatch
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.data import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.errors import IntakeError, InvalidParameterError
from pages import session
from pages.plan.table import column_words
from pages.widgets import date_input
from pages.widgets.escaping import spoken, whole

FILLED = "form_filled"
BLIND = "known without looking at the data"
LONGEST_PROPOSAL = 2000
"""Letters: a browser says all that a page's boxes hold with each press, and what is too long is not heard."""
KINDS: Mapping[str, str] = {
    "number": "number",
    "category": "category",
    "boolean": "yes or no",
    "date": "date",
    "text": "text",
    "leave out": "leave out",
}
FIELDS: Mapping[str, object] = {
    "lower": None,
    "upper": None,
    "unit": "",
    "complete": False,
    "values": "",
    "proposed": False,
    "earliest": None,
    "latest": None,
    **column_words.FIELDS,
}
_NAME_KIND_FIELDS = (1.9, 1.8, 6.8)


def draw(i: int, name: str, *, seen: Sequence[str]) -> None:
    """One line of the form; `seen` are values in the first rows.

    The words of a kind are the same in every run: a browser sends the words that it shows, and gets back words of a
    kind that is none where they were others meanwhile (Streamlit 1.67).
    """
    kind = str(session.widget_held(f"kind_{i}"))
    label, choice, fields = st.columns(_NAME_KIND_FIELDS, vertical_alignment="center")
    label.markdown(whole(name))
    choice.selectbox(
        f"Kind of {spoken(name)}",
        list(KINDS),
        format_func=KINDS.__getitem__,
        key=f"kind_{i}",
        label_visibility="collapsed",
        persist_state="session",
    )
    _DRAWN[kind](i, name, fields.columns(_WIDTHS[kind], vertical_alignment="center"), seen)


def declared(i: int, name: str) -> Column | None:
    """The column that its line declares, drawn now or earlier; None for one left out.

    Raises IntakeError with what is still to be typed, InvalidParameterError for what contradicts itself.
    """
    return _DECLARED[str(session.widget_held(f"kind_{i}"))](i, name)


def _draw_number(i: int, name: str, places: Sequence[DeltaGenerator], seen: Sequence[str]) -> None:
    _bound(places[0], f"Lowest possible value of {spoken(name)}", "lowest", f"lower_{i}")
    _bound(places[1], f"Highest possible value of {spoken(name)}", "highest", f"upper_{i}")
    places[2].text_input(
        f"Unit of {spoken(name)}",
        key=f"unit_{i}",
        placeholder="unit",
        label_visibility="collapsed",
        persist_state="session",
    )
    places[3].checkbox(
        "never missing",
        key=f"complete_{i}",
        persist_state="session",
        help=f"Nobody's value is missing, {BLIND}. Where each row is another person and their number is public, the "
        "number of values is then public too, and costs nothing.",
    )


def _bound(place: DeltaGenerator, label: str, hint: str, key: str) -> None:
    place.number_input(
        label,
        value=None,
        step=None,
        format="%g",
        key=key,
        placeholder=hint,
        label_visibility="collapsed",
        persist_state="session",
    )


def _draw_category(i: int, name: str, places: Sequence[DeltaGenerator], seen: Sequence[str]) -> None:
    places[0].text_input(
        f"Values of {spoken(name)}",
        key=f"values_{i}",
        placeholder="every possible value, with commas between them",
        label_visibility="collapsed",
        persist_state="session",
        on_change=session.set_widget,
        args=(f"proposed_{i}", False),
    )
    listed = word_list(seen)
    if 0 < len(listed) <= LONGEST_PROPOSAL:
        places[1].button(
            "Propose",
            key=f"propose_{i}",
            on_click=_propose,
            args=(i, listed),
            type="tertiary",
            help=f"Fill in the values seen in the first rows. Keep them only if they are {BLIND}.",
        )
    if session.widget_held(f"proposed_{i}"):
        st.caption(f"Proposed from the first rows: keep it only if this is the whole list, {BLIND}.")


def filled_in() -> None:
    """Something else than a person's typing has filled the form: a press of what was shown before has not seen it."""
    session.remember(FILLED, secrets.token_hex(8))


def _propose(i: int, values: str) -> None:
    filled_in()
    session.set_widget(f"values_{i}", values)
    session.set_widget(f"proposed_{i}", value=True)


def _draw_boolean(i: int, name: str, places: Sequence[DeltaGenerator], seen: Sequence[str]) -> None:
    column = BooleanColumn(name=name)
    places[0].caption(f"Read as yes: {', '.join(column.true_words)}. Read as no: {', '.join(column.false_words)}.")


def _draw_date(i: int, name: str, places: Sequence[DeltaGenerator], seen: Sequence[str]) -> None:
    date_input.box(places[0], f"Earliest possible day of {spoken(name)}", key=f"earliest_{i}")
    date_input.box(places[1], f"Latest possible day of {spoken(name)}", key=f"latest_{i}")
    places[2].caption("earliest and latest possible day; any other counts as missing")


def _draw_text(i: int, name: str, places: Sequence[DeltaGenerator], seen: Sequence[str]) -> None:
    places[0].caption("any text: conditions compare it with what you type; or it names the person")


def _draw_nothing(i: int, name: str, places: Sequence[DeltaGenerator], seen: Sequence[str]) -> None:
    places[0].caption("not kept: no question can be asked of it")


def _number(i: int, name: str) -> Column:
    lower, upper = _typed("lower", i), _typed("upper", i)
    if lower is None or upper is None:
        raise IntakeError(f"the lowest and highest possible value of '{name}'")
    if not lower < upper:
        raise InvalidParameterError(f"lowest possible value of {name}", lower, f"below the highest, {upper:g}")
    unit = str(_typed("unit", i) or "").strip()
    return NumberColumn(name=name, lower=lower, upper=upper, unit=unit, complete=bool(_typed("complete", i)))


def _category(i: int, name: str) -> Column:
    values = words(str(_typed("values", i) or ""))
    if not values:
        raise IntakeError(f"the possible values of '{name}'")
    return CategoryColumn(name=name, categories=values)


def _date(i: int, name: str) -> Column:
    earliest, latest = _typed("earliest", i), _typed("latest", i)
    if earliest is None or latest is None:
        raise IntakeError(f"the earliest and latest possible day of '{name}'")
    if latest < earliest:
        raise InvalidParameterError(f"earliest possible day of {name}", earliest, f"on or before the latest, {latest}")
    return DateColumn(name=name, earliest=earliest, latest=latest)


def _typed(field: str, i: int) -> Any:
    return session.widget_held(f"{field}_{i}")


_DRAWN: Mapping[str, Callable[[int, str, Sequence[DeltaGenerator], Sequence[str]], None]] = {
    "number": _draw_number,
    "category": _draw_category,
    "boolean": _draw_boolean,
    "date": _draw_date,
    "text": _draw_text,
    "leave out": _draw_nothing,
}
_DECLARED: Mapping[str, Callable[[int, str], Column | None]] = {
    "number": _number,
    "category": _category,
    "boolean": lambda _, name: BooleanColumn(name=name),
    "date": _date,
    "text": lambda _, name: TextColumn(name=name),
    "leave out": lambda *_: None,
}
_WIDTHS: Mapping[str, Sequence[float]] = {
    "number": (1.6, 1.6, 1.4, 2.2),
    "category": (5.6, 1.2),
    "date": (2, 2, 2.8),
    "boolean": (6.8,),
    "text": (6.8,),
    "leave out": (6.8,),
}


def words(text: str) -> tuple[str, ...]:
    """A typed list as its values; one that holds a comma stands in double quotes.

    >>> words('red, "green, dark" , blue')
    ('red', 'green, dark', 'blue')
    """
    found = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(word.strip() for word in found if word.strip())


def word_list(values: Sequence[str]) -> str:
    """Values as a list that can be typed.

    >>> word_list(("red", "green, dark"))
    'red, "green, dark"'
    """
    return ", ".join(_quoted(value) for value in values)


def _quoted(value: str) -> str:
    if "," not in value and '"' not in value:
        return value
    return '"' + value.replace('"', '""') + '"'


@singledispatch
def typed(column: Column) -> dict[str, object]:
    """What somebody who declares this column would have typed: its kind and its fields."""
    raise TypeError(column)


@typed.register
def _(column: NumberColumn) -> dict[str, object]:
    fields = {"lower": column.lower, "upper": column.upper, "unit": column.unit, "complete": column.complete}
    return {"kind": "number"} | fields


@typed.register
def _(column: CategoryColumn) -> dict[str, object]:
    return {"kind": "category", "values": word_list(column.categories)}


@typed.register
def _(column: BooleanColumn) -> dict[str, object]:
    return {"kind": "boolean"}


@typed.register
def _(column: DateColumn) -> dict[str, object]:
    return {"kind": "date", "earliest": column.earliest, "latest": column.latest}


@typed.register
def _(column: TextColumn) -> dict[str, object]:
    return {"kind": "text"}
