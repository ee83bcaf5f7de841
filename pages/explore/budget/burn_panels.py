"""The first picture of the budget: the list asked again and again, until each rule refuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from dpengine.accounting import ACCOUNTANTS
from dpengine.charts import Chart
from dpengine.charts.budget import budget_charts
from dpengine.charts.budget.budget_charts import BurnLine, Onward
from dpengine.spending import Spending
from pages.phrasing import rules
from pages.widgets import outputs

_NAMES = {rules.RULES["concentrated"].label: rules.CONVERTED}
BEYOND = 1.12
"""How far beyond the last refusal the picture goes."""


def burn(spending: Spending, shown: Sequence[str]) -> list[Chart]:
    """Lines that step up with every question, one a rule; the textbook form told apart by what is known of it."""
    sound = [name for name in dict.fromkeys((spending.scenario.rule, *shown)) if ACCOUNTANTS[name].sound]
    further = spending.until_refused(sound)
    refused = {name: further.first_refused(name) for name in sound}
    drawn = slice(_worth_drawing(further, spending, refused))
    palette, names = outputs.palette(), {rules.RULES[name].label: name for name in sound}
    curves = {name: further.spent(name)[drawn] for name in shown}
    lines = rules.lines(curves, further.textbook_validity[drawn], palette)
    picture = budget_charts.burn(
        questions=further.questions[drawn],
        lines=[replace(line, label=_label(line, names.get(line.label), further, refused)) for line in lines],
        budget=spending.budget.epsilon,
        palette=palette,
        height=340,
        earlier=len(spending.earlier),
        onward=Onward(listed=len(spending.steps), refused=_marked(further, refused)),
    )
    outputs.chart(st.container(), picture, key="chart_burn")
    return [picture]


def _marked(further: Spending, refused: Mapping[str, int | None]) -> list[tuple[int, str]]:
    """The question that each rule refuses, in the color of its line."""
    palette = outputs.palette()
    return [
        (further.number_drawn(at), getattr(palette, rules.RULES[name].color))
        for name, at in refused.items()
        if at is not None
    ]


def _worth_drawing(further: Spending, spending: Spending, refused: Mapping[str, int | None]) -> int:
    """As many questions as the picture needs: the list, and a little more than the last of the rules lets through."""
    last = max((further.number_drawn(at) for at in refused.values() if at is not None), default=0)
    needed = len(further.steps) if None in refused.values() else int(np.ceil(BEYOND * last)) + 1
    return min(len(further.steps), max(needed, len(spending.steps)))


def _label(line: BurnLine, name: str | None, further: Spending, refused: Mapping[str, int | None]) -> str:
    """What a line is called: its rule, and which question it refuses; only the account's own does refuse."""
    label = _NAMES.get(line.label, line.label)
    if name is None:
        return label
    at = refused[name]
    if at is None:
        return f"{label}: refuses none of {len(further.steps):,}"
    number = f"{further.number_drawn(at):,}"
    if name == further.scenario.rule:
        return f"{label}: refuses question {number}"
    return f"{label}: would refuse {number}"
