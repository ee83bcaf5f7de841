"""Released answers: one number or many, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.labels import LONGEST, on_axis
from dpengine.charts.drawing.theme import HEIGHT, Chart, Palette, blank, note
from dpengine.formatting.measured import unit_after
from dpengine.formatting.numbers import amount, at_most, beside

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One released number under a name, in its interval."""

    label: str
    value: float
    lower: float
    upper: float


def numbers(rows: Sequence[Answered], *, confidence: float, unit: str, palette: Palette) -> Chart:
    """Each answer as a dot in its interval, named where it is drawn, the first on top."""
    least, most = min(row.lower for row in rows), max(row.upper for row in rows)
    around = 0.12 * ((most - least) or 1.0)
    figure = blank(
        palette,
        x_title=unit or "answer",
        y_title="",
        left=16,
        height=96 + 52 * len(rows),
        x={"range": [least - around, most + around], "nticks": 6, "tickformat": ",~g"},
        y={
            "showgrid": False,
            "showticklabels": False,
            "categoryarray": [row.label for row in reversed(rows)],
            "range": [-0.5, len(rows) - 0.2],
        },
    )
    for row in rows:
        line = {"color": palette.answers, "width": 7}
        figure.add_scatter(
            x=[row.lower, row.upper], y=[row.label, row.label], mode="lines", line=line, hoverinfo="skip"
        )
        dot = {"color": palette.text, "size": 13, "line": {"color": palette.background, "width": 1.5}}
        figure.add_scatter(x=[row.value], y=[row.label], mode="markers", marker=dot, hoverinfo="skip")
        half = max(row.upper - row.value, row.value - row.lower)
        words = f"{row.label}: <b>{beside(row.value, half)}</b>"
        side = "left" if row.value < (least + most) / 2 else "right"
        place = {"y": row.label, "xanchor": side, "yanchor": "bottom", "yshift": 9}
        note(figure, words, x=row.value, color=palette.text, **place)  # type: ignore[arg-type]
    said = "; ".join(f"{row.label}: {amount(row.value, 6)}, from {_ends(row)}" for row in rows)
    columns: dict[str, Sequence[object]] = {
        "answer": [row.label for row in rows],
        unit or "number": [row.value for row in rows],
    }
    columns |= {"from": [row.lower for row in rows], "to": [row.upper for row in rows]}
    return Chart(figure=figure, alt=f"{said} ({confidence * 100:g}% intervals).", numbers=columns)


def _ends(row: Answered) -> str:
    return f"{amount(row.lower, 6)} to {amount(row.upper, 6)}"


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
