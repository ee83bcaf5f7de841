"""What it is worth: every rule's figure behind the picture, for each person and each stretch of time."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

from dpengine.charts.privacy.promise_charts import DIGITS, between
from dpengine.formatting import at_most, tiny_at_most
from dpengine.promises import RULES, YEAR, Promise, Total
from dpengine.reports.evaluations import figures
from pages.judge.promise.hand import KEY, Hand
from pages.lesson.lesson import choice
from pages.phrasing import rules
from pages.phrasing.wording import DELTA_MEANS
from pages.widgets import computed, inputs

BEST = "best that ε and δ alone allow"
LABELS = {name: BEST if name == "optimal" else rules.RULES[name].label for name in RULES}


def show(held: Hand) -> None:
    """A table of stretches and rules at a delta that is chosen, and what that delta rules out."""
    promise = held.promise
    year = promise.over(days=YEAR) if promise else None
    if promise is None or year is None:
        st.info("No figure can be told before the promise has a size: ε, ρ, or the noise.")
        return
    whom = choice("For whom", list(figures.SUBJECTS), key=f"{KEY}_whom")
    st.markdown(_table({row.heading: row.totals[whom] for row in figures.rows(promise) if row.totals}))
    st.markdown(DELTA_MEANS)
    _at_a_delta(promise, year, whom)
    computed.how(rules.COMPUTED, key=f"{KEY}_worth_computed")


def _table(totals: Mapping[str, Total]) -> str:
    """A column for each stretch of time; a row for what can be told, for each rule, and for delta."""
    cells = {"what can be told": [f"**{between(total)}**" for total in totals.values()]}
    for name in RULES:
        if any(name in total.rules for total in totals.values()):
            cells[LABELS[name]] = [
                _figure(total.rules[name]) if name in total.rules else "–" for total in totals.values()
            ]
    cells["δ in all"] = [tiny_at_most(total.delta, 3) for total in totals.values()]
    lines = [["ε in all", *totals], ["---"] * (len(totals) + 1), *([words, *line] for words, line in cells.items())]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _figure(epsilon: float) -> str:
    return "no limit" if math.isinf(epsilon) else at_most(epsilon, DIGITS)


def _at_a_delta(promise: Promise, year: Total, whom: str) -> None:
    """The year again at another delta, which may leave no finite epsilon."""
    with st.container(border=True, key=f"card_{KEY}_delta"):
        kept = min(year.delta, 0.5) or 1e-6
        delta = inputs.delta_box(
            st.container(), does="Allows so much on top in a year.", key=f"{KEY}_delta", kept=kept, owner=promise
        )
        total = promise.over(days=YEAR, subject=figures.SUBJECTS[whom], delta=delta)
        if total is None:
            return
        known = ", ".join(f"{LABELS[name]} {_figure(total.rules[name])}" for name in total.rules)
        st.markdown(f"**A year for {whom} at δ {tiny_at_most(delta, 3)}:** {known}.")
