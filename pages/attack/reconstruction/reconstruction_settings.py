"""What all acts of the reconstruction share: whose bit it is, how many people and counts, and which day it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks.reconstruction import BoundedError, GroupCounts, Noise
from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Comparison,
    Condition,
    NumberColumn,
    RowCount,
    Schema,
    Table,
)
from dpengine.errors import InvalidParameterError
from pages import session
from pages.lesson import pickers, row_access
from pages.widgets.escaping import plain

KEY = "reconstruction"
PEOPLE, EACH, ERRORS = (32, 64, 128, 256, 512), (1, 2, 4, 8), (0, 1, 2, 3, 5, 8, 12, 20, 30, 50)
FIRST_DAY, FAIR = 11, 0.5
INVENTED = "invented people, half of whom answer yes"
MOST_CATEGORIES = 12


def share() -> float:
    """The share of people with the secret bit: that of a condition on the curator's own table, else one half.

    Raises InvalidParameterError where everybody has it, or nobody.
    """
    table = row_access.own_or_invented(INVENTED, key=f"{KEY}_ground")
    if table is None:
        return FAIR
    conditions = secrets_of(table.schema)
    if not conditions:
        raise InvalidParameterError(
            "columns", table.schema.name, "some that are no text: yes/no secrets are made from those"
        )
    key = f"{KEY}_secret"
    session.widget_stays_within(key, list(conditions))
    chosen = pickers.listed(
        st.container(), "The yes/no secret", list(conditions), key=key, start=next(iter(conditions))
    )
    return _share_of(table, conditions[chosen])


def secrets_of(schema: Schema) -> Mapping[str, Condition]:
    """Facts that are true or false of each row, by their names: at most twelve for each column."""
    found: dict[str, Condition] = {}
    for column in schema.columns:
        if isinstance(column, BooleanColumn):
            found[plain(column.name)] = Comparison(column=column.name, operator="=", value=True)
        elif isinstance(column, CategoryColumn):
            for category in column.categories[:MOST_CATEGORIES]:
                found[plain(f"{column.name} = {category}")] = Comparison(column.name, "=", category)
        elif isinstance(column, NumberColumn):
            middle = (column.lower + column.upper) / 2.0
            found[plain(f"{column.name} ≥ {middle:g}")] = Comparison(column.name, ">=", middle)
    return found


def _share_of(table: Table, condition: Condition) -> float:
    """Only these two counts of the table are used."""
    rows, having = (int(table.recall(RowCount(where=where))[0]) for where in (None, condition))
    if not 0 < having < rows:
        raise InvalidParameterError("rows that say yes", having, f"some of the {rows:,} rows, but not all of them")
    return having / rows


def sizes(place: DeltaGenerator) -> tuple[int, int]:
    """How many people, and how many counts about them."""
    left, right = place.columns(2)
    people = _kept(left, "People", PEOPLE, "people", 128)
    each = _kept(right, "Counts published, as a multiple of people", EACH, "each", 4)
    return people, people * each


def sizes_held() -> tuple[int, int]:
    """The same, where they are not asked for."""
    people, each = (int(str(session.remembered(f"{KEY}_{name}_held", start))) for name, start in STARTS)
    return people, people * each


STARTS = (("people", 128), ("each", 4))


def error(place: DeltaGenerator) -> BoundedError:
    """The largest error of each count."""
    return BoundedError(most=_kept(place, "Largest error of each count, people", ERRORS, "error", 2))


def _kept(place: DeltaGenerator, label: str, stops: Sequence[int], name: str, start: int) -> int:
    """A slider that has the same value in every act."""
    key = f"{KEY}_{name}"
    chosen = pickers.stop(place, label, stops, key=key, start=int(str(session.remembered(f"{key}_held", start))))
    session.remember(f"{key}_held", chosen)
    return chosen


def counts(sizes: tuple[int, int], share: float, noise: Noise) -> GroupCounts:
    """So many people, so many counts."""
    people, questions = sizes
    return GroupCounts(people=people, questions=questions, share=share, noise=noise)


def day() -> int:
    """The seed of what is drawn; a button moves on to the next."""
    return int(str(session.remembered(f"{KEY}_day", FIRST_DAY)))


def draw_again(place: DeltaGenerator) -> None:
    """Other people, other groups, other errors; the settings stay."""
    place.button("Draw again", key=f"{KEY}_another", on_click=session.remember, args=(f"{KEY}_day", day() + 1))
