"""How often an attacker wins: against epsilon, measured and proved, and its hits against its false alarms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import LESSON_HEIGHT
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import Chart, Palette, blank, level, note, upright
from dpengine.formatting.numbers import amount, out_of_100

Array = NDArray[np.float64]
DECADES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessLine:
    """A named line of chances of winning, its value where the reader stands, and how it looks."""

    label: str
    chances: Array
    here: float
    color: str
    dash: str = "solid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """How often an attacker won in a simulation, and the interval of its chance."""

    rate: float
    lower: float
    upper: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessView:
    """Chances over epsilons, the epsilon of the dial, the chance line, and what was measured there.

    `success` and `blind` are what being right, and being right without an answer, are called.
    """

    epsilons: Array
    epsilon: float
    lines: Sequence[SuccessLine]
    chance: float
    measured: Measured
    success: str = "wins"
    blind: str = "pure chance"


def success(view: SuccessView, palette: Palette) -> Chart:
    """Chances of winning against epsilon, from the chance line to 100, with the measured one where the dial stands."""
    low = 100.0 * view.chance
    figure = blank(
        palette,
        x_title="ε of one answer",
        y_title=f"{view.success}, out of 100",
        height=LESSON_HEIGHT + 20,
        x={
            "type": "log",
            "range": [float(np.log10(min(view.epsilon, view.epsilons[0]))), float(np.log10(_last(view)))],
            "tickvals": DECADES,
            "ticktext": [f"{tick:g}" for tick in DECADES],
        },
        y={"range": [low - 0.14 * (100.0 - low) - 1.0, 100.0 + 0.07 * (100.0 - low) + 0.5], "nticks": 6},
    )
    level(figure, y=low, line={"color": palette.muted, "width": 1.4, "dash": "dot"})
    look = {"xref": "paper", "xanchor": "left", "yanchor": "top"}
    note(figure, f"{view.blind}: {out_of_100(view.chance)}", x=0.01, y=low, color=palette.muted, **look)
    for line in view.lines:
        style = {"color": line.color, "width": 2.6, "dash": line.dash}
        hover = f"ε %{{x:.3~g}}: %{{y:.3~g}} out of 100, {line.label}<extra></extra>"
        figure.add_scatter(
            x=view.epsilons, y=100.0 * line.chances, mode="lines", name=line.label, line=style, hovertemplate=hover
        )
    _measured(figure, view, palette)
    name_lines(figure, palette)
    lines = "; ".join(f"{line.label} {out_of_100(line.here)}" for line in view.lines)
    alt = f"At ε = {amount(view.epsilon)}, {view.success} out of 100: {lines}; {view.measured.words}."
    numbers = {"epsilon": view.epsilons} | {line.label: line.chances for line in view.lines}
    return Chart(figure=figure, alt=alt, numbers=numbers)


def _measured(figure: go.Figure, view: SuccessView, palette: Palette) -> None:
    found = view.measured
    upright(figure, x=view.epsilon, line={"color": palette.muted, "width": 1, "dash": "dot"})
    bar = {
        "type": "data",
        "symmetric": False,
        "array": [100.0 * (found.upper - found.rate)],
        "arrayminus": [100.0 * (found.rate - found.lower)],
        "color": palette.attacker,
        "thickness": 2.2,
        "width": 6,
    }
    figure.add_scatter(
        x=[view.epsilon],
        y=[100.0 * found.rate],
        error_y=bar,
        mode="markers",
        name="measured",
        marker={"size": 11, "color": palette.attacker},
        hovertemplate="measured: %{y:.4~g} out of 100<extra></extra>",
    )


def _last(view: SuccessView) -> float:
    return max(view.epsilon, float(view.epsilons[-1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class HitsView:
    """The curve of one noise, that of the worst noise which keeps the same promise, and the attacker's own point.

    Each curve is (false alarms, hits); `point` is where the best attacker of this prior stands.
    """

    curve: tuple[Array, Array]
    worst: tuple[Array, Array]
    point: tuple[float, float]
    label: str


def hits(view: HitsView, palette: Palette) -> Chart:
    """Hits against false alarms: nothing that keeps the promise gets above the dashed line."""
    axis: dict[str, object] = {"range": [-1.5, 101.5], "tickvals": [0, 25, 50, 75, 100]}
    figure = blank(
        palette,
        x_title="false alarms, % of rounds without the person",
        y_title="hits, % of rounds with the person",
        height=LESSON_HEIGHT + 20,
        x=axis,
        y=axis,
    )
    blind = {"color": palette.muted, "width": 1.2, "dash": "dot"}
    edge = {"color": palette.text, "width": 1.6, "dash": "dash"}
    figure.add_scatter(x=[0, 100], y=[0, 100], mode="lines", name="blind guessing", line=blind, hoverinfo="skip")
    alarms, found = (100.0 * rates for rates in view.curve)
    look = {"color": palette.attacker, "width": 2.8}
    hover = "%{x:.3~g}% false alarms, %{y:.3~g}% hits<extra></extra>"
    fill = {"fill": "tozeroy", "fillcolor": palette.band}
    figure.add_scatter(x=alarms, y=found, mode="lines", name=view.label, line=look, hovertemplate=hover, **fill)
    alarms, found = (100.0 * rates for rates in view.worst)
    name = "upper limit for any attacker"
    figure.add_scatter(x=alarms, y=found, mode="lines", name=name, line=edge, hoverinfo="skip")
    false_alarms, hit = view.point
    marker = {"size": 13, "color": palette.attacker, "line": {"color": palette.background, "width": 2}}
    figure.add_scatter(
        x=[100.0 * false_alarms], y=[100.0 * hit], mode="markers", marker=marker, showlegend=False, hoverinfo="skip"
    )
    name_lines(figure, palette)
    alt = (
        f"The best possible attacker says “in” in {out_of_100(hit)}% of rounds with the person and in "
        f"{out_of_100(false_alarms)}% without."
    )
    return Chart(figure=figure, alt=alt, numbers={"false alarms": view.curve[0], "hits": view.curve[1]})
