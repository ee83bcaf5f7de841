"""Numbers with their intervals, one below the other, for comparing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from dpengine.charts.drawing.theme import Chart, Palette, blank, note
from dpengine.formatting.numbers import amount, at_most, beside

NOISE = "± privacy noise, 95% interval"


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateBar:
    """A named number, how far noise moves it in 95% of answers (0 for none), and its color.

    `sampling` is its sampling error, likewise; 0 where everybody was.
    """

    label: str
    value: float
    half_width: float
    color: str
    sampling: float = 0.0


def estimates(rows: Sequence[EstimateBar], *, axis: str, reach: tuple[float, float], palette: Palette) -> Chart:
    """Each number as a dot in its interval, the first row on top; `reach` is the span of the axis.

    An interval wider than the span is cut at its ends; the one of sampling is broad and lies behind that of the noise.
    """
    sampled = any(row.sampling for row in rows)
    figure = blank(
        palette,
        x_title=f"{axis}<br>{NOISE}",
        y_title="",
        left=16,
        height=(120 if sampled else 102) + (74 if sampled else 62) * len(rows),
        x={"range": list(reach), "nticks": 6},
        y={
            "showgrid": False,
            "showticklabels": False,
            "categoryarray": [row.label for row in reversed(rows)],
            "range": [-0.5, len(rows) - 0.2],
        },
    )
    figure.layout.margin.b = 64
    middle = (reach[0] + reach[1]) / 2
    for row in rows:
        for half_width, color, width in ((row.sampling, palette.sampling, 18), (row.half_width, row.color, 7)):
            ends = [max(row.value - half_width, reach[0]), min(row.value + half_width, reach[1])]
            look, faint = {"color": color, "width": width}, 1.0 if width < 18 else 0.5
            if half_width:
                figure.add_scatter(
                    x=ends, y=[row.label, row.label], mode="lines", line=look, opacity=faint, hoverinfo="skip"
                )
        dot = {"color": row.color, "size": 13, "line": {"color": palette.background, "width": 1.5}}
        figure.add_scatter(x=[row.value], y=[row.label], mode="markers", marker=dot, hoverinfo="skip")
        _say(figure, row, "left" if row.value < middle else "right", palette)
    alt = "; ".join(f"{row.label}: {shown(row)}{_sampled(row)}" for row in rows) + f" ({axis}; {NOISE})."
    numbers: dict[str, Sequence[object]] = {
        "row": [row.label for row in rows],
        axis: [row.value for row in rows],
        NOISE: [row.half_width for row in rows],
    }
    if sampled:
        numbers["± sampling error, 95% interval"] = [row.sampling for row in rows]
    return Chart(figure=figure, alt=alt, numbers=numbers)


def _say(figure: go.Figure, row: EstimateBar, anchor: str, palette: Palette) -> None:
    """The number and its noise above the dot, the error of sampling below it."""
    above, below = f"{row.label}: <b>{shown(row)}</b>", _sampled(row).removeprefix(", ")
    for words, side, shift in ((above, "bottom", 9), (below, "top", -9)):
        place = {"y": row.label, "xanchor": anchor, "yanchor": side, "yshift": shift}
        if words:
            note(figure, words, x=row.value, color=palette.text, **place)  # type: ignore[arg-type]


def _sampled(row: EstimateBar) -> str:
    return f", ±{amount(row.sampling, 2)} sampling error" if row.sampling else ""


def shown(row: EstimateBar) -> str:
    """The number as exact as its interval deserves, and the interval.

    >>> shown(EstimateBar(label="a", value=30.04, half_width=0.6, color="#000000"))
    '30.04 ±0.6'
    """
    value = beside(row.value, row.half_width)
    interval = f" ±{at_most(row.half_width, 2)}" if row.half_width else ""
    return value + interval + (" noise" if interval and row.sampling else "")
