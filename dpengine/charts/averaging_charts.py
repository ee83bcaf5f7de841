"""The same question again and again: how the error of the average falls, and how the bill rises below it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.definition_charts import HEIGHT, legend_above
from dpengine.charts.numbers import amount, at_most
from dpengine.charts.theme import FONT_SIZE, Chart, Palette, blank, note

Array = NDArray[np.float64]
TICKS = (1, 3, 10, 30, 100, 300, 1000)
UPPER, LOWER, DOTS = (0.56, 1.0), (0.0, 0.44), 24


def running_average(*, errors: Array, palette: Palette) -> Chart:
    """Each answer as a dot, how far it is off, and the average of all answers so far as a line, in people."""
    places = np.arange(1, errors.size + 1)
    averages = np.cumsum(errors) / places
    reach = 1.08 * max(float(np.max(np.abs(errors))), 1.0)
    figure = blank(
        palette,
        x_title="answers so far",
        y_title="off by, people",
        height=HEIGHT,
        left=66,
        x={"range": [0.0, errors.size + 1.0], "nticks": 6},
        y={"range": [-reach, reach], "nticks": 5},
    )
    figure.add_hline(y=0.0, line={"color": palette.text, "width": 1.4, "dash": "dot"})
    dots = {"size": 7, "color": palette.answers}
    figure.add_scatter(x=places, y=errors, mode="markers", name="one answer", marker=dots)
    line = {"color": palette.attacker, "width": 2.8}
    figure.add_scatter(x=places, y=averages, mode="lines", name="average so far", line=line)
    legend_above(figure, palette)
    alt = f"After {errors.size} answers the average is off by {amount(abs(float(averages[-1])))} people."
    return Chart(figure=figure, alt=alt, numbers={"answer": places, "off by": errors, "average off by": averages})


@dataclass(frozen=True, slots=True, kw_only=True)
class Both:
    """Over numbers of questions: the error that was measured, its law, and bills by name; the reader stands at `here`.

    `refused` is the number of the first question that gets no answer, where there is a budget.
    """

    asked: Array
    measured: Array
    law: Array
    bills: Mapping[str, Array]
    here: int
    budget: float | None = None
    refused: int | None = None


def error_and_bill(both: Both, palette: Palette) -> Chart:
    """The error of the average above, what all answers cost below, over the same number of questions."""
    asked = both.asked
    figure = _two_panels(int(asked[-1]), palette)
    dots = np.unique(np.linspace(0, asked.size - 1, DOTS).astype(int))
    look = {"color": palette.attacker, "width": 2.6}
    figure.add_scatter(x=asked, y=both.law, mode="lines", name="error, by its law", line=look, yaxis="y2")
    marker = {"size": 7, "color": palette.background, "line": {"color": palette.attacker, "width": 2}}
    figure.add_scatter(
        x=asked[dots], y=both.measured[dots], mode="markers", name="error, measured", marker=marker, yaxis="y2"
    )
    looks = zip((palette.spent, palette.advanced, palette.exact), ("solid", "dash", "dot"), strict=True)
    for (name, bill), (color, dash) in zip(both.bills.items(), looks, strict=False):
        style = {"color": color, "width": 2.6, "dash": dash}
        figure.add_scatter(x=asked, y=bill, mode="lines", name=f"bill, {name}", line=style)
    _upright(figure, both.here, {"color": palette.muted, "width": 1, "dash": "dot"})
    _limits(figure, both, palette)
    legend_above(figure, palette)
    figure.update_layout(legend_font_size=FONT_SIZE - 1)
    place = int(np.searchsorted(asked, both.here))
    said = "; ".join(f"{name} {at_most(float(bill[place]))}" for name, bill in both.bills.items())
    alt = f"After {both.here:,} questions the average errs by {amount(float(both.law[place]))} people; ε: {said}."
    numbers = {"questions": asked, "error by its law": both.law, "error measured": both.measured} | {
        f"epsilon, {name}": bill for name, bill in both.bills.items()
    }
    return Chart(figure=figure, alt=alt, numbers=numbers)


def _two_panels(most: int, palette: Palette) -> go.Figure:
    ticks = [tick for tick in TICKS if tick <= most]
    room: dict[str, object] = {"type": "log", "range": [-0.02, float(np.log10(max(most, 2))) + 0.03]}
    figure = blank(
        palette,
        x_title="questions asked",
        y_title="ε of all",
        height=HEIGHT + 50,
        left=66,
        x={**room, "tickvals": ticks, "ticktext": [f"{tick:,}" for tick in ticks]},
        y={"domain": list(LOWER), "nticks": 5, "rangemode": "tozero"},
    )
    above = figure.layout.yaxis.to_plotly_json() | {"domain": list(UPPER), "anchor": "x", "nticks": 5}
    figure.update_layout(yaxis2=above | {"title": {**above["title"], "text": "error, people"}})
    return figure


def _limits(figure: go.Figure, both: Both, palette: Palette) -> None:
    """The budget, and the question at which it is gone."""
    if both.budget is not None:
        figure.add_hline(y=both.budget, line={"color": palette.text, "width": 1.4, "dash": "dot"})
    if both.refused is not None and both.refused <= both.asked[-1]:
        _upright(figure, both.refused, {"color": palette.text, "width": 1.8, "dash": "dash"})
        left = both.refused > np.sqrt(both.asked[-1])
        side = {"xanchor": "right" if left else "left", "xshift": -6 if left else 6, "yref": "paper"}
        words = f"refused from question {both.refused:,} on"
        note(figure, words, x=float(np.log10(both.refused)), y=0.98, color=palette.text, **side)


def _upright(figure: go.Figure, at: int, line: dict[str, object]) -> None:
    """A line through both pictures."""
    figure.add_shape(type="line", x0=at, x1=at, y0=0.0, y1=1.0, yref="paper", line=line)
