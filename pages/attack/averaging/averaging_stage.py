"""Which count is asked again and again: one of the curator's plan, or one of the invented hospital."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.data import sample_frame
from dpengine.formatting import upper_of_100
from dpengine.queries import Query
from dpengine.queries.forms import CountForm, is_of_people
from pages import session
from pages.lesson import pickers, row_access
from pages.phrasing import wording
from pages.widgets.computed import formula

KEY, HOSPITAL = "averaging", "the invented hospital"
FIRST_EPSILON, MOST_EPSILON, MOST, TRIALS = 0.1, 5.0, 1000, 1000
SEED, FIRST_SEED, NEARLY_ALL, FIRST_TIMES = 5, 100, 0.9999, 300
AVERAGED = (
    formula(
        "The standard deviation of the average of k answers",
        r"\frac{\text{standard deviation of one answer}}{\sqrt{k}}",
    )
    + formula(
        "The upper limit for any attacker, after k answers with ε each", r"\frac{e^{k\varepsilon}}{1+e^{k\varepsilon}}"
    )
    + "e is about 2.72. By votes: each answer is for the nearer count with the chance of this formula at k = 1, and "
    "the majority wins. Sources: Kairouz, Oh and Viswanath 2015; the interval: Clopper and Pearson 1934."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedCount:
    """The question in words, and what its answers are drawn around: the invented count, for a real table 0."""

    words: str
    center: int


def asked() -> RepeatedCount:
    """The first planned question that counts people, where the curator's own table is attacked; else one on mumps.

    Of the own table only the words are used: its errors are drawn around 0, whatever the exact count.
    """
    if row_access.own_or_invented(HOSPITAL, key=f"{KEY}_ground") is not None:
        plan = session.scenario()
        for index, planned in enumerate(plan.queries):
            if _of_people(planned.query):
                return RepeatedCount(words=wording.numbered(plan, index), center=0)
        st.caption("Your plan has no question that counts people, so the invented hospital is used instead.")
    return RepeatedCount(words="How many patients have mumps?", center=_with_mumps())


@st.cache_data(max_entries=1)
def _with_mumps() -> int:
    return int((sample_frame("patients")["disease"] == "mumps").sum())


def _of_people(query: Query) -> bool:
    """Whether it is one count of people."""
    people = session.scenario().schema.one_row_each or is_of_people(query)
    return isinstance(query, CountForm) and not query.cell and people


def times_asked(place: DeltaGenerator) -> int:
    """The slider that has the same value in every act."""
    label = "Times the question is asked"
    return pickers.stop(place, label, pickers.COUNTS, key=f"{KEY}_times", start=FIRST_TIMES)


def most_of_100(bound: float) -> str:
    """A bound as so many of 100, never below it; 100 where it is nearly that."""
    return upper_of_100(bound) if bound < NEARLY_ALL else "100"
