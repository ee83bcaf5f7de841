"""What it is worth: every rule's figure behind the picture, for each person and each stretch of time."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

from dpengine.charts.privacy.promise_charts import DIGITS, between
from dpengine.formatting import at_least, at_most, tiny, tiny_at_most
from dpengine.privacy import ApproximateEvent, PureEvent
from dpengine.promises import ONE_PERSON, RULES, YEAR, Promise, Total
from dpengine.reports.evaluations import figures
from pages.judge.promise.hand import KEY, Hand
from pages.lesson.lesson import choice
from pages.phrasing import rules
from pages.widgets import computed, inputs
from pages.widgets.computed import formula

LABELS = {name: rules.RULES[name].label for name in RULES}
WHOM = f"{KEY}_whom"
FROM_TO = (
    "“What can be told” goes from the smallest of these rules, rounded down, to naive, rounded up: by which its author "
    "adds up is not known. **Optimal** is the least that ε and δ alone allow."
)
NO_SIZE = "No figure can be told before the promise has a size: ε, ρ, or the noise."
COMPUTED = (
    formula("An attacker's limit, as a share", r"\frac{e^{\varepsilon}+\delta}{1+e^{\varepsilon}}")
    + formula("Naive, for k releases with ε each", r"k\,\varepsilon")
    + formula("A family, or several units of one person, g together", r"g\,\varepsilon")
    + formula("Their δ", r"\delta\,\frac{e^{g\varepsilon}-1}{e^{\varepsilon}-1}")
    + "Advanced and optimal: Kairouz, Oh and Viswanath 2015. Concentrated: Bun and Steinke 2016. Exact: the loss "
    "distributions of all releases are convolved, rounded toward more loss. Groups: Dwork and Roth 2014, Theorem 2.2."
)


def show(held: Hand) -> None:
    """A table of stretches and rules, and the year again at a delta that is chosen."""
    if held.promise is None or not figures.rows(held.promise):
        st.info(NO_SIZE)
        return
    whom = choice("For whom", list(figures.SUBJECTS), key=WHOM)
    totals = {row.heading: row.totals[whom] for row in figures.rows(held.promise) if row.totals}
    st.markdown(_table(totals, held.promise))
    if any(_is_open_by_rules(total) for total in totals.values()):
        st.caption(FROM_TO)
    _at_a_delta(held.promise, whom)
    computed.how(COMPUTED, key=f"{KEY}_worth_computed")


def _table(totals: Mapping[str, Total], promise: Promise) -> str:
    """A column for each stretch of time; a row for what can be told, for each rule, and for delta."""
    cells = {"what can be told": [f"**{between(total)}**" for total in totals.values()]}
    for name in _rules(promise, list(totals.values())):
        cells[LABELS[name]] = [_figure(total, name) for total in totals.values()]
    cells["δ in all"] = [tiny_at_most(total.delta, 3) for total in totals.values()]
    lines = [["ε in all", *totals], ["---"] * (len(totals) + 1), *([words, *line] for words, line in cells.items())]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _is_open_by_rules(total: Total) -> bool:
    """Whether nothing but the rule for adding up leaves a range."""
    return total.least < total.most == total.rules.get("basic") and min(total.rules.values()) == total.least


def _rules(promise: Promise, totals: list[Total]) -> list[str]:
    """Those that say something of such a promise; exactly nobody adds up noise that is not known."""
    unknown = isinstance(promise.event, PureEvent | ApproximateEvent)
    return [name for name in RULES if any(name in one.rules for one in totals) and not (unknown and name == "exact")]


def _figure(total: Total, name: str) -> str:
    if name not in total.rules:
        return "–"
    return "no limit" if math.isinf(total.rules[name]) else at_most(total.rules[name], DIGITS)


def _at_a_delta(promise: Promise, whom: str) -> None:
    """The year again at another delta, which may leave no finite epsilon."""
    subject = figures.SUBJECTS[whom]
    year = promise.over(days=YEAR, subject=subject)
    if year is None:
        return
    with st.container(border=True, key=f"card_{KEY}_delta"):
        place = st.container()
        kept = _two_digits_up(year.delta) if 0.0 < year.delta < 0.99 else 1e-6
        delta = inputs.delta_box(place, does=_does(year, whom), key=f"{KEY}_delta", kept=kept, owner=(promise, whom))
        total = promise.over(days=YEAR, subject=subject, delta=delta)
        if total is not None:
            known = ", ".join(f"{LABELS[name]} {_figure(total, name)}" for name in _rules(promise, [total]))
            place.markdown(f"**A year at δ {tiny_at_most(delta, 3)}, for {whom}:** {known}.")


def _does(year: Total, whom: str) -> str:
    """What a year's delta is, and below which there is no figure at all."""
    said = "Allowed in a year, on top of ε."
    if year.own_delta and figures.SUBJECTS[whom] == ONE_PERSON and year.units.most == 1:
        return (
            f"{said} Below {_down(year.own_delta)} there is no figure: every release brings its own δ, and all of them "
            "together, by the best rule, need that much. Naive adds them up to slightly more."
        )
    return said


def _two_digits_up(delta: float) -> float:
    """As many digits as the box shows, so that what it shows is what is used."""
    digits = 1 - math.floor(math.log10(delta))
    return float(f"{math.ceil(delta * 10.0**digits)}e{-digits}")


def _down(delta: float) -> str:
    """A delta in three digits, never above it."""
    power = math.floor(math.log10(delta))
    return tiny(float(f"{at_least(delta / 10.0**power)}e{power}"))
