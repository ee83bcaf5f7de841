"""The first picture of the budget: the list asked again and again, until each rule refuses; all rules, if wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from dpengine.accounting import ACCOUNTANTS
from dpengine.charts import Chart, Numbers
from dpengine.charts.budget import budget_charts
from dpengine.charts.budget.budget_charts import BurnLine, Onward
from dpengine.spending import Spending
from dpengine.spending.onward import SpentOnward, onward
from pages import session
from pages.explore.budget import budget_panels
from pages.explore.budget.live_burn import live_burn
from pages.explore.budget.live_burn.frames import Frame
from pages.phrasing import rules
from pages.widgets import outputs

EVERY_RULE, FURTHER = "budget_every_rule", "budget_further"
WHY = (
    "Naive composition adds up the worst of every answer. Hardly ever do all answers come out worst together: advanced "
    "composition counts on that, and exact knows the noise as well. These two need δ, and a list fixed in advance."
)
_NAMES = {rules.RULES["concentrated"].label: rules.CONVERTED}
_AGAIN = {"list": "then the whole list again", "last": "then its last question again"}


def first(spending: Spending) -> list[Numbers]:
    """The picture that moves with the hand: the rule that decides, then naive, advanced and exact."""
    decides = spending.scenario.rule
    wanted = tuple(dict.fromkeys((decides, *(name for name in reversed(rules.FIRST) if name != decides))))
    detail = f"**{budget_panels.title(spending)}.** {budget_panels.before(spending)}{WHY}"
    drawn = live_burn.show(spending, wanted, alike=_alike(spending), detail=detail)
    return [Numbers(alt=f"{drawn['title']}.", numbers=_columns(drawn, wanted))]


def _alike(spending: Spending) -> bool:
    """Whether what follows the list is like its last question, as was chosen below the picture."""
    return len(spending.scenario.queries) > 1 and session.widget_held(FURTHER) == "last"


def _columns(drawn: Frame, wanted: Sequence[str]) -> dict[str, Sequence[object]]:
    columns: dict[str, Sequence[object]] = {"questions asked": drawn["questions"]}
    for name, spent in zip(wanted, drawn["spent"], strict=True):
        if spent:
            columns[rules.RULES[name].label] = spent
    return columns


def choices(spending: Spending) -> bool:
    """What follows the list, and whether all other ways of adding up are drawn, too."""
    line = st.container(horizontal=True, vertical_alignment="center")
    line.markdown(
        "Composition: the **Release** page counts by the account's rule, "
        f"**{rules.RULES[spending.scenario.rule].label}**.",
        width="stretch",
    )
    if len(spending.scenario.queries) > 1:
        session.widget_starts_at(FURTHER, "list")
        line.segmented_control(
            "After the list", list(_AGAIN), format_func=_AGAIN.__getitem__, key=FURTHER, label_visibility="collapsed"
        )
    session.widget_starts_at(EVERY_RULE, value=False)
    return bool(line.toggle("Other ways, too", key=EVERY_RULE, persist_state="session"))


def every_rule(spending: Spending, shown: Sequence[str]) -> list[Chart]:
    """Lines that step up with every question, one a rule; the textbook form told apart by what is known of it."""
    sound = [name for name in dict.fromkeys((spending.scenario.rule, *shown)) if ACCOUNTANTS[name].sound]
    further = onward(spending, sound)
    refused = dict(zip(sound, further.refused, strict=True))
    rounds = int(np.ceil(further.questions[-1] / len(spending.scenario.queries)))
    asked = replace(spending, rounds=max(rounds, spending.rounds))
    palette, names = outputs.palette(), {rules.RULES[name].label: name for name in sound}
    lines = rules.lines({name: asked.spent(name) for name in shown}, asked.textbook_validity, palette)
    picture = budget_charts.burn(
        questions=asked.questions,
        lines=[replace(line, label=_label(line, names.get(line.label), further, refused)) for line in lines],
        budget=spending.budget.epsilon,
        palette=palette,
        height=340,
        earlier=len(spending.earlier),
        onward=Onward(
            listed=len(spending.scenario.queries),
            refused=[(number, getattr(palette, rules.RULES[name].color)) for name, number in refused.items() if number],
        ),
    )
    outputs.chart(st.container(), picture, key="chart_burn")
    return [picture]


def _label(line: BurnLine, name: str | None, further: SpentOnward, refused: dict[str, int | None]) -> str:
    """What a line is called: its rule, and which question it refuses; only the account's own does refuse."""
    label = _NAMES.get(line.label, line.label)
    if name is None:
        return label
    number = refused[name]
    if number is None:
        return f"{label}: refuses none of {further.followed:,}"
    return f"{label}: {'refuses' if name == further.rules[0] else 'would refuse'} question {number:,}"
