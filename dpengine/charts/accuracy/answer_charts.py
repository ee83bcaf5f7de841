"""A released answer with many cells: each number with its interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.labels import LONGEST, on_axis
from dpengine.charts.drawing.theme import HEIGHT, Chart, Palette, blank
from dpengine.formatting.measured import unit_after
from dpengine.formatting.numbers import at_most

Array = NDArray[np.float64]
SOME, MANY, TICKS = 8, 40, 20
LETTERS_BESIDE_EACH_OTHER = 60
"""What names as long as the longest may have together below upright bars; with more the bars lie beside them."""
_BELOW, _A_LETTER = 24, 5
"""Pixels below the picture where labels are slanted, and more for each letter of the longest."""
_LYING, _BAR, _WIDE_LETTER = 58, 25, 6.6
"""Pixels of a picture with lying bars, more for each of them, and what a letter of a name takes on the left."""


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
    lying = len(labels) <= TICKS and len(labels) * max(map(len, labels)) > LETTERS_BESIDE_EACH_OTHER
    figure = _lying(labels, unit, palette) if lying else _upright(labels, unit, palette)
    name, number = ("y", "x") if lying else ("x", "y")
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
        **{name: on_axis(labels), number: values, f"error_{number}": whisker},
        orientation="h" if lying else "v",
        customdata=np.stack([lower, upper], axis=1),
        marker={"color": palette.answers},
        hovertemplate=(
            f"%{{{name}}}: %{{{number}:,.4~g}} (%{{customdata[0]:,.4~g}} to %{{customdata[1]:,.4~g}})<extra></extra>"
        ),
    )
    share = f"{confidence * 100:g}% of releases"
    numbers: dict[str, Sequence[object] | Array] = {"cell": list(labels), unit or "answer": values}
    return Chart(
        figure=figure,
        alt=f"{len(labels)} cells; in {share}, {_reach(values, ends, unit)}.",
        numbers=numbers | {"from": lower, "to": upper},
    )


def _upright(labels: Sequence[str], unit: str, palette: Palette) -> go.Figure:
    """Names below the bars, slanted where there are many."""
    figure = blank(palette, x_title="", y_title=unit or "answer", x={"type": "category"}, y={"exponentformat": "SI"})
    if len(labels) > SOME:
        room = _BELOW + _A_LETTER * min(max(map(len, labels)), LONGEST)
        figure.update_layout(height=HEIGHT + room, margin_b=room)
        figure.update_xaxes(tickangle=-45, nticks=TICKS)
    return figure


def _lying(labels: Sequence[str], unit: str, palette: Palette) -> go.Figure:
    """Names on the left of the bars, the first one on top."""
    return blank(
        palette,
        x_title=unit or "answer",
        y_title="",
        height=_LYING + _BAR * len(labels),
        left=round(12 + _WIDE_LETTER * max(map(len, on_axis(labels)))),
        x={"exponentformat": "SI", "showgrid": True, "nticks": 6},
        y={"type": "category", "autorange": "reversed", "showgrid": False},
    )


def _reach(values: Array, ends: tuple[Array, Array], unit: str) -> str:
    """The half-width where all cells share one, else that each has its own interval."""
    below, above = values - ends[0], ends[1] - values
    if np.allclose(above, above[0]) and np.allclose(below, above[0]):
        read = at_most(float(above.max()))
        return f"all of them are within {read}{unit_after(unit, read)}"
    return "all exact numbers lie in the intervals"
