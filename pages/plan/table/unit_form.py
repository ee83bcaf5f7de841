"""Who is protected: every row another person, or the person behind several rows and how many of them count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dpengine.data import Preview, PrivacyUnit
from dpengine.data.aggregates.contributions import contributions_of
from dpengine.formatting import amount
from pages import session
from pages.phrasing import wording
from pages.plan.table import person_picture
from pages.plan.table.column_fields import BLIND, filled_in
from pages.widgets.escaping import code, whole

KINDS = {
    "row": "each row is another person",
    "identifier": "a person may have several rows: a column names the person",
    "unknown": "I do not know",
}
_TO_ASK = (
    "**Ask the person who keeps the table whether somebody can be in it twice**, say with two visits or two orders. If "
    "so, choose the column that names the person. :gray[If no column does, a person's rows cannot be put together: "
    "the first choice then hides one row only, even of a person who has several.]"
)
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


def draw(read: Preview, texts: Sequence[str], doubts: Sequence[Doubt], missing: list[str]) -> PrivacyUnit | None:
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
        unit = _declared(str(kind), read, texts, missing)
    with right:
        if kind != "identifier" or session.widget_held("identifier") is None:
            _doubt(doubts)
        elif unit is not None:
            person_picture.show(unit)
    return unit


def _declared(kind: str, read: Preview, texts: Sequence[str], missing: list[str]) -> PrivacyUnit | None:
    if kind == "identifier":
        return _several(read, texts, missing)
    if kind == "row":
        return PrivacyUnit()
    st.markdown(_TO_ASK)
    missing.append("whether a person may have several rows")
    return None


def _doubt(doubts: Sequence[Doubt]) -> None:
    """What goes wrong if one person has several rows after all, where a column might name the person."""
    if not doubts:
        return
    worst = max(doubts, key=lambda doubt: doubt.rows_each > 1.0)
    each = f"**{amount(worst.rows_each, 3)}** of the first rows"
    seen = f" Each of its values stands in {each} on average (for your eyes only)." if worst.rows_each > 1.0 else ""
    st.markdown(
        f"**Does {whole(worst.name)} name a person?**{seen} "
        "If it does, and a person may have several rows, say so. "
        ":gray[Otherwise the noise hides one row, and a person with many rows is hidden far less.]"
    )
    st.button(
        f"Yes, {code(worst.name)} names the person",
        key="names_the_person",
        on_click=_name_people,
        args=(worst.name, worst.place),
    )


def _name_people(name: str, place: int) -> None:
    """This column is no number and no category to ask about: it tells whose row it is."""
    filled_in()
    session.set_widget(f"kind_{place}", "text")
    session.set_widget("unit_kind", "identifier")
    session.set_widget("identifier", name)


def _several(read: Preview, texts: Sequence[str], missing: list[str]) -> PrivacyUnit | None:
    identifier = _identifier(read.names, texts, missing)
    st.markdown(
        f"**How much of one person counts at most?** :gray[Choose it from how often anybody can appear, {BLIND}: with "
        "one visit a month, 12 in a year. A smaller number means less noise, and more rows dropped at random.]"
    )
    rows = _bound("Rows that count per person, at most", "person_rows", "for example 4")
    if rows is not None and identifier is not None:
        _told_dropped(read, identifier, rows)
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


def _identifier(names: Sequence[str], texts: Sequence[str], missing: list[str]) -> str | None:
    """The column that names the person, which is read as text; one that no longer is waits to be text again."""
    session.widget_stays_within("identifier", names)
    if session.widget_held("identifier") is None and len(texts) == 1:
        session.set_widget("identifier", texts[0])
    chosen = st.selectbox(
        "Column that names the person",
        names,
        index=None,
        key="identifier",
        placeholder="choose a column",
        persist_state="session",
        on_change=_read_as_text,
        args=(names,),
    )
    if chosen in texts:
        return str(chosen)
    missing.append("which column names the person" if chosen is None else f"'{chosen}' as text, as it names the person")
    return None


def _read_as_text(names: Sequence[str]) -> None:
    """The column that was chosen to name the person is text; of a choice that was emptied nothing follows."""
    chosen = session.widget_held("identifier")
    if chosen in names:
        _name_people(str(chosen), names.index(str(chosen)))


def _told_dropped(read: Preview, identifier: str, bound: int) -> None:
    """What the bound drops of the first rows: a fact about the file, for whoever brought it."""
    found = contributions_of(read.sample, identifier) if read.sample else None
    if found and (dropped := found.dropped(bound)):
        st.caption(
            f"Of {read.seen}, one person has up to {found.most:,}; at a bound of {bound:,}, {dropped:,} of these rows "
            f"would be dropped. For your eyes only. {wording.EXACT_SHOWN}"
        )


def _bound(label: str, key: str, nothing: str) -> int | None:
    typed_now = st.number_input(
        label, value=None, min_value=1, step=1, key=key, placeholder=nothing, persist_state="session"
    )
    return None if typed_now is None else int(typed_now)
