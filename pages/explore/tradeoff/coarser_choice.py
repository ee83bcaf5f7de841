"""Choosing a coarser grouping to compare with: the smallest together, some that one names, bins of twice the width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from dpengine.accuracy.by_group import (
    Group,
    Regrouping,
    neighbors_together,
    smallest_together,
    together,
    without_smallest,
)
from dpengine.queries import HistogramQuery
from dpengine.queries.forms import CountForm, over_the_same_rows
from pages import session
from pages.question.question_view import QuestionView
from pages.widgets import number_box
from pages.widgets.escaping import code, plain
from pages.widgets.options import apart

NOTHING, SMALLEST, NAMED, TWICE, WITHOUT = "nothing", "smallest", "named", "twice", "without"


def chosen(question: QuestionView, groups: Sequence[Group]) -> Regrouping | None:
    """The coarser grouping that was chosen; None to look at the question as it is asked."""
    mark = session.question_mark()
    ways = _ways(question)
    key = f"who_pays_way_{mark}"
    session.widget_stays_within(key, list(ways))
    way = st.selectbox(
        "What would a coarser question change?",
        list(ways),
        format_func=apart(ways, ways.__getitem__),
        key=key,
        persist_state="session",
    )
    if way == TWICE:
        return neighbors_together(groups)
    if way == NAMED:
        return _named(groups, mark)
    if way in (SMALLEST, WITHOUT):
        return _smallest(groups, str(way), mark)
    return None


def _ways(question: QuestionView) -> Mapping[str, str]:
    query = question.planned.query
    ways = {NOTHING: "nothing: as it is asked"}
    if over_the_same_rows(query) or (isinstance(query, CountForm) and query.overlapping):
        return ways | {WITHOUT: "leave out the smallest"}
    if isinstance(query, HistogramQuery) and (query.edges or query.period):
        ways[TWICE] = "bins of twice the width" if query.edges else f"two {query.period}s at a time"
    cell = query.cell
    return ways | {SMALLEST: f"the smallest {cell}s as one", NAMED: f"{cell}s that you name as one"}


def _smallest(groups: Sequence[Group], way: str, mark: int) -> Regrouping:
    most = len(groups) - (1 if way == WITHOUT else 0)
    least = 1 if way == WITHOUT else 2
    key = f"who_pays_many_{way}_{mark}"
    label = "How many of the smallest"
    many = int(number_box.kept(st.container(), label, key=key, start=least, min_value=least, max_value=most, step=1))
    return without_smallest(groups, many) if way == WITHOUT else smallest_together(groups, many)


def _named(groups: Sequence[Group], mark: int) -> Regrouping | None:
    key = f"who_pays_named_{mark}"
    places = list(range(len(groups)))
    session.widget_stays_within(key, places)
    named = st.multiselect(
        "Which ones together",
        places,
        format_func=apart(places, lambda place: plain(code(groups[place].label))),
        key=key,
        placeholder="two or more",
        persist_state="session",
    )
    return together(groups, named) if len(named) > 1 else None
