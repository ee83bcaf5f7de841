"""A released answer with many cells: each number with its interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpengine.charts.labels import LONGEST, on_axis
from dpengine.charts.numbers import at_most
from dpengine.charts.theme import HEIGHT, Chart, Palette, blank

Array = NDArray[np.float64]
SOME, MANY, TICKS = 8, 40, 20
_BELOW, _A_LETTER = 24, 5
"""Pixels below the picture where labels are slanted, and more for each letter of the longest."""


def cells(
    *,
    labels: Sequence[str],
    values: Array,
    ends: tuple[Array, Array],
    confidence: float,
    unit: str,
    palette: Palette,
) -> Chart:
    """Noisy numbers as bars, with intervals (lower and upper ends) that hold for all cells at once."""
    lower, upper = ends
    figure = blank(palette, x_title="", y_title=unit or "answer", x={"type": "category"}, y={"exponentformat": "SI"})
    whisker = {
        "type": "data",
        "symmetric": False,
        "array": upper - values,
        "arrayminus": values - lower,
        "color": palette.text,
        "thickness": 1.6 if len(labels) < MANY else 0.8,
        "width": 6 if len(labels) < MANY else 0,
    }
    figure.add_bar(
        x=on_axis(labels),
        y=values,
        customdata=np.stack([lower, upper], axis=1),
        marker={"color": palette.answers},
        error_y=whisker,
        hovertemplate="%{x}: %{y:,.4~g} (%{customdata[0]:,.4~g} to %{customdata[1]:,.4~g})<extra></extra>",
    )
    if len(labels) > SOME:
        room = _BELOW + _A_LETTER * min(max(map(len, labels)), LONGEST)
        figure.update_layout(height=HEIGHT + room, margin_b=room)
        figure.update_xaxes(tickangle=-45, nticks=TICKS)
    share = f"{confidence * 100:g} of 100 releases"
    numbers: dict[str, Sequence[object] | Array] = {"cell": list(labels), unit or "answer": values}
    return Chart(
        figure=figure,
        alt=f"{len(labels)} cells; in {share} all {_reach(values, ends, unit)}.",
        numbers=numbers | {"from": lower, "to": upper},
    )


def _reach(values: Array, ends: tuple[Array, Array], unit: str) -> str:
    """The half-width where all cells share one, else that each has its own interval."""
    below, above = values - ends[0], ends[1] - values
    if np.allclose(above, above[0]) and np.allclose(below, above[0]):
        return f"of them are within {at_most(float(above.max()))} {unit}".strip()
    return "exact numbers lie in the intervals"
