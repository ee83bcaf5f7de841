"""Numbers with their intervals, one below the other, for comparing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpengine.charts.numbers import at_most, beside
from dpengine.charts.theme import Chart, Palette, blank, note


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A named number, the half-width of its interval (0 for none) and its color."""

    label: str
    value: float
    half_width: float
    color: str


def estimates(rows: Sequence[Estimate], *, axis: str, reach: tuple[float, float], palette: Palette) -> Chart:
    """Each number as a dot in its interval, the first row on top; `reach` is the span of the axis.

    An interval wider than the span is cut at its ends.
    """
    figure = blank(
        palette,
        x_title=axis,
        y_title="",
        left=16,
        height=84 + 62 * len(rows),
        x={"range": list(reach), "nticks": 6},
        y={
            "showgrid": False,
            "showticklabels": False,
            "categoryarray": [row.label for row in reversed(rows)],
            "range": [-0.5, len(rows) - 0.2],
        },
    )
    middle = (reach[0] + reach[1]) / 2
    for row in rows:
        ends = [max(row.value - row.half_width, reach[0]), min(row.value + row.half_width, reach[1])]
        line, dot = {"color": row.color, "width": 7}, {"color": row.color, "size": 13}
        figure.add_scatter(x=ends, y=[row.label, row.label], mode="lines", line=line, hoverinfo="skip")
        figure.add_scatter(x=[row.value], y=[row.label], mode="markers", marker=dot, hoverinfo="skip")
        anchor = "left" if row.value < middle else "right"
        words = f"{row.label}: <b>{shown(row)}</b>"
        note(figure, words, x=row.value, y=row.label, color=palette.text, xanchor=anchor, yanchor="bottom", yshift=9)  # type: ignore[arg-type]
    alt = "; ".join(f"{row.label}: {shown(row)}" for row in rows) + f" ({axis})."
    numbers: dict[str, Sequence[object]] = {
        "row": [row.label for row in rows],
        axis: [row.value for row in rows],
        "half-width": [row.half_width for row in rows],
    }
    return Chart(figure=figure, alt=alt, numbers=numbers)


def shown(row: Estimate) -> str:
    """The number as exact as its interval deserves, and the interval.

    >>> shown(Estimate(label="a", value=30.04, half_width=0.6, color="#000000"))
    '30.04 ± 0.6'
    """
    value = beside(row.value, row.half_width)
    return f"{value} ± {at_most(row.half_width, 2)}" if row.half_width else value
