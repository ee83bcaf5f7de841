"""Lines that grow and fall, on logarithmic scales, with marks: where the reader stands, where two of them cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import LESSON_HEIGHT
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import Chart, Palette, blank, note, upright
from dpengine.formatting.numbers import amount, tiny

Array = NDArray[np.float64]
LEAST_PLAIN, MOST_PLAIN, STRIP = 1e-4, 1e5, 0.3
STEPS = ((0.6, (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)), (2.5, (1.0, 2.0, 5.0)), (np.inf, (1.0,)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A named line, its value where the reader stands, and how it looks."""

    label: str
    values: Array
    here: float
    color: str
    dash: str = "solid"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineView:
    """What the lines are drawn over, the titles of both axes, where the reader stands, and where two lines cross.

    From `shaded_from` on the picture is shaded, with words on it.
    """

    at: Array
    x_title: str
    y_title: str
    here: float
    crossing: float | None = None
    crossing_words: str = ""
    shaded_from: float | None = None
    shaded_words: str = ""

    @property
    def crosses(self) -> bool:
        """Whether two lines cross where they are drawn."""
        return self.crossing is not None and bool(self.at[0] <= self.crossing <= self.at[-1])


def lines(view: LineView, drawn: Sequence[Line], palette: Palette) -> Chart:
    """Every line over the same places, both scales logarithmic; a dot and a number on each where the reader stands."""
    figure = blank(
        palette,
        x_title=view.x_title,
        y_title=view.y_title,
        height=LESSON_HEIGHT + 20,
        left=70,
        x=_log_axis(view.at, 5),
        y=_log_axis(np.concatenate([line.values for line in drawn]), 8, below=STRIP if view.crosses else 0.0),
    )
    for line in drawn:
        look = {"color": line.color, "width": 2.6, "dash": line.dash}
        hover = f"%{{x:,.4~g}}: %{{y:,.3~g}}, {line.label}<extra></extra>"
        figure.add_scatter(x=view.at, y=line.values, mode="lines", name=line.label, line=look, hovertemplate=hover)
        marker = {"size": 12, "color": line.color}
        figure.add_scatter(
            x=[view.here], y=[line.here], mode="markers", marker=marker, hoverinfo="skip", showlegend=False
        )
    upright(figure, x=view.here, line={"color": palette.muted, "width": 1, "dash": "dot"})
    _crossing(figure, view, palette)
    _shade(figure, view, palette)
    name_lines(figure, palette)
    here = "; ".join(f"{line.label} {_written(line.here)}" for line in drawn)
    alt = f"At {amount(view.here, 6)} ({view.x_title}), {view.y_title}: {here}."
    return Chart(figure=figure, alt=alt, numbers={view.x_title: view.at} | {line.label: line.values for line in drawn})


def _crossing(figure: go.Figure, view: LineView, palette: Palette) -> None:
    """Where two lines cross, named in the strip below them."""
    if view.crossing is None or not view.crosses:
        return
    upright(figure, x=view.crossing, line={"color": palette.text, "width": 1.4, "dash": "dash"})
    left = view.crossing > float(np.sqrt(view.at[0] * view.at[-1]))
    side: dict[str, object] = {"xanchor": "right" if left else "left", "xshift": -6 if left else 6, "align": "left"}
    side |= {"yref": "paper", "yanchor": "bottom", "bgcolor": palette.background}
    note(figure, view.crossing_words, x=float(np.log10(view.crossing)), y=0.01, color=palette.text, **side)


def _shade(figure: go.Figure, view: LineView, palette: Palette) -> None:
    """A band from somewhere to the right end, named at its upper left corner."""
    if view.shaded_from is None:
        return
    end = 10.0 ** figure.layout.xaxis.range[1]
    area = {"xref": "x", "yref": "y domain", "y0": 0, "y1": 1, "line": {"width": 0}, "layer": "below"}
    figure.add_shape(type="rect", x0=view.shaded_from, x1=end, fillcolor=palette.band, **area)
    place = {"xanchor": "left", "xshift": 6, "yref": "paper", "yanchor": "top"}
    note(figure, view.shaded_words, x=float(np.log10(view.shaded_from)), y=0.99, color=palette.muted, **place)


def _written(value: float) -> str:
    return amount(value) if LEAST_PLAIN <= value <= MOST_PLAIN else tiny(float(f"{value:.3g}"))


def _log_axis(values: Array, most: int, *, below: float = 0.0) -> dict[str, object]:
    """A logarithmic axis with ticks at powers of ten, or closer where there are few; not many more than `most`.

    `below` leaves a strip free below all values, as a share of the axis.
    """
    low, high = float(np.log10(np.min(values))), float(np.log10(np.max(values)))
    room = 0.03 * max(high - low, 0.3)
    powers = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    steps = next(steps for span, steps in STEPS if high - low <= span)
    ticks = [step * 10.0**power for power in powers for step in steps]
    inside = [tick for tick in ticks if low - room <= np.log10(tick) <= high + room]
    shown = inside[:: -(-len(inside) // most) or 1]
    return {
        "type": "log",
        "range": [low - room - below * (high - low), high + room],
        "tickvals": shown,
        "ticktext": [_written(tick) for tick in shown],
        "automargin": True,
    }
