"""A released answer with many cells: each count with its interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpengine.charts.numbers import at_most
from dpengine.charts.theme import Chart, Palette, blank


def cells(
    *,
    labels: Sequence[str],
    values: NDArray[np.float64],
    half_width: float,
    confidence: float,
    unit: str,
    palette: Palette,
) -> Chart:
    """Noisy counts as bars, with an interval that holds for all cells at once."""
    figure = blank(palette, x_title="", y_title=unit, x={"type": "category"}, y={"exponentformat": "SI"})
    figure.add_bar(
        x=list(labels),
        y=values,
        marker={"color": palette.answers},
        error_y={"type": "constant", "value": half_width, "color": palette.text, "thickness": 1.6, "width": 6},
        hovertemplate=f"%{{x}}: %{{y:,.0f}} ± {at_most(half_width)} {unit}<extra></extra>",
    )
    share = f"{confidence * 100:g} of 100 releases"
    alt = f"{len(labels)} cells; in {share} all of them are within {at_most(half_width)} {unit}."
    return Chart(
        figure=figure,
        alt=alt,
        numbers={"cell": list(labels), unit: values, "half-width": np.full(len(labels), half_width)},
    )
