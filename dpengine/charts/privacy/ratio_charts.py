"""Why noise protects: the same noise around two neighboring answers, and how far apart the two densities ever are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import FONT_SIZE, PLAIN_NUMBERS, Chart, Palette, blank
from dpengine.formatting.numbers import amount, at_most

Array = NDArray[np.float64]
HEIGHT = 350


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoDensities:
    """Two densities over the same answers, the privacy loss of each answer, and the epsilon it is held against."""

    answers: Array
    with_person: Array
    without_person: Array
    losses: Array
    epsilon: float
    unit: str


def densities_and_losses(view: TwoDensities, palette: Palette) -> Chart:
    """Both densities above; below, answer by answer, the logarithm of their ratio, with the band from -ε to ε."""
    ends = [float(view.answers[0]), float(view.answers[-1])]
    span = max(1.6 * view.epsilon, float(np.max(np.abs(view.losses))) * 1.1)
    figure = blank(
        palette,
        x_title=f"published answer, {view.unit}",
        y_title="density",
        height=HEIGHT,
        x={"range": ends, "anchor": "y2", "nticks": 7, **PLAIN_NUMBERS},
        y={
            "domain": [0.56, 1.0],
            "range": [0.0, 1.12 * float(max(np.max(view.with_person), np.max(view.without_person)))],
            "nticks": 4,
            "showgrid": False,
            "automargin": True,
            **PLAIN_NUMBERS,
        },
    )
    upper = figure.layout.yaxis.to_plotly_json()
    lower = {"domain": [0.0, 0.46], "range": [-span, span], "nticks": 5, "rangemode": "normal"}
    figure.layout.yaxis2 = {**upper, **lower, "title": {**upper["title"], "text": "privacy loss"}}
    _densities(figure, view, palette)
    _ratio(figure, view, palette)
    name_lines(figure, palette)
    largest = float(np.max(np.abs(view.losses)))
    alt = f"The logarithm of the ratio of the densities reaches {at_most(largest)}; epsilon is {amount(view.epsilon)}."
    numbers = {
        f"answer, {view.unit}": view.answers,
        "density with you": view.with_person,
        "density without you": view.without_person,
        "ln of their ratio": view.losses,
    }
    return Chart(figure=figure, alt=alt, numbers=numbers)


def _densities(figure: go.Figure, view: TwoDensities, palette: Palette) -> None:
    for name, heights, color in (
        ("with you", view.with_person, palette.with_person),
        ("without you", view.without_person, palette.without_person),
    ):
        line = {"color": color, "width": 2.4, "simplify": False}
        figure.add_scatter(x=view.answers, y=heights, mode="lines", name=name, line=line, hoverinfo="skip")


def _ratio(figure: go.Figure, view: TwoDensities, palette: Palette) -> None:
    figure.add_hrect(y0=-view.epsilon, y1=view.epsilon, yref="y2", fillcolor=palette.band, line_width=0, layer="below")
    inside = np.where(np.abs(view.losses) <= view.epsilon * (1.0 + 1e-9), view.losses, np.nan)
    hover = "answer %{x:.4~g}: %{y:.3~g}<extra></extra>"
    for heights, color in ((view.losses, palette.attacker), (inside, palette.text)):
        line = {"color": color, "width": 2.6}
        figure.add_scatter(
            x=view.answers, y=heights, mode="lines", yaxis="y2", line=line, hovertemplate=hover, showlegend=False
        )
    for place, text, anchor in ((view.epsilon, "ε", "bottom"), (-view.epsilon, "−ε", "top")):
        place_of = {"x": 0.01, "xref": "paper", "xanchor": "left", "yref": "y2", "yanchor": anchor}
        figure.add_annotation(
            y=place, text=text, showarrow=False, font={"size": FONT_SIZE, "color": palette.text}, **place_of
        )
