"""Two staircases to one budget: many small questions just added up, and by finer ways, beside where the room stood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.budget.budget_charts import BurnLine, add_line
from dpengine.charts.drawing.theme import Chart, Palette, blank, level, note
from dpengine.formatting.numbers import amount, at_most

Array = NDArray[np.float64]
HEIGHT, _HEADROOM, _DOT, _LINE_OF_TEXT = 320, 1.5, 14, 24
_LEFT_HALF = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Staircase:
    """Epsilon after each of some numbers of questions by one rule, and how many fit; None where the picture ends."""

    label: str
    spent: Array
    fits: int | None
    color: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Staircases:
    """Stairs over the same `questions`; the room asked `asked` of its own, which spent `epsilon`."""

    questions: NDArray[np.int64]
    stairs: Sequence[Staircase]
    budget: float
    asked: int
    epsilon: float


def staircases(view: Staircases, palette: Palette) -> Chart:
    """Each stair meets the budget in a dot with how many questions fit; the room's own lies at their beginning."""
    highest, last = view.budget * _HEADROOM, int(view.questions[-1])
    figure = blank(
        palette,
        x_title="questions asked",
        y_title="epsilon spent",
        height=HEIGHT,
        x={"range": [0, last * 1.03], "tickformat": ",d", "nticks": 6},
        y={"range": [0, highest], "nticks": 5},
    )
    for stair in view.stairs:
        inside = np.where(stair.spent <= highest, stair.spent, np.nan)
        add_line(
            figure, view.questions, inside, BurnLine(label=stair.label, spent=inside, color=stair.color, width=4.0)
        )
    level(figure, y=view.budget, line={"color": palette.text, "width": 2})
    words = f"budget ε {amount(view.budget)}"
    note(figure, words, x=1.0, xref="paper", y=view.budget, yanchor="top", xanchor="right", color=palette.text)
    for place, stair in enumerate(one for one in view.stairs if one.fits):
        fits = stair.fits or 0
        figure.add_scatter(
            x=[fits], y=[view.budget], mode="markers", marker={"size": _DOT, "color": stair.color}, hoverinfo="skip"
        )
        left = fits < _LEFT_HALF * last
        note(
            figure,
            f"<b>{stair.label}: {fits:,}</b>",
            x=fits,
            y=view.budget,
            xanchor="left" if left else "right",
            yanchor="top" if left else "bottom",
            xshift=14 if left else 0,
            yshift=-8 - place * _LINE_OF_TEXT if left else 8 + place * _LINE_OF_TEXT,
            color=stair.color,
        )
    for stair in (one for one in view.stairs if not one.fits):
        end = min(float(stair.spent[-1]), highest)
        note(figure, f"<b>{stair.label}</b>", x=last, y=end, xanchor="right", yanchor="bottom", color=stair.color)
    if view.asked:
        _add_room(figure, view, palette)
    said = "; ".join(f"{one.label} {f'{one.fits:,}' if one.fits else f'more than {last:,}'}" for one in view.stairs)
    numbers: dict[str, NDArray[np.generic]] = {"questions asked": view.questions}
    numbers |= {stair.label: stair.spent for stair in view.stairs}
    return Chart(figure=figure, alt=f"Questions that fit a budget of {amount(view.budget)}: {said}.", numbers=numbers)


def _add_room(figure: go.Figure, view: Staircases, palette: Palette) -> None:
    """Where the room stood: few questions, and as much spent."""
    marker = {"size": _DOT, "color": palette.text, "symbol": "diamond"}
    figure.add_scatter(x=[view.asked], y=[view.epsilon], mode="markers", marker=marker, hoverinfo="skip")
    note(
        figure,
        f"this room: {view.asked:,} for ε {at_most(view.epsilon)}",
        x=view.asked,
        y=view.epsilon,
        xanchor="left",
        yanchor="top",
        xshift=12,
        yshift=-6,
        color=palette.text,
    )
