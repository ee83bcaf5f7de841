"""The ways of adding up as people meet them: short names, what each needs to know, how its line looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dpengine.accounting import Validity
from dpengine.charts import Palette
from dpengine.charts.budget.budget_charts import BurnLine
from pages import session
from pages.widgets.computed import formula
from pages.widgets.options import apart

Array = NDArray[np.float64]
COMPUTED = (
    formula("Naive, for k answers with ε each", r"k\,\varepsilon")
    + formula(
        "Advanced, with the δ that you allow (the plainest of three forms, of which the least counts)",
        r"k\,\varepsilon\tanh(\varepsilon/2)+\varepsilon\sqrt{2k\ln(1/\delta)}",
    )
    + formula("Where each answer has a δ of its own, all together have at most", r"k\,\delta_{\text{each}}+\delta")
    + "Here ln is the natural logarithm; tanh(ε/2) is close to ε/2 where ε is small, so the first part is what answers "
    "lose on average. Source: Kairouz, Oh and Viswanath 2015.\n\n"
    "Exact: the distributions of the privacy losses of all answers are convolved, rounded toward more loss.\n\n"
    + formula("The textbook formula, for k answers with ε each", r"\varepsilon\sqrt{8k\ln(1/\delta)}")
    + "It grows with the square root of k.\n\n"
)
"""Behind the switch of every page that compares the rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A short name, one sentence on what it needs to know, and its line: one color for each kind of knowledge."""

    label: str
    needs: str
    color: str
    dash: str = "solid"
    width: float = 2.6


RULES: Mapping[str, Rule] = {
    "exact": Rule(label="exact", needs="It uses the exact noise distribution.", color="exact", width=3.4),
    "renyi": Rule(label="Rényi", needs="It uses how often large losses happen.", color="moments", dash="dash"),
    "concentrated": Rule(
        label="concentrated",
        needs="It uses one number per answer, ρ. It holds even if you choose as you go.",
        color="moments",
        width=3.0,
    ),
    "optimal": Rule(
        label="optimal",
        needs="It uses only ε, equal for all; no rule that knows only ε gives less.",
        color="exact",
        dash="dash",
        width=4.4,
    ),
    "advanced": Rule(
        label="advanced", needs="It uses the ε of each answer, nothing else.", color="advanced", width=5.0
    ),
    "advanced_2010": Rule(
        label="advanced of 2010",
        needs="It uses the ε of each answer; the first rule of its kind.",
        color="advanced",
        dash="dot",
    ),
    "textbook": Rule(
        label="textbook formula",
        needs="It uses the ε of each answer; proved only within its range.",
        color="muted",
        dash="dash",
    ),
    "basic": Rule(label="naive", needs="It just adds up. It holds even if you choose as you go.", color="spent"),
}
CONVERTED = f"{RULES['concentrated'].label} (a conversion of ρ)"
FIRST = ("exact", "advanced", "basic")
"""What a first picture shows."""
FEW = ("exact", "advanced", "textbook", "basic")
TEXTBOOK_LOOKS = {
    Validity.PROVED: ("textbook formula (proved)", "dash"),
    Validity.TRUE: ("textbook formula: true, not proved", "dot"),
    Validity.UNPROVED: ("textbook formula: not known", "dot"),
    Validity.FALSE: ("textbook formula: false here", "longdashdot"),
}


WAYS = "Ways to add up privacy loss (composition): which to draw"


def chosen(offered: Sequence[str], *, key: str, few: Sequence[str] = FEW, label: str = WAYS) -> tuple[str, ...]:
    """The rules that a person wants to see, a few at first, in the order of RULES; at least one."""
    session.widget_starts_at(key, [name for name in few if name in offered])
    wanted = st.pills(
        label,
        [name for name in RULES if name in offered],
        selection_mode="multi",
        format_func=apart(RULES, lambda name: RULES[name].label),
        key=key,
        help="\n".join(f"- **{RULES[name].label}**: {RULES[name].needs}" for name in RULES if name in offered),
        wrap=True,
        persist_state="session",
    )
    return tuple(name for name in RULES if name in wanted) or ("basic",)


def lines(curves: Mapping[str, Array], validity: Sequence[Validity], palette: Palette) -> list[BurnLine]:
    """One line a rule, broad ones below; the textbook formula in pieces, told apart by what is known of it."""
    found: list[BurnLine] = []
    for name in sorted(curves, key=lambda name: -RULES[name].width):
        rule = RULES[name]
        if name == "textbook":
            found += _textbook(curves[name], validity, palette)
        else:
            color = getattr(palette, rule.color)
            found.append(BurnLine(label=rule.label, spent=curves[name], color=color, dash=rule.dash, width=rule.width))
    return found


def _textbook(values: Array, validity: Sequence[Validity], palette: Palette) -> list[BurnLine]:
    verdicts = np.array([verdict.value for verdict in validity])
    return [
        BurnLine(
            label=label,
            spent=np.where(verdicts == verdict.value, values, np.nan),
            color=palette.attacker if verdict is Validity.FALSE else palette.muted,
            dash=dash,
        )
        for verdict, (label, dash) in TEXTBOOK_LOOKS.items()
        if (verdicts == verdict.value).any()
    ]
