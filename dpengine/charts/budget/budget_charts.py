"""How the budget burns, question by question, under several ways of adding up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.theme import FONT_SIZE, HEIGHT, Chart, Palette, blank, level, note, upright
from dpengine.formatting.numbers import amount

Array = NDArray[np.float64]
MOST_POINTS = 400
HEADROOM = 1.6
MOST_DIRECT_LABELS = 2
NAME = 0.3
"""What of the picture's width a name takes."""
ONE_END = 0.06
"""Lines that end closer together than this share of the axis have their names side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BurnLine:
    """Epsilon spent after each question, and how its line looks; an entry that is not finite is not drawn."""

    label: str
    spent: Array
    color: str
    dash: str = "solid"
    width: float = 2.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Onward:
    """What follows where a list is asked on: how many questions it has, and which one each line's rule refuses.

    `refused` holds pairs of a question's number on the picture and the color of the line.
    """

    listed: int
    refused: Sequence[tuple[int, str]]


def burn(
    *,
    questions: NDArray[np.int64],
    lines: Sequence[BurnLine],
    budget: float,
    palette: Palette,
    height: int = HEIGHT,
    earlier: int = 0,
    onward: Onward | None = None,
) -> Chart:
    """Stepped lines of epsilon after each question; the budget as a horizontal line.

    Lines step up at each question; of more than 400 only some steps are drawn, each up to the next one's value. The
    first `earlier` questions lie in a band: they are spent already. Where the list is asked `onward`, its end is
    dotted, and each question that a rule refuses has its number where its line meets the budget.
    """
    count = int(questions[-1])
    smallest = min((float(line.spent[0]) for line in lines if np.isfinite(line.spent[0])), default=1.0)
    highest = max(budget * HEADROOM, 2.0 * smallest)
    figure = blank(
        palette,
        x_title="questions asked" + _below_the_axis(count, earlier=earlier, onward=onward),
        y_title="epsilon spent",
        height=height,
        x={"range": [0, count * 1.02 + 0.6], "tickformat": ",d", **({"dtick": 1} if count < 12 else {"nticks": 6})},
        y={"range": [0, highest], "nticks": 5},
    )
    keep = np.unique(np.linspace(0, len(questions) - 1, min(len(questions), MOST_POINTS)).astype(int))
    for line in lines:
        add_line(figure, questions[keep], line.spent[keep], line)
    if earlier:
        band = {"fillcolor": palette.answers, "opacity": 0.25, "line_width": 0, "layer": "below"}
        figure.add_vrect(x0=0, x1=earlier + 0.5, **band)
    level(figure, y=budget, line={"color": palette.text, "width": 2})
    note(
        figure,
        f"budget {amount(budget)}",
        x=0.01,
        xref="paper",
        y=budget,
        yanchor="bottom",
        xanchor="left",
        color=palette.text,
    )
    if onward is not None:
        _add_onward(figure, onward, budget=budget, palette=palette)
    if len(lines) > MOST_DIRECT_LABELS:
        add_legend(figure, palette)
    else:
        _add_labels(figure, questions, lines, highest=highest, budget=budget)
    spent = "; ".join(f"{line.label} {amount(float(line.spent[-1]))}" for line in lines if np.isfinite(line.spent[-1]))
    alt = f"Epsilon spent after {count} question{'s' if count > 1 else ''}: {spent}. "
    alt += f"The budget is {amount(budget)}."
    alt += f" The first {earlier} were charged before." if earlier else ""
    numbers: dict[str, NDArray[np.generic]] = {"questions asked": questions[keep]}
    numbers |= {line.label: line.spent[keep] for line in lines}
    return Chart(figure=figure, alt=alt, numbers=numbers)


def _below_the_axis(count: int, *, earlier: int, onward: Onward | None) -> str:
    """What the gray and the dots stand for, where there are any."""
    said = [f"gray: {earlier:,} already charged"] if earlier else []
    said += ["dotted: your list ends"] if onward is not None and onward.listed < count else []
    return f" ({'; '.join(said)})" if said else ""


def _add_onward(figure: go.Figure, onward: Onward, *, budget: float, palette: Palette) -> None:
    """A dot on the budget's line for each rule, with the number above it; where the list ends, a dotted line."""
    for number, color in onward.refused:
        dot = {"size": 10, "color": color}
        figure.add_scatter(x=[number], y=[budget], mode="markers", marker=dot, hoverinfo="skip", showlegend=False)
        note(figure, f"<b>{number:,}</b>", x=number, y=budget, color=color, yanchor="bottom", yshift=6)
    upright(figure, x=onward.listed + 0.5, line={"color": palette.muted, "width": 1.5, "dash": "dot"})


