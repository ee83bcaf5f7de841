"""What follows from the promise: answers worked on afterwards, groups of people, separate parts of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import LESSON_HEIGHT, legend_above
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import Chart, Palette, blank, level, note, upright
from dpengine.formatting.numbers import amount, at_most, upper_of_100

Array = NDArray[np.float64]


def before_and_after(
    *, labels: Sequence[str], released: Array, processed: Array, process: str, unit: str, palette: Palette
) -> Chart:
    """Noisy counts as they came out, and what was made of them, side by side."""
    figure = blank(
        palette,
        x_title=f"noisy count, {unit}",
        y_title="",
        height=LESSON_HEIGHT,
        left=104,
        x={"nticks": 6, "zeroline": True, "zerolinecolor": palette.muted, "showgrid": True},
        y={"showgrid": False, "categoryarray": list(reversed(labels)), "tickfont": {"size": 14, "color": palette.text}},
    )
    pairs = ((process, processed, palette.text), ("as released", released, palette.answers))
    for name, values, color in pairs:
        hover = f"%{{y}}, {name}: %{{x:,.0f}}<extra></extra>"
        look = {"color": color}
        figure.add_bar(y=list(labels), x=values, name=name, orientation="h", marker=look, hovertemplate=hover)
    figure.layout.bargap, figure.layout.bargroupgap = 0.2, 0.0
    legend_above(figure, palette)
    figure.layout.legend.traceorder = "reversed"
    changed = int(np.sum(released != processed))
    alt = f"{len(labels)} noisy counts; {process} changes {changed} of them."
    return Chart(figure=figure, alt=alt, numbers={"cell": list(labels), "as released": released, process: processed})


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLine:
    """For each group size, the share of guesses, whether the group is in the table, that are right (1 for all)."""

    label: str
    shares: Array
    color: str
    dash: str = "solid"


def groups(*, sizes: NDArray[np.int64], lines: Sequence[GroupLine], size: int, palette: Palette) -> Chart:
    """How the odds against a whole group grow with its size, with the chosen size marked."""
    figure = blank(
        palette,
        x_title="people in the group",
        y_title="guessed right, out of 100",
        height=LESSON_HEIGHT,
        x={"range": [1, float(sizes[-1])], "nticks": 8},
        y={"range": [48, 101], "tickvals": [50, 60, 70, 80, 90, 100]},
    )
    level(figure, y=50, line={"color": palette.muted, "width": 1, "dash": "dash"})
    note(figure, "blind guessing", x=0.99, xref="paper", y=50, xanchor="right", yanchor="bottom", color=palette.muted)
    upright(figure, x=size, line={"color": palette.text, "width": 2, "dash": "dot"})
    for line in lines:
        look = {"color": line.color, "width": 2.6, "dash": line.dash}
        hover = f"{line.label}, %{{x}} people: %{{y:.3~g}} out of 100<extra></extra>"
        figure.add_scatter(x=sizes, y=100 * line.shares, mode="lines", name=line.label, line=look, hovertemplate=hover)
    name_lines(figure, palette)
    chosen = int(np.flatnonzero(sizes == size)[0])
    ends = "; ".join(f"{line.label} {upper_of_100(float(line.shares[chosen]))} out of 100" for line in lines)
    alt = f"How often a group of {size} is guessed right: {ends}. 50 is blind guessing."
    numbers: dict[str, NDArray[np.generic]] = {"people in the group": sizes}
    numbers |= {line.label: line.shares for line in lines}
    return Chart(figure=figure, alt=alt, numbers=numbers)


def parts(
    *, labels: Sequence[str], epsilons: Array, touched: Sequence[int], together: float, palette: Palette
) -> Chart:
    """The epsilon spent on each part of a table, those that one person can touch in color, and the total as a line."""
    figure = blank(
        palette,
        x_title="",
        y_title="epsilon",
        height=LESSON_HEIGHT,
        x={"type": "category", "tickangle": 0},
        y={"range": [0, 1.25 * max(together, float(np.max(epsilons)))], "nticks": 5},
    )
    colors = [palette.with_person if place in touched else palette.answers for place in range(len(labels))]
    figure.add_bar(
        x=list(labels),
        y=epsilons,
        marker={"color": colors},
        text=[amount(float(epsilon)) for epsilon in epsilons],
        textposition="outside",
        constraintext="none",
        textfont={"color": palette.text},
        hovertemplate="%{x}: %{y:.3~g}<extra></extra>",
    )
    level(figure, y=together, line={"color": palette.text, "width": 2})
    words = f"<b>together {at_most(together)}</b>"
    note(figure, words, x=0.99, xref="paper", y=together, xanchor="right", yanchor="bottom", color=palette.text)
    alt = f"{len(labels)} parts of a table; all answers together cost {at_most(together)}."
    return Chart(figure=figure, alt=alt, numbers={"part": list(labels), "epsilon": epsilons})
