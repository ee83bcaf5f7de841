"""How far Laplace noise reaches: its tails as a curve and on whole numbers, and how often errors lie beyond a limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.accuracy import TextbookBounds
from dpengine.charts.drawing.legends import LESSON_HEIGHT
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import PLAIN_NUMBERS, Chart, Palette, blank, note, upright
from dpengine.formatting.numbers import amount, at_least, chance_of_100
from dpengine.mechanisms import LaplaceMechanism

Array = NDArray[np.float64]
HEIGHT, POINTS, MOST_BARS, SCALES_DRAWN = 350, 201, 130, 6.3
UPPER, LOWER = (0.56, 1.0), (0.0, 0.44)
NAMES = "Laplace curve", "released:<br>whole numbers"


def tails(bounds: TextbookBounds, *, t: float, unit: str, palette: Palette) -> Chart:
    """The curve above and the released whole numbers below, shaded where the error is above t scales."""
    beyond, reach = bounds.scale * t, max(SCALES_DRAWN * bounds.scale, 2.5)
    stride = -(-int(2 * reach) // MOST_BARS) or 1
    whole = np.arange(-(int(reach) // stride), int(reach) // stride + 1.0) * stride
    chances = np.asarray(bounds.released.probability(whole))
    figure = _two_rows(bounds.scale, reach, float(chances.max()), unit, palette)
    _shaded_curve(figure, bounds.continuous, (beyond, reach), palette)
    colors = np.where(np.abs(whole) > beyond * (1.0 + 1e-12), palette.advanced, palette.answers)
    hover = "error %{x:,}: %{y:.3~g}%<extra></extra>"
    look = {"marker": {"color": colors}, "width": 0.86 * stride, "yaxis": "y2", "hovertemplate": hover}
    figure.add_bar(x=whole, y=100.0 * chances, name="released", **look)
    shares = chance_of_100(float(bounds.tail_bound(t))), chance_of_100(float(bounds.released_tail(t)))
    for name, (_, top), share in zip(NAMES, (UPPER, LOWER), shares, strict=True):
        place = {"xref": "paper", "yref": "paper", "yanchor": "top"}
        note(figure, name, x=0.01, y=top, color=palette.muted, xanchor="left", align="left", **place)
        words = f"{share}%<br>beyond ±{at_least(beyond, 4)}"
        note(figure, words, x=0.99, y=top, color=palette.advanced, xanchor="right", align="right", **place)
    limit = f"±{at_least(beyond, 4)} {unit}"
    alt = f"Beyond {limit} lie {shares[0]}% of the Laplace curve and {shares[1]}% of the whole numbers released."
    density = bounds.continuous.density(whole)
    return Chart(figure=figure, alt=alt, numbers={f"error, {unit}": whole, "chance": chances, "density": density})


def _two_rows(scale: float, reach: float, likeliest: float, unit: str, palette: Palette) -> go.Figure:
    look = {"nticks": 4, "showgrid": False, "automargin": True, **PLAIN_NUMBERS}
    figure = blank(
        palette,
        x_title=f"error, {unit}",
        y_title="chance per 1, %",
        height=HEIGHT,
        x={"range": [-reach, reach], "anchor": "y2", "nticks": 7, **PLAIN_NUMBERS},
        y={"domain": list(UPPER), "range": [0.0, 56.0 / scale], **look},
    )
    lower = {"domain": list(LOWER), "range": [0.0, 112.0 * likeliest]}
    figure.layout.yaxis2 = figure.layout.yaxis.to_plotly_json() | lower
    return figure


def _shaded_curve(figure: go.Figure, curve: LaplaceMechanism, stretch: tuple[float, float], palette: Palette) -> None:
    """The whole curve as a line, and a filled stretch on either side."""
    beyond, reach = stretch
    near = min(reach, SCALES_DRAWN * curve.scale)
    errors = np.unique([-reach, *np.linspace(-near, near, POINTS), reach])
    line = {"color": palette.advanced, "width": 2.2, "simplify": False}
    figure.add_scatter(x=errors, y=100.0 * curve.density(errors), mode="lines", line=line, hoverinfo="skip")
    far = np.linspace(min(beyond, reach), reach, 60)
    for side in (-far[::-1], far):
        filled = {"fill": "tozeroy", "fillcolor": palette.advanced, "line": {"width": 0}, "hoverinfo": "skip"}
        figure.add_scatter(x=side, y=100.0 * curve.density(side), mode="lines", **filled)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChanceLine:
    """A named line of chances, shares of 1, its value where the reader stands, and how it looks.

    `steps`: whether each chance holds up to the next error, as it does for noise in whole steps.
    """

    label: str
    chances: Array
    here: float
    color: str
    dash: str = "solid"
    steps: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BeyondView:
    """The errors over which chances are drawn, the one where the reader stands, and an average that is marked."""

    errors: Array
    here: float
    x_title: str
    y_title: str
    average: float | None = None


def chances_beyond(view: BeyondView, drawn: Sequence[ChanceLine], palette: Palette) -> Chart:
    """How often the error lies beyond each, in per cent, line by line, with a dot on each where the reader stands."""
    figure = blank(
        palette,
        x_title=view.x_title,
        y_title=view.y_title,
        height=LESSON_HEIGHT + 20,
        left=62,
        x={"range": [0.0, float(view.errors[-1])], "nticks": 6, **PLAIN_NUMBERS},
        y={"range": [0.0, 108.0], "tickvals": [0, 25, 50, 75, 100]},
    )
    for line in drawn:
        look = {
            "color": line.color,
            "width": 2.6,
            "dash": line.dash,
            "simplify": False,
            "shape": "hv" if line.steps else "linear",
        }
        hover = f"%{{x:,.3~g}}: %{{y:.3~g}}%, {line.label}<extra></extra>"
        percent = 100.0 * line.chances
        figure.add_scatter(x=view.errors, y=percent, mode="lines", name=line.label, line=look, hovertemplate=hover)
        dot = {"mode": "markers", "marker": {"size": 11, "color": line.color}, "showlegend": False}
        figure.add_scatter(x=[view.here], y=[100.0 * line.here], hoverinfo="skip", **dot)
    upright(figure, x=view.here, line={"color": palette.muted, "width": 1, "dash": "dot"})
    if view.average is not None:
        upright(figure, x=view.average, line={"color": palette.text, "width": 1.4, "dash": "dash"})
        side = {"xanchor": "left", "xshift": 5, "yref": "paper", "yanchor": "top", "bgcolor": palette.background}
        note(figure, f"the curve's average {amount(view.average)}", x=view.average, y=1.0, color=palette.text, **side)
    name_lines(figure, palette)
    here = "; ".join(f"{line.label} {chance_of_100(line.here)}%" for line in drawn)
    alt = f"{view.y_title}, beyond {at_least(view.here, 4)} ({view.x_title}): {here}."
    numbers = {view.x_title: view.errors} | {f"chance, {line.label}": line.chances for line in drawn}
    return Chart(figure=figure, alt=alt, numbers=numbers)
