"""A question that does not fit: what was released so far as steps, and the refused one dashed above the budget."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dpengine.charts.budget.budget_charts import MOST_POINTS, BurnLine, add_legend, add_line
from dpengine.charts.drawing.theme import Chart, Palette, blank, level, note
from dpengine.formatting.numbers import amount, tiny

_HIGHEST, _ROOM = 3.0, 1.12
_AFTER = 0.6


def refused_step(
    *, lines: Sequence[BurnLine], budget: float, quantity: str, palette: Palette, height: int = 250
) -> Chart:
    """Steps up with every answer, one line a rule, the first line that of the account; every last step is dashed.

    The last entry of a line is the question that was refused; `quantity` is what is spent, such as "epsilon".
    """
    count = len(lines[0].spent)
    last = [float(line.spent[-1]) for line in lines if np.isfinite(line.spent[-1])]
    highest = min(max([budget * 1.3, *(value * _ROOM for value in last)]), budget * _HIGHEST)
    figure = blank(
        palette,
        x_title="questions asked (dashed: this one)",
        y_title=f"{quantity} spent",
        height=height,
        x={"range": [0, count + 0.8], "tickformat": ",d", **({"dtick": 1} if count < 12 else {"nticks": 6})},
        y={"range": [0, highest], "nticks": 5},
    )
    for line in reversed(lines):
        _add(figure, line, count)
    level(figure, y=budget, line={"color": palette.text, "width": 2})
    label = f"budget {_read(budget, quantity)}"
    note(figure, label, x=0.01, xref="paper", y=budget, yanchor="bottom", xanchor="left", color=palette.text)
    if len(lines) > 1:
        add_legend(figure, palette)
    numbers = {"questions asked": np.arange(1, count + 1)} | {line.label: line.spent for line in lines}
    return Chart(figure=figure, alt=_alt(lines, budget, quantity), numbers=numbers)


def _add(figure: go.Figure, line: BurnLine, count: int) -> None:
    """The steps before as they are, the last one dashed, in the same color."""
    before = np.concatenate([[0.0], line.spent[:-1]])
    if count > 1:
        keep = np.unique(np.linspace(0, count - 2, min(count - 1, MOST_POINTS)).astype(int))
        add_line(figure, keep + 1, line.spent[keep], line)
    figure.add_scatter(
        x=[count - (1 - _AFTER if count > 1 else 0.0), count, count, count + _AFTER],
        y=[before[-1], before[-1], line.spent[-1], line.spent[-1]],
        mode="lines",
        name=line.label,
        showlegend=count == 1,
        line={"color": line.color, "width": line.width, "dash": "dot"},
        hovertemplate=f"{line.label}: %{{y:.3~g}} with this question<extra></extra>",
    )


def _alt(lines: Sequence[BurnLine], budget: float, quantity: str) -> str:
    own, *rivals = lines
    before = amount(float(own.spent[-2])) if len(own.spent) > 1 else "0"
    sentence = (
        f"By the account's rule ({own.label}) {quantity} {before} is spent; this question would make it "
        f"{_read(float(own.spent[-1]), quantity)}, above the budget of {_read(budget, quantity)}."
    )
    others = "; ".join(f"{line.label} {_read(float(line.spent[-1]), quantity)}" for line in rivals)
    return f"{sentence} By other rules: {others}." if others else sentence


def _read(value: float, quantity: str) -> str:
    return tiny(float(f"{value:.3g}")) if quantity == "delta" else amount(value)
