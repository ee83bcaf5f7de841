"""Answers behind a coin: a hundred people as dots, and an estimate that settles as more are asked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import LESSON_HEIGHT, legend_above
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import PLAIN_NUMBERS, Chart, Palette, blank, level, note, upright
from dpengine.formatting.numbers import amount

Array = NDArray[np.float64]
ROWS = 5
LEAST_SHOWN, MOST_SHOWN = -40.0, 110.0


def hundred_people(*, told_share: float, true_share: float, palette: Palette) -> Chart:
    """One hundred people as dots: told to be truthful, truthful by the coin, and those whom the coin made lie."""
    told, truthful = round(100 * told_share), round(100 * true_share)
    lucky = truthful - told
    places = np.arange(100)
    column, row = places // ROWS, places % ROWS
    figure = blank(
        palette,
        x_title="100 people, one dot each",
        y_title="",
        left=22,
        height=LESSON_HEIGHT + 10,
        x={"showticklabels": False, "range": [-0.8, 19.8]},
        y={"visible": False, "range": [-0.7, ROWS + 0.6]},
    )
    groups = (
        ("asked for the truth", 0, told, palette.with_person, "circle"),
        ("coin says the truth", told, told + lucky, palette.with_person, "circle-open"),
        ("coin says the opposite", told + lucky, 100, palette.without_person, "circle"),
    )
    for name, start, end, color, symbol in groups:
        marker = {"size": 10, "color": color, "symbol": symbol, "line": {"color": color, "width": 2.5}}
        figure.add_scatter(
            x=column[start:end], y=row[start:end], mode="markers", name=name, marker=marker, hoverinfo="skip"
        )
    last = (truthful - 1) // ROWS + 0.4
    figure.add_shape(type="line", x0=-0.4, x1=last, y0=ROWS - 0.2, y1=ROWS - 0.2, line={"color": palette.text})
    words = f"γ: the report is true for <b>{truthful}</b>"
    note(figure, words, x=-0.4, y=ROWS - 0.1, xanchor="left", yanchor="bottom", color=palette.text)
    legend_above(figure, palette)
    alt = f"Of 100 people, {told} are asked for the truth; {truthful} report it."
    return Chart(
        figure=figure,
        alt=alt,
        numbers={"group": [name for name, *_ in groups], "people": [end - start for _, start, end, *_ in groups]},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Converging:
    """An estimated share after so many people, the band that holds it, and the share that was put in."""

    people: Array
    estimates: Array
    lower: Array
    upper: Array
    share: float
    here: int


def _shares(view: Converging) -> dict[str, object]:
    """An axis from a bit below 0 to a bit above 100; as wide as the band where that is wider on both sides."""
    place = int(np.searchsorted(view.people, view.here))
    low, high = 100.0 * float(view.lower[place]), 100.0 * float(view.upper[place])
    if low > LEAST_SHOWN or high < MOST_SHOWN:
        return {"range": [LEAST_SHOWN, MOST_SHOWN], "tickvals": [-25, 0, 25, 50, 75, 100]}
    room = 0.6 * (high - low)
    return {"range": [low - room, high + room], "nticks": 6, "automargin": True, **PLAIN_NUMBERS}


def converging(view: Converging, palette: Palette) -> Chart:
    """The running estimate in its band, the number of people on a logarithmic scale."""
    figure = blank(
        palette,
        x_title="people asked",
        y_title="estimated “yes”, %",
        height=LESSON_HEIGHT + 20,
        x={
            "type": "log",
            "range": [float(np.log10(view.people[0])), float(np.log10(view.people[-1])) + 0.06],
            "tickvals": [10, 100, 1000, 10_000, 100_000],
            "ticktext": ["10", "100", "1,000", "10,000", "100,000"],
        },
        y=_shares(view),
    )
    bound = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    figure.add_scatter(x=view.people, y=100.0 * view.upper, showlegend=False, **bound)
    band = {"fill": "tonexty", "fillcolor": palette.band, "name": "95% of such polls"}
    figure.add_scatter(x=view.people, y=100.0 * view.lower, **band, **bound)
    look = {"color": palette.text, "width": 2.0}
    hover = "%{x:,} people: %{y:.3~g}%<extra></extra>"
    line = {"mode": "lines", "name": "one invented poll", "line": look, "hovertemplate": hover}
    figure.add_scatter(x=view.people, y=100.0 * view.estimates, **line)
    level(figure, y=100.0 * view.share, line={"color": palette.left, "width": 1.6, "dash": "dash"})
    upright(figure, x=view.here, line={"color": palette.muted, "width": 1, "dash": "dot"})
    truth = f"truth {amount(100.0 * view.share)}%"
    place = {"xref": "paper", "xanchor": "right", "yanchor": "bottom"}
    note(figure, truth, x=0.995, y=100.0 * view.share, color=palette.left, **place)
    name_lines(figure, palette)
    end = len(view.people) - 1
    alt = (
        f"After {amount(float(view.people[end]), 6)} people the invented poll says "
        f"{amount(100 * view.estimates[end])}%; the truth is {amount(100 * view.share)}%."
    )
    numbers = {"people": view.people, "estimate": view.estimates, "lower": view.lower, "upper": view.upper}
    return Chart(figure=figure, alt=alt, numbers=numbers)
