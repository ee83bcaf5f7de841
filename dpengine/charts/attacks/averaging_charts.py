"""The same question again and again: how the error of the average falls, and how the bill rises below it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import LESSON_HEIGHT
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import Chart, Palette, blank, level, note, upright
from dpengine.formatting.numbers import amount, at_most

Array = NDArray[np.float64]
TICKS = (1, 3, 10, 30, 100, 300, 1000)
UPPER, LOWER = (0.56, 1.0), (0.0, 0.44)
BAND = "one standard deviation (at least 2 in 3)"
MOST_POINTS, NEAREST, SPREADS, ROOM_FOR_WORDS = 120, 2.5, 4.0, 1.25
"""Points of a line, and how far the picture of the averages reaches: so many people, or so many standard deviations."""


def answers_given(*, answers: Array, center: float, palette: Palette) -> Chart:
    """Each answer to the one question as a dot, beside the `center` that all are drawn around, in people."""
    places = np.arange(1, answers.size + 1)
    reach = 1.12 * max(float(np.max(np.abs(answers - center))), 1.0)
    figure = blank(
        palette,
        x_title="times the question was asked",
        y_title="answer, people",
        height=LESSON_HEIGHT,
        left=66,
        x={"range": [0.0, 1.0 + ROOM_FOR_WORDS * answers.size], "nticks": 6},
        y={"range": [center - reach, center + reach], "nticks": 5},
    )
    level(figure, y=center, line={"color": palette.text, "width": 1.4, "dash": "dot"})
    words = f"true count:<br>{amount(center, 6)}" if center else "true count,<br>drawn at 0"
    note(figure, words, x=0.99, y=center, color=palette.text, xref="paper", xanchor="right", yanchor="bottom")
    dots = {"size": 9, "color": palette.sampling}
    hover = "answer %{x}: %{y:,d}<extra></extra>"
    figure.add_scatter(x=places, y=answers, mode="markers", name="one answer", marker=dots, hovertemplate=hover)
    low, high = (amount(float(end), 6) for end in (answers.min(), answers.max()))
    alt = f"{answers.size} answers to the same question, from {low} to {high} people, around {amount(center, 6)}."
    return Chart(figure=figure, alt=alt, numbers={"asked": places, "answer": answers})


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """How far the averages of the first 1, 2, ... answers are off, (attackers, answers), and their standard deviation.

    All in people; the true count stands at 0, the count without one person at -1.
    """

    averages: Array
    law: Array


def closing_in(closing: Closing, palette: Palette) -> Chart:
    """The average of all answers so far, a line for each attacker, within the band of one standard deviation."""
    most = closing.law.size
    asked = np.unique(np.geomspace(1, most, MOST_POINTS).astype(int))
    averages, law = closing.averages[:, asked - 1], closing.law[asked - 1]
    reach = max(NEAREST, SPREADS * float(law[-1]))
    figure = blank(
        palette,
        x_title="answers averaged",
        y_title="average off by, people",
        height=LESSON_HEIGHT + 20,
        left=66,
        x=_asked_axis(most),
        y={"range": [-reach, reach], "nticks": 7},
    )
    edge = {"mode": "lines", "line": {"color": palette.answers, "width": 1}, "hoverinfo": "skip"}
    figure.add_scatter(x=asked, y=law, showlegend=False, **edge)
    figure.add_scatter(x=asked, y=-law, fill="tonexty", fillcolor=palette.band, name=BAND, **edge)
    look = {"line": {"color": palette.attacker, "width": 1}, "marker": {"color": palette.attacker}, "opacity": 0.55}
    look |= {"mode": "lines" if most > 1 else "markers"}
    look |= {"hovertemplate": "%{x:,d} answers: off by %{y:.3~g}<extra></extra>"}
    for place, line in enumerate(averages):
        figure.add_scatter(x=asked, y=line, name="an attacker’s average", showlegend=place == 0, **look)
    for y, color, name in ((0.0, palette.with_person, "with the person"), (-1.0, palette.without_person, "without")):
        dashes = {"color": color, "width": 2.4, "dash": "dash"}
        figure.add_scatter(x=[1, max(most, 2)], y=[y, y], mode="lines", name=name, line=dashes, hoverinfo="skip")
    name_lines(figure, palette)
    ends = np.abs(averages[:, -1])
    low, high = amount(float(ends.min())), amount(float(ends.max()))
    alt = f"After {most:,} answers {len(ends)} attackers’ averages are off by {low} to {high} people."
    numbers = {"answers": asked, "standard deviation": law}
    numbers |= {f"attacker {place} off by": line for place, line in enumerate(averages, start=1)}
    return Chart(figure=figure, alt=alt, numbers=numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class AveragingWins:
    """Chances of telling one person after each of the numbers `asked`: measured with an interval, the best, the bound.

    All of one shape, as shares; the reader stands at `here`, one of those numbers.
    """

    asked: Array
    measured: Array
    lower: Array
    upper: Array
    optimum: Array
    bound: Array
    here: int


def guesses_right(wins: AveragingWins, palette: Palette) -> Chart:
    """How often the attacker is right over the number of answers, above the chance line and below the bound."""
    figure = blank(
        palette,
        x_title="answers averaged",
        y_title="right, out of 100",
        height=LESSON_HEIGHT + 20,
        left=66,
        x=_asked_axis(int(wins.asked[-1])),
        y={"range": [42, 104], "nticks": 7},
    )
    level(figure, y=50.0, line={"color": palette.muted, "width": 1.4, "dash": "dot"})
    note(figure, "pure chance: 50", x=0.99, y=50, color=palette.muted, xref="paper", xanchor="right", yanchor="top")
    upright(figure, x=wins.here, line={"color": palette.muted, "width": 1, "dash": "dot"})
    for name, share, color, dash in (
        ("upper limit for any attacker", wins.bound, palette.text, "dash"),
        ("best possible attacker", wins.optimum, palette.exact, "solid"),
    ):
        look = {"color": color, "width": 2.4, "dash": dash}
        figure.add_scatter(x=wins.asked, y=100.0 * share, mode="lines", name=name, line=look)
    bar = {
        "type": "data",
        "symmetric": False,
        "array": 100.0 * (wins.upper - wins.measured),
        "arrayminus": 100.0 * (wins.measured - wins.lower),
        "color": palette.attacker,
        "thickness": 2,
        "width": 4,
    }
    marker = {"size": 8, "color": palette.attacker}
    name = "measured, by averaging"
    figure.add_scatter(x=wins.asked, y=100.0 * wins.measured, error_y=bar, mode="markers", name=name, marker=marker)
    name_lines(figure, palette)
    right = amount(100.0 * float(wins.measured[int(np.flatnonzero(wins.asked == wins.here)[0])]))
    alt = f"After {wins.here:,} answers the attacker was right in {right} out of 100 guesses; pure chance is 50."
    numbers = {"answers": wins.asked, "measured": wins.measured, "at least": wins.lower, "at most": wins.upper}
    return Chart(
        figure=figure, alt=alt, numbers=numbers | {"best": wins.optimum, "upper limit for any attacker": wins.bound}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Both:
    """Over numbers of questions: the standard deviation of the average, and bills by name; the reader stands at `here`.

    `refused` is the number of the first question that gets no answer, where there is a budget.
    """

    asked: Array
    law: Array
    bills: Mapping[str, Array]
    here: int
    budget: float | None = None
    refused: int | None = None


def error_and_bill(both: Both, palette: Palette) -> Chart:
    """The error of the average above, what all answers cost below, over the same number of questions."""
    asked = both.asked
    figure = _two_panels(both, palette)
    look = {"color": palette.attacker, "width": 2.6}
    figure.add_scatter(x=asked, y=both.law, mode="lines", name="error of the average", line=look, yaxis="y2")
    looks = zip((palette.spent, palette.advanced, palette.exact), ("solid", "dash", "dot"), strict=True)
    for (name, bill), (color, dash) in zip(both.bills.items(), looks, strict=False):
        style = {"color": color, "width": 2.6, "dash": dash}
        figure.add_scatter(x=asked, y=bill, mode="lines", name=f"cost, {name}", line=style)
    _upright(figure, both.here, {"color": palette.muted, "width": 1, "dash": "dot"})
    _limits(figure, both, palette)
    name_lines(figure, palette)
    place = int(np.searchsorted(asked, both.here))
    said = "; ".join(f"{name} {at_most(float(bill[place]))}" for name, bill in both.bills.items())
    off = amount(float(both.law[place]))
    alt = f"After {both.here:,} questions the average has a standard deviation of {off} people; ε: {said}."
    numbers = {"questions": asked, "standard deviation": both.law} | {
        f"epsilon, {name}": bill for name, bill in both.bills.items()
    }
    return Chart(figure=figure, alt=alt, numbers=numbers)


def _asked_axis(most: int) -> dict[str, object]:
    ticks = [tick for tick in TICKS if tick <= most]
    return {
        "type": "log",
        "range": [-0.02, float(np.log10(max(most, 2))) + 0.03],
        "tickvals": ticks,
        "ticktext": [f"{tick:,}" for tick in ticks],
    }


def _two_panels(both: Both, palette: Palette) -> go.Figure:
    largest = max(both.budget or 0.0, *(float(np.max(bill)) for bill in both.bills.values()))
    farthest = float(np.nanmax([0.0, *both.law]))
    figure = blank(
        palette,
        x_title="questions asked",
        y_title="ε in total",
        height=LESSON_HEIGHT + 20,
        left=66,
        x=_asked_axis(int(both.asked[-1])),
        y={"domain": list(LOWER), "nticks": 5, "range": [0.0, 1.08 * largest or 1.0]},
    )
    above = figure.layout.yaxis.to_plotly_json() | {"domain": list(UPPER), "anchor": "x", "nticks": 5}
    above["range"] = [0.0, 1.08 * farthest or 1.0]
    figure.update_layout(yaxis2=above | {"title": {**above["title"], "text": "std. deviation"}})
    return figure


def _limits(figure: go.Figure, both: Both, palette: Palette) -> None:
    """The budget, and the question at which it is gone."""
    if both.budget is not None:
        level(figure, y=both.budget, line={"color": palette.text, "width": 1.4, "dash": "dot"})
    if both.refused is not None and both.refused <= both.asked[-1]:
        _upright(figure, both.refused, {"color": palette.text, "width": 1.8, "dash": "dash"})
        left = both.refused > np.sqrt(both.asked[-1])
        side = {"xanchor": "right" if left else "left", "xshift": -6 if left else 6, "yref": "paper"}
        words = f"refused from {both.refused:,} on"
        note(figure, words, x=float(np.log10(both.refused)), y=0.98, color=palette.text, **side)


def _upright(figure: go.Figure, at: int, line: dict[str, object]) -> None:
    """A line through both pictures."""
    figure.add_shape(type="line", x0=at, x1=at, y0=0.0, y1=1.0, yref="paper", line=line)
