"""What a choice among candidates may bring: how far its rank falls short, and how likely each candidate is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.accuracy import ErrorLaw
from dpengine.charts.drawing.labels import on_axis
from dpengine.charts.drawing.theme import FONT_SIZE, Chart, Palette, blank, note
from dpengine.formatting.measured import unit_after
from dpengine.formatting.numbers import amount, at_most, out_of_100

Array = NDArray[np.float64]
POINTS = 151
BARS = 7
BINS = 60
LONG = 0.75
"""A bar that takes more of the axis holds its own number: beside it the picture ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChanceView:
    """Candidates as numbers in increasing order, the chance of each to be reported, and the best of them."""

    values: Array
    chances: Array
    best: float
    unit: str
    confidence: float


def shortfall(law: ErrorLaw, *, confidence: float, axis: str, unit: str, palette: Palette) -> Chart:
    """At most how many of 100 answers fall short of the best candidate by more than each number of rows."""
    within = law.quantile(confidence)
    lost = np.linspace(0.0, max(float(law.quantile(0.999)), within) * 1.05, POINTS)
    worse = 100.0 * np.asarray(law.tail(lost))
    figure = blank(
        palette,
        x_title=f"{axis}, {unit}",
        y_title="% of answers, at most",
        x={"range": [0, float(lost[-1])], "nticks": 6},
        y={"range": [0, 108], "tickvals": [0, 25, 50, 75, 100]},
    )
    figure.add_shape(
        type="rect", x0=0, x1=within, y0=0, y1=1, yref="paper", fillcolor=palette.band, line_width=0, layer="below"
    )
    figure.add_scatter(
        x=lost.astype(np.float32),
        y=worse.astype(np.float32),
        mode="lines",
        line={"color": palette.with_person, "width": 2.4},
        hovertemplate=f"worse than %{{x:,.3~g}} {unit}: at most %{{y:.2~f}}%<extra></extra>",
    )
    share = f"{confidence * 100:g}"
    words = f"{share}%<br>within {at_most(within)}"
    note(figure, words, x=0, y=40, xanchor="left", xshift=8, align="left", color=palette.text)
    short = f"{at_most(within)}{unit_after(unit, at_most(within))}"
    alt = f"In {share}% of answers the choice falls short by at most {short}."
    return Chart(figure=figure, alt=alt, numbers={f"{axis}, {unit}": lost, "% worse, at most": worse})


def named(*, names: Sequence[str], chances: Array, best: str, palette: Palette) -> Chart:
    """A bar for each of the likeliest candidates, one for all others together; the best one has its own color."""
    order = np.argsort(-chances, kind="stable")
    shown = [int(place) for place in (order if len(order) <= BARS + 1 else order[:BARS])]
    labels, shares = [names[place] for place in shown], [float(chances[place]) for place in shown]
    colors = [palette.with_person if names[place] == best else palette.answers for place in shown]
    if len(shown) < len(names):
        labels.append(f"the other {len(names) - len(shown)}")
        shares.append(max(1.0 - sum(shares), 0.0))
        colors.append(palette.answers)
    figure = blank(
        palette,
        x_title="reported, % of times",
        y_title="",
        left=118,
        x={"range": [0, 118], "tickvals": [0, 25, 50, 75, 100]},
        y={"type": "category", "autorange": "reversed", "showgrid": False, "tickfont": {"size": FONT_SIZE}},
    )
    figure.add_bar(
        x=[100.0 * share for share in shares],
        y=on_axis(labels),
        orientation="h",
        text=[f"{out_of_100(share)}%" for share in shares],
        textposition=["inside" if share > LONG else "outside" for share in shares],
        insidetextanchor="end",
        cliponaxis=False,
        marker={"color": colors},
        hoverinfo="skip",
    )
    certain = float(chances[list(names).index(best)])
    alt = f"The most frequent value is reported {out_of_100(certain)}% of the time."
    return Chart(figure=figure, alt=alt, numbers={"candidate": list(names), "chance": chances})


def spread(view: ChanceView, palette: Palette) -> Chart:
    """How likely each value is to be reported, gathered in bars; the band holds the middle of them."""
    lower, upper = central(view.values, view.chances, view.confidence)
    edges = _edges(view)
    heights, _ = np.histogram(view.values, bins=edges, weights=100.0 * view.chances)
    width = float(edges[1] - edges[0])
    figure = blank(
        palette,
        x_title=f"answer, {view.unit}" if view.unit else "answer",
        y_title="% of answers, per bar",
        x={"range": [float(edges[0]), float(edges[-1])], "nticks": 6},
        y={"range": [0, float(heights.max()) * 1.2], "nticks": 4, "showgrid": False},
    )
    _band(figure, lower, upper, view.best, palette)
    figure.add_bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=heights,
        width=width,
        marker={"color": palette.answers, "line": {"width": 0}},
        hovertemplate="%{x:,.4~g}: %{y:.2~f}%<extra></extra>",
    )
    share = f"{view.confidence * 100:g}"
    alt = f"{share}% of answers lie between {amount(lower, 4)} and {amount(upper, 4)} {view.unit}.".replace(" .", ".")
    return Chart(figure=figure, alt=alt, numbers={"answer": (edges[:-1] + edges[1:]) / 2, "% of answers": heights})


def central(values: Array, chances: Array, confidence: float) -> tuple[float, float]:
    """Values between which at least this share of the answers lies, equally many left out at either end at most."""
    below = np.cumsum(chances)
    outside = (1.0 - confidence) / 2.0
    first = int(np.searchsorted(below, outside, side="right"))
    last = int(np.searchsorted(below, 1.0 - outside, side="left"))
    return float(values[min(first, len(values) - 1)]), float(values[min(last, len(values) - 1)])


def _edges(view: ChanceView) -> Array:
    """Bars over what is likely; one for each candidate where there are few."""
    low, high = central(view.values, view.chances, 0.998)
    low, high = min(low, view.best), max(high, view.best)
    step = float(np.min(np.diff(view.values))) if len(view.values) > 1 else 1.0
    if high - low <= BINS * step:
        return low + step * np.arange(-2.5, round((high - low) / step) + 3.0)
    width = step * math.ceil((high - low) / BINS / step)
    return low - step / 2 + width * np.arange(math.ceil((high - low) / width) + 2.0)


def _band(figure: go.Figure, lower: float, upper: float, best: float, palette: Palette) -> None:
    figure.add_shape(
        type="rect", x0=lower, x1=upper, y0=0, y1=1, yref="paper", fillcolor=palette.band, line_width=0, layer="below"
    )
    line = {"color": palette.text, "dash": "dot", "width": 1}
    figure.add_shape(type="line", x0=best, x1=best, y0=0, y1=0.92, yref="paper", line=line)
    note(figure, "exact", x=best, y=1.0, yref="paper", yanchor="top", color=palette.text)