def add_line(figure: go.Figure, questions: NDArray[np.int64], spent: Array, line: BurnLine) -> None:
    """Where steps are left out, the line already stands at the next one: never below the truth."""
    shape = "hv" if len(questions) == questions[-1] else "vh"
    figure.add_scatter(
        x=np.concatenate([[0], questions, [questions[-1] + 0.6]]),
        y=np.concatenate([[0.0], np.where(np.isfinite(spent), spent, np.nan), spent[-1:]]),
        mode="lines",
        name=line.label,
        line={"color": line.color, "width": line.width, "dash": line.dash, "shape": shape},
        hovertemplate=f"{line.label}: %{{y:.3~g}} after %{{x}}<extra></extra>",
    )


def add_legend(figure: go.Figure, palette: Palette) -> None:
    """Names above the picture, where there are too many lines to write beside them."""
    font = {"size": FONT_SIZE, "color": palette.text}
    place = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "itemclick": False, "itemdoubleclick": False}
    layout = figure.layout
    layout.showlegend, layout.legend = True, {**place, "font": font, "bgcolor": "rgba(0,0,0,0)"}
    layout.margin.autoexpand = True


def _add_labels(
    figure: go.Figure, questions: NDArray[np.int64], lines: Sequence[BurnLine], *, highest: float, budget: float
) -> None:
    """Each label sits at the end of its line or where it leaves the picture: the highest above, the others below.

    `highest` is the upper end of the axis; no label lies on the budget line.
    """
    ends = [(line, *_end(questions, line.spent, highest)) for line in lines if line.label]
    ends = [end for end in ends if np.isfinite(end[2])]
    if len(ends) > 1 and np.ptp([y for _, _, y in ends]) < ONE_END * highest:
        _add_one_label(figure, [line for line, _, _ in ends], x=ends[0][1], y=max(y for _, _, y in ends))
        return
    taken: list[tuple[float, float]] = []
    for place, (line, x, y) in enumerate(sorted(ends, key=lambda end: -end[2])):
        span, height = float(questions[-1]), 0.09 * highest
        at = y if place == 0 else _below(questions, line.spent, x) - 0.02 * highest
        while place and abs(at - budget - height / 2) < height:
            at -= 0.5 * height
        while any(abs(x - other_x) < 0.4 * span and abs(at - other_y) < height for other_x, other_y in taken):
            at -= 0.5 * height
        taken.append((x, at))
        left = x > 0.4 * span
        note(
            figure,
            line.label,
            x=x,
            y=max(at, 0.06 * highest),
            color=line.color,
            xanchor="right" if left else "left",
            yanchor="bottom" if place == 0 else "top",
            xshift=-4 if left else 6,
        )


def _below(questions: NDArray[np.int64], spent: Array, x: float) -> float:
    """Where a name that ends at x begins, its line is lowest: below that it touches nothing."""
    return float(spent[np.searchsorted(questions, x - NAME * questions[-1])])


def _add_one_label(figure: go.Figure, lines: Sequence[BurnLine], *, x: float, y: float) -> None:
    """Names side by side above the one place where lines end together, each in its color."""
    names = ", ".join(f'<span style="color: {line.color}">{line.label}</span>' for line in lines)
    note(figure, names, x=x, y=y, color=lines[0].color, xanchor="right", yanchor="bottom", xshift=-4)


def _end(questions: NDArray[np.int64], spent: Array, highest: float) -> tuple[float, float]:
    """The last point of a line inside the picture; not a number where it has none."""
    inside = np.flatnonzero(np.isfinite(spent) & (spent <= highest * 0.93))
    return (float(questions[inside[-1]]), float(spent[inside[-1]])) if len(inside) else (np.nan, np.nan)
