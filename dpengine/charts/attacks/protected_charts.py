"""The same attack under epsilon: how often it wins beside chance and bound, and one noisy histogram that it reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpengine.charts.drawing.labels import on_axis
from dpengine.charts.drawing.legends import LESSON_HEIGHT, legend_above
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import FONT_SIZE, Chart, Palette, blank, level, note, upright
from dpengine.formatting.numbers import amount, out_of_100, upper_of_100

Array = NDArray[np.float64]
EPSILON_TICKS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class WinRates:
    """How often an attacker wins over a range of epsilons: the most anybody could, the best possible attacker.

    `rate` and `interval` were measured at `here`; all are shares.
    """

    epsilons: Array
    bound: Array
    best: Array
    here: float
    rate: float
    interval: tuple[float, float]
    chance: float


def wins(view: WinRates, palette: Palette) -> Chart:
    """Measured wins at the chosen epsilon, between the chance line and the bound; without noise it wins always."""
    low, high = np.log10(view.epsilons[0]), np.log10(view.epsilons[-1])
    shown = [tick for tick in EPSILON_TICKS if view.epsilons[0] <= tick <= view.epsilons[-1]]
    least = 100.0 * view.chance
    figure = blank(
        palette,
        x_title="ε (more private on the left)",
        y_title="attacker right, out of 100",
        height=LESSON_HEIGHT,
        x={"type": "log", "range": [low, high], "tickvals": shown, "ticktext": [amount(tick) for tick in shown]},
        y={"range": [least - 6, 106], "nticks": 6},
    )
    lines = (
        ("upper limit for any attacker", view.bound, palette.text, "dash"),
        ("best possible attacker", view.best, palette.attacker, "solid"),
    )
    for name, shares, color, dash in lines:
        look = {"color": color, "width": 2.4, "dash": dash}
        hover = f"ε %{{x:.3~g}}: %{{y:.3~g}} out of 100, {name}<extra></extra>"
        figure.add_scatter(x=view.epsilons, y=100.0 * shares, mode="lines", name=name, line=look, hovertemplate=hover)
    down, up = 100.0 * (view.rate - view.interval[0]), 100.0 * (view.interval[1] - view.rate)
    figure.add_scatter(
        x=[view.here],
        y=[100.0 * view.rate],
        mode="markers",
        name="measured",
        marker={"size": 12, "color": palette.attacker, "line": {"color": palette.background, "width": 2}},
        error_y={"array": [up], "arrayminus": [down], "color": palette.attacker, "thickness": 2.4, "width": 7},
        hovertemplate="measured: %{y:.3~g} out of 100<extra></extra>",
    )
    level(figure, y=least, line={"color": palette.muted, "width": 1.4, "dash": "dot"})
    place = {"xref": "paper", "xanchor": "right", "yanchor": "top"}
    note(figure, f"pure chance: {amount(least)}", x=0.995, y=least, color=palette.muted, **place)
    upright(figure, x=view.here, line={"color": palette.muted, "width": 1, "dash": "dot"})
    name_lines(figure, palette)
    bound = float(np.interp(np.log(view.here), np.log(view.epsilons), view.bound))
    alt = (
        f"At ε = {amount(view.here)} the attacker was right in {out_of_100(view.rate)} out of 100 guesses; any "
        f"attacker can be right in at most {upper_of_100(bound)} out of 100 ({amount(least)} is pure chance)."
    )
    numbers = {"epsilon": view.epsilons, "bound": view.bound, "best possible attacker": view.best}
    return Chart(figure=figure, alt=alt, numbers=numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyCells:
    """One cell for each value: the exact count, the published one, and the places of the person's two candidates."""

    labels: Sequence[str]
    exact: Sequence[int]
    published: Sequence[float]
    candidates: tuple[int, int]
    unit: str


def noisy_cells(view: NoisyCells, palette: Palette) -> Chart:
    """Exact and published counts side by side; the two cells that the attacker compares in its color."""
    figure = blank(
        palette,
        x_title=view.unit,
        y_title="",
        height=120 + 32 * len(view.labels),
        left=160,
        x={"nticks": 6, "showgrid": True, "zeroline": True, "zerolinecolor": palette.muted},
        y={"showgrid": False, "autorange": "reversed", "tickfont": {"size": FONT_SIZE, "color": palette.text}},
    )
    names = on_axis(view.labels)
    colors = [palette.attacker if i in view.candidates else palette.answers for i in range(len(names))]
    hover = "%{y}, %{fullData.name}: %{x:,}<extra></extra>"
    bars = (("exact, kept secret", view.exact, palette.line), ("published", view.published, colors))
    for name, counts, color in bars:
        look = {"marker": {"color": color}, "hovertemplate": hover}
        figure.add_bar(y=names, x=list(counts), orientation="h", name=name, **look)
    figure.layout.bargap, figure.layout.bargroupgap = 0.25, 0.0
    legend_above(figure, palette)
    pair = " and ".join(view.labels[i] for i in view.candidates)
    off = max(abs(one - other) for one, other in zip(view.exact, view.published, strict=True))
    alt = f"Published and exact counts of {len(names)} values, at most {amount(off)} apart; compared: {pair}."
    numbers: dict[str, Sequence[object]] = {
        "value": list(view.labels),
        "exact": list(view.exact),
        "published": list(view.published),
    }
    return Chart(figure=figure, alt=alt, numbers=numbers)
