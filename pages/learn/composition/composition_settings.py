"""What the steps on composition share: the noises, the settings, and the picture of the rules with its legend."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from dpengine.accounting import Repetition
from dpengine.charts import Chart, Palette
from dpengine.charts.budget import composition_charts
from dpengine.charts.budget.budget_charts import BurnLine
from dpengine.charts.budget.composition_charts import Totals, Turn
from dpengine.losses.arrays import Array
from dpengine.mechanisms import (
    DiscreteLaplaceMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    RandomizedResponse,
)
from dpengine.privacy import Event
from pages.lesson import pickers
from pages.lesson.lesson import dial_of_page, whole_number
from pages.phrasing import rules
from pages.widgets import outputs

KEY = "composition"
MOST, START, FIRST_EPSILON = 1000, 300, 0.1
_STROKES = {"solid": "solid", "dot": "dotted"}


def _laplace(epsilon: float) -> LaplaceMechanism:
    return LaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1.0)


NOISES: Mapping[str, Callable[[float], Event]] = {
    "Noise on a count": lambda epsilon: DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1).event,
    "Laplace noise": lambda epsilon: _laplace(epsilon).event,
    "Gaussian noise": lambda epsilon: (
        GaussianMechanism(standard_deviation=_laplace(epsilon).standard_deviation, l2_sensitivity=1.0).event
    ),
    "A coin-flipped answer": lambda epsilon: RandomizedResponse.from_epsilon(epsilon).event,
}


def epsilon_and_repetition(noise: Callable[[float], Event], *, key: str) -> tuple[float, Repetition]:
    """Epsilon of each answer, how many answers, and delta: all three stand where they were left in another step."""
    with st.container(border=True, key=f"card_dial_{key}"):
        left, middle, right = st.columns([3, 1.1, 0.7], gap="medium", vertical_alignment="center")
        with left:
            epsilon = dial_of_page(f"{key}_epsilon", start=FIRST_EPSILON, named="ε of each")
        chosen = whole_number(middle, "Answers published", key=f"{KEY}_chosen", span=(1, MOST), start=START)
        delta = pickers.delta(
            right, does="Used once for all answers, by every rule but naive.", key=f"{KEY}_delta", start=1e-6
        )
    return epsilon, Repetition(event=noise(epsilon), delta=delta, chosen=chosen, most=MOST)


def picture(repetition: Repetition, shown: Sequence[str], *, key: str) -> Chart:
    """Draw the rules that are shown, with their names below."""
    palette = outputs.palette()
    curves = {name: repetition.curve(name) for name in shown}
    lines = rules.lines(curves, repetition.validity, palette)
    view = Totals(lines=lines, chosen=repetition.chosen, turns=_turns(repetition, curves, palette))
    chart = composition_charts.totals(view, palette)
    outputs.chart(st.container(), chart, key=key)
    st.html(_legend(view.named))
    return chart


def _turns(repetition: Repetition, curves: Mapping[str, Array], palette: Palette) -> list[Turn]:
    wins, false = repetition.crossover.advanced, repetition.first_false
    marks = (
        ("advanced", wins, f"advanced costs less from answer {wins}", palette.advanced),
        ("textbook", false, f"textbook formula fails at {false}", palette.attacker),
    )
    return [
        Turn(answers=at, epsilon=float(curves[name][at - 1]), words=words, color=color)
        for name, at, words, color in marks
        if name in curves and at is not None and at <= MOST
    ]


def _stroke(line: BurnLine) -> str:
    """The line's own look; dashes with dots between them, which no border has, are painted."""
    if line.dash != "longdashdot":
        return f"border-top: {line.width}px {_STROKES.get(line.dash, 'dashed')} {line.color}"
    parts = f"{line.color} 0 9px, transparent 9px 13px, {line.color} 13px 17px, transparent 17px 21px"
    return f"height: {line.width}px; background: repeating-linear-gradient(90deg, {parts})"


def _legend(lines: Sequence[BurnLine]) -> str:
    """A piece of each line with its name; nothing in it comes from a user."""
    entries = (f'<span><i style="{_stroke(line)}"></i>{line.label}</span>' for line in lines)
    return f'<div class="legend">{"".join(entries)}</div>'
