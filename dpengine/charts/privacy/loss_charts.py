"""The privacy loss of one output: where it fell under both densities, and its place on the curve of losses."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine.charts.drawing.theme import Chart, Palette, note
from dpengine.charts.privacy import ratio_charts
from dpengine.charts.privacy.ratio_charts import TwoDensities
from dpengine.formatting.near_neutral import signed


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOutput:
    """Two densities with their losses, the answer that came out, and its privacy loss."""

    densities: TwoDensities
    observed: float
    loss: float


def one_output(view: OneOutput, palette: Palette) -> Chart:
    """Both densities, the curve of losses below them, and a mark through both where the answer came out."""
    chart = ratio_charts.densities_and_losses(view.densities, palette)
    figure, answers = chart.figure, view.densities.answers
    mark = {"color": palette.text, "width": 2, "dash": "dot"}
    figure.add_shape(type="line", x0=view.observed, x1=view.observed, y0=0, y1=1, yref="paper", line=mark)
    dot = {"color": palette.text, "size": 12, "line": {"color": palette.background, "width": 2}}
    figure.add_scatter(
        x=[view.observed], y=[view.loss], mode="markers", yaxis="y2", marker=dot, hoverinfo="skip", showlegend=False
    )
    left = view.observed > float(answers[len(answers) // 2])
    side = {"xanchor": "right" if left else "left", "xshift": -8 if left else 8, "yanchor": "bottom", "yref": "paper"}
    note(figure, f"<b>loss {signed(view.loss)}</b>", x=view.observed, y=0.47, color=palette.text, **side)
    alt = f"At an answer of {view.observed:g} {view.densities.unit} the privacy loss is {signed(view.loss)}."
    return Chart(figure=figure, alt=alt, numbers=chart.numbers)
