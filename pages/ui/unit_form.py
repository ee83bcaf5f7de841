"""Who is protected: every row another person, or the person behind several rows and how many of them count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.charts import amount
from dpengine.data import PrivacyUnit
from pages.ui import person_picture, session
from pages.ui.column_fields import BLIND
from pages.ui.names import code

KINDS = {
    "row": "each row is another person",
    "identifier": "a person may have several rows: a column names the person",
}
EMPTY = {"unit_kind": "row", "person_rows": 1, "person_groups": None, "person_rows_per_group": None}
"""What the form holds before anything is declared, by widget."""


def typed(unit: PrivacyUnit) -> dict[str, object]:
    """What somebody who declares this would have typed, by widget."""
    return {
        "unit_kind": "identifier" if unit.identifier else "row",
        "identifier": unit.identifier,
        "person_rows": unit.rows,
        "person_groups": unit.groups,
        "person_rows_per_group": unit.rows_per_group,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """The column at this place may name people; `rows_each` is how many of the first rows have each value, or 0."""

    name: str
    place: int
    rows_each: float


def draw(texts: Sequence[str], doubts: Sequence[Doubt], missing: list[str]) -> PrivacyUnit:
    """The choices and, where a person may have several rows, a picture of what counts; `texts` may name the person."""
    left, right = st.columns([5, 7], gap="medium", vertical_alignment="center")
    with left:
        kind = st.radio(
            "Whose rows belong together?",
            list(KINDS),
            format_func=KINDS.__getitem__,
            key="unit_kind",
            persist_state="session",
        )
        if kind == "row":
            _doubt(right, doubts)
            return PrivacyUnit()
        if not texts:
            missing.append("which column names the person: make it text or identifier")
            return PrivacyUnit()
        unit = _several(texts)
    with right:
        person_picture.show(unit)
    return unit


def _doubt(place: DeltaGenerator, doubts: Sequence[Doubt]) -> None:
    """What goes wrong if one person has several rows after all, where a column might name the person."""
    if not doubts:
        return
    worst = max(doubts, key=lambda doubt: doubt.rows_each > 1.0)
    seen = f" Each of its values stands in **{amount(worst.rows_each, 3)}** of the first rows on average."
    with place:
        st.markdown(
            f"**Can the same {code(worst.name)} stand in two rows?**{seen if worst.rows_each > 1.0 else ''} "
            "Then it names the person. "
            ":gray[Otherwise the noise hides one row, and a person with many rows is hidden far less.]"
        )
        st.button(
            f"Yes, {code(worst.name)} names the person", key="names_the_person", on_click=_name_people, args=(worst,)
        )


def _name_people(doubt: Doubt) -> None:
    """This column is no number and no text to ask about: it tells whose row it is."""
    session.set_widget(f"kind_{doubt.place}", "text")
    session.set_widget("unit_kind", "identifier")
    session.set_widget("identifier", doubt.name)


def _several(texts: Sequence[str]) -> PrivacyUnit:
    if session.widget_held("identifier") not in texts:
        session.set_widget("identifier", texts[0])
    identifier = st.selectbox("Column that names the person", texts, key="identifier", persist_state="session")
    st.markdown(f"**How much of one person counts at most?** :gray[A choice, {BLIND}; the rest is left out, by lot.]")
    rows = _bound("At most so many rows of a person count", "person_rows", "1")
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        groups = _bound("By group: groups, at most", "person_groups", "no further limit")
    with right:
        rows_per_group = _bound("By group: rows in each, at most", "person_rows_per_group", "no further limit")
    return PrivacyUnit(identifier=identifier, rows=rows or 1, groups=groups, rows_per_group=rows_per_group)


def _bound(label: str, key: str, nothing: str) -> int | None:
    typed_now = st.number_input(
        label, value=None, min_value=1, step=1, key=key, placeholder=nothing, persist_state="session"
    )
    return None if typed_now is None else int(typed_now)
