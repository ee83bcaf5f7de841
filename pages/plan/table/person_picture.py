"""The rows of one invented person, and what of them counts under the bounds; nothing here comes from a table."""

from __future__ import annotations

import streamlit as st

from dpengine.charts.tables import contribution_charts
from dpengine.charts.tables.contribution_charts import PersonInTime
from dpengine.data import PrivacyUnit
from dpengine.data.aggregates.counted_rows import counted_rows
from pages.widgets import outputs

VISITS = ("North", "North", "Harbor", "North", "Hill", "Harbor", "North", "Hill", "North")
"""The clinic of each visit, in time."""
LOT = (3, 5, 7, 0, 4, 8, 2, 6, 1)
"""The visits in the order in which a lot has drawn them."""


def show(unit: PrivacyUnit) -> None:
    """The picture in its card, with one sentence that moves as the bounds do."""
    view = invented(unit)
    with st.container(border=True, key="card_person"):
        st.markdown(f"**{sentence(view)}**")
        picture = contribution_charts.one_person(view, outputs.palette())
        outputs.chart(st.container(), picture, key="person_picture")
        st.caption("Which visits are dropped is drawn at random once, when the table is read.")
        outputs.numbers_behind([picture], key="person_numbers")


def invented(unit: PrivacyUnit) -> PersonInTime:
    """Nine visits to three clinics under these bounds."""
    counted = counted_rows([VISITS[visit] for visit in LOT], unit)
    order = [LOT.index(visit) for visit in range(len(VISITS))]
    return PersonInTime(
        groups=VISITS,
        overall=[counted.overall[place] for place in order],
        by_group=[counted.by_group[place] for place in order],
    )


def sentence(view: PersonInTime) -> str:
    """How many of the visits count, and what another bound would change."""
    count, overall, by_group = len(view.groups), sum(view.overall), sum(view.by_group)
    said = f"Of an invented person's {count} visits {overall} count{'s' if overall == 1 else ''}"
    if overall == count:
        said = f"All {count} visits of an invented person count"
    if by_group < overall:
        said += f", and {by_group} in answers by clinic"
    if overall == count:
        return f"{said}; with a smaller bound there is less noise, and some are dropped."
    return f"{said}; with a smaller bound there is less noise, and more is dropped."
