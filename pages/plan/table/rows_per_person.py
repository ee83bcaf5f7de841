"""How many rows people really have, for the curator's eyes only: what a bound drops, and what looking at it means."""

from __future__ import annotations

import streamlit as st

from dpengine.charts.tables import contribution_charts
from dpengine.data import Contributions, Schema, Table
from dpengine.formatting import out_of_100
from dpengine.queries.sensitivity.sentences import plural
from pages import session
from pages.widgets import number_box, outputs

LOOKED = (
    "A bound that you choose after looking at this is not covered by the promise: choose it from what is known "
    "elsewhere, such as a public table of the same kind, or from how often anybody could have a row."
)
MOST_TRIED = 1000


def show(table: Table) -> None:
    """Exact, so behind a switch, and read once; on public practice data it is there to be looked at."""
    if table.schema.one_row_each:
        return
    free = table.built_in
    label = "Show how many rows people have" + ("" if free else ", for your eyes only")
    if not st.toggle(label, key=session.key_of_table("contributions_shown")):
        return
    read = counted(table)
    place, words = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with words:
        bound = _tried(table.schema, read)
        st.markdown(f"**{finding(read, bound)}** {'' if free else ':gray[Exact, for your eyes only.]'}")
        st.markdown(f":gray[{people(read, bound)}]")
    picture = contribution_charts.people_by_rows(read.people_with, bound=bound, palette=outputs.palette())
    with place.container(border=True, key="card_contributions"):
        outputs.chart(st.container(), picture, key="contributions_chart")
    outputs.numbers_behind([picture], key="contributions_numbers", exact=not free)
    if not free:
        st.warning(LOOKED)


def finding(read: Contributions, bound: int) -> str:
    """What a bound does to the rows."""
    each = f"{plural(bound, 'row')} per person"
    if not read.dropped(bound):
        return f"Capping at {each} drops nothing."
    return f"Capping at {each} drops {out_of_100(read.dropped_share(bound))}% of the rows."


def people(read: Contributions, bound: int) -> str:
    """The same in whole numbers."""
    return (
        f"{plural(read.rows, 'row')} of {plural(read.people, 'person')}; nobody has more than {read.most:,}. "
        f"{plural(read.people_cut(bound), 'person')} would lose rows, {read.dropped(bound):,} in total."
    )


def _tried(schema: Schema, read: Contributions) -> int:
    """A bound to look at, at first the declared one; trying changes nothing."""
    session.widget_starts_over("contributions_bound", schema.unit.rows, owner=schema)
    most = max(min(read.most, MOST_TRIED), schema.unit.rows, 2)
    label = f"Rows of a person that count (declared: {schema.unit.rows:,})"
    key, start = "contributions_bound", schema.unit.rows
    return int(number_box.kept(st.container(), label, key=key, start=start, min_value=1, max_value=most, step=1))


def counted(table: Table) -> Contributions:
    """Read once for each table and kept with this session alone."""
    kept = session.remembered("contributions", None)
    if isinstance(kept, tuple) and kept[0] is table:
        return kept[1]  # type: ignore[no-any-return]
    with st.spinner("Counting each person's rows"):
        read = table.contributions()
    session.remember("contributions", (table, read))
    return read
