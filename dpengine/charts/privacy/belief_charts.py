"""What an attacker may come to believe about one person, before and after the answer."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.theme import Chart, Palette, blank, note
from dpengine.formatting import between_of_100
from dpengine.formatting.numbers import out_of_100

Array = NDArray[np.float64]
EDGE = 20.0
"""So close to either end of the axis there is no room for a number beyond the bar."""


def posterior(
    *,
    priors: Array,
    lower: Array,
    upper: Array,
    prior: float,
    after: tuple[float, float],
    at_half: tuple[float, float],
    palette: Palette,
) -> Chart:
    """Belief after the answer against belief before it: the lens between the two bounds, and the chosen prior in it."""
    prior_lower, prior_upper = after
    figure = blank(
        palette,
        x_title="belief before the answer, out of 100",
        y_title="belief after, out of 100",
        x={"range": [0, 100], "tickvals": [0, 25, 50, 75, 100]},
        y={"range": [0, 100], "tickvals": [0, 25, 50, 75, 100], "showgrid": False},
    )
    before = 100 * priors
    curve = {"mode": "lines", "line": {"color": palette.attacker, "width": 2.4}, "hoverinfo": "skip"}
    figure.add_scatter(x=before, y=100 * upper, **curve)
    figure.add_scatter(x=before, y=100 * lower, fill="tonexty", fillcolor=_faint(palette.attacker), **curve)
    figure.add_scatter(
        x=[0, 100], y=[0, 100], mode="lines", line={"color": palette.muted, "width": 1, "dash": "dot"}, hoverinfo="skip"
    )
    _mark(figure, 100 * prior, after, palette.text, palette)
    if abs(prior - 0.5) > 0.12:
        _mark(figure, 50.0, at_half, palette.attacker, palette)
    if prior_upper - prior_lower < 0.8:
        note(figure, "dotted: nothing learned", x=98, y=4, xanchor="right", yanchor="bottom", color=palette.muted)
    low, high = between_of_100(after)
    before_it, after_it = f"{out_of_100(prior)} out of 100 before the answer", f"{low} and {high} out of 100 after it"
    alt = f"A belief of {before_it} becomes between {after_it}."
    numbers = {"belief before": priors, "lowest belief after": lower, "highest belief after": upper}
    return Chart(figure=figure, alt=alt, numbers=numbers)


def _mark(figure: go.Figure, before: float, after: tuple[float, float], color: str, palette: Palette) -> None:
    """The two bounds at one prior, as a bar with its numbers off the curves: above to the left, below to the right."""
    figure.add_scatter(
        x=[before, before],
        y=[100 * after[0], 100 * after[1]],
        mode="lines+markers",
        line={"color": color, "width": 5},
        marker={"color": color, "size": 8},
        hoverinfo="skip",
    )
    low, high = between_of_100(after)
    above_left, below_left = before > EDGE, before > 100.0 - EDGE
    for label, share, outside, left in ((high, after[1], "bottom", above_left), (low, after[0], "top", below_left)):
        inside = "top" if outside == "bottom" else "bottom"
        note(
            figure,
            f"<b>{label}</b>",
            x=before,
            y=100 * share,
            yanchor=inside if not 0.08 < share < 0.92 else outside,
            color=palette.text,
            xanchor="right" if left else "left",
            xshift=-8 if left else 8,
        )


def _faint(color: str) -> str:
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.12)"
