"""Who is protected: every row another person, or the person behind several rows and how many of them count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.charts import amount
from dpengine.data import PrivacyUnit
from dpengine.data.cells import Cells
from dpengine.data.contributions import contributions_of
from dpengine.queries.sentences import plural
from pages.ui import person_picture, session, wording
from pages.ui.column_fields import BLIND
from pages.ui.names import code

KINDS = {
    "row": "each row is another person",
    "identifier": "a person may have several rows: a column names the person",
}
EMPTY = {
    "unit_kind": "row",
    "identifier": None,
    "person_rows": None,
    "person_groups": None,
    "person_rows_per_group": None,
}
"""What the form holds before anything is declared, by widget."""


def typed(unit: PrivacyUnit) -> dict[str, object]:
    """What somebody who declares this would have typed, by widget."""
    return {
        "unit_kind": "identifier" if unit.identifier else "row",
        "identifier": unit.identifier,
        "person_rows": unit.rows if unit.identifier else None,
        "person_groups": unit.groups,
        "person_rows_per_group": unit.rows_per_group,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """The column at this place may name people; `rows_each` is how many of the first rows have each value, or 0."""

    name: str
    place: int
    rows_each: float


def draw(texts: Sequence[str], doubts: Sequence[Doubt], missing: list[str], sample: Cells | None) -> PrivacyUnit | None:
    """The choices and, where a person may have several rows, a picture of what counts; `texts` may name the person.

    None where something is `missing`; of the file's first rows it is said how many would be dropped.
    """
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
            return None
        unit = _several(texts, missing, sample)
    if unit is not None:
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


def _several(texts: Sequence[str], missing: list[str], sample: Cells | None) -> PrivacyUnit | None:
    identifier = _identifier(texts, missing)
    st.markdown(f"**How much of one person counts at most?** :gray[A choice, {BLIND}; the rest is dropped at random.]")
    rows = _bound("At most so many rows of a person count", "person_rows", "for example 4")
    if rows is not None and identifier is not None and sample is not None:
        _told_dropped(sample, identifier, rows)
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        groups = _bound("By group: groups, at most", "person_groups", "no further limit")
    with right:
        rows_per_group = _bound("By group: rows in each, at most", "person_rows_per_group", "no further limit")
    if rows is None:
        missing.append("how many rows of a person count at most")
    if rows is None or identifier is None:
        return None
    return PrivacyUnit(identifier=identifier, rows=rows, groups=groups, rows_per_group=rows_per_group)


def _identifier(texts: Sequence[str], missing: list[str]) -> str | None:
    """The column that names the person; one that is text no longer stays chosen, and waits to be text again."""
    held = session.widget_held("identifier")
    if held is None and len(texts) == 1:
        session.set_widget("identifier", held := texts[0])
    lost = held is not None and held not in texts
    chosen = st.selectbox(
        "Column that names the person",
        [str(held), *texts] if lost else texts,
        index=None,
        key="identifier",
        placeholder="choose a column",
        persist_state="session",
    )
    if chosen in texts:
        return str(chosen)
    missing.append(f"'{chosen}' as text, as it names the person" if lost else "which column names the person")
    return None


def _told_dropped(sample: Cells, identifier: str, bound: int) -> None:
    """What the bound drops of the first rows: a fact about the file, for whoever brought it."""
    found = contributions_of(sample, identifier)
    if dropped := found.dropped(bound):
        st.caption(
            f"In the first {plural(sample.rows, 'row')} one person has up to {found.most:,} rows; at a bound of "
            f"{bound:,}, {dropped:,} of these rows would be dropped. For your eyes only. {wording.EXACT_SHOWN}"
        )


def _bound(label: str, key: str, nothing: str) -> int | None:
    typed_now = st.number_input(
        label, value=None, min_value=1, step=1, key=key, placeholder=nothing, persist_state="session"
    )
    return None if typed_now is None else int(typed_now)
