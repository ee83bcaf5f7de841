"""Noise with an end: two shifted laws, and the answers that only one of the two worlds can give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import LESSON_HEIGHT
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import PLAIN_NUMBERS, Chart, Palette, blank, note, upright
from dpengine.formatting.numbers import amount, tiny_from_log

Array = NDArray[np.float64]
Spike = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneWorld:
    """The law of the answer in one world: a density over the answers, and spikes (place, probability).

    `only_here` is the stretch of answers that this world alone can give, None where there is none.
    """

    density: Array
    spikes: Sequence[Spike] = ()
    only_here: tuple[float, float] | None = None


def two_laws(*, answers: Array, with_person: OneWorld, without_person: OneWorld, unit: str, palette: Palette) -> Chart:
    """Both laws over the same answers; what gives a person away for certain is shaded and named."""
    worlds = (
        ("with you", with_person, palette.with_person),
        ("without you", without_person, palette.without_person),
    )
    top = max([1e-12, *(float(np.max(world.density)) for _, world, _ in worlds), *_heights(worlds)])
    figure = blank(
        palette,
        x_title=f"published answer, {unit}",
        y_title="density, or chance at a spike" if _heights(worlds) else "density",
        height=LESSON_HEIGHT + 20,
        left=66,
        x={"range": [float(answers[0]), float(answers[-1])], "nticks": 8},
        y={"range": [0, 1.45 * top], "nticks": 5, "showgrid": False, "automargin": True, **PLAIN_NUMBERS},
    )
    for name, world, color in worlds:
        line = {"color": color, "width": 2.4, "simplify": False}
        figure.add_scatter(x=answers, y=world.density, mode="lines", name=name, line=line, hoverinfo="skip")
        _spikes(figure, world.spikes, color)
        _given_away(figure, answers, name, world, palette)
    name_lines(figure, palette)
    ends = [
        f"{name} alone: {amount(end[0])} to {amount(end[1])}" for name, world, _ in worlds if (end := world.only_here)
    ]
    words = "; ".join(ends) if ends else "none of the answers drawn, 0 stretches"
    numbers = {f"answer, {unit}": answers, "with you": with_person.density, "without you": without_person.density}
    return Chart(figure=figure, alt=f"Answers possible in one world only: {words}.", numbers=numbers)


def _heights(worlds: Sequence[tuple[str, OneWorld, str]]) -> list[float]:
    return [height for _, world, _ in worlds for _, height in world.spikes]


def _spikes(figure: go.Figure, spikes: Sequence[Spike], color: str) -> None:
    for place, height in spikes:
        figure.add_scatter(
            x=[place, place],
            y=[0.0, height],
            mode="lines+markers",
            line={"color": color, "width": 4},
            marker={"size": [1, 11], "color": color},
            hovertemplate=f"chance %{{y:.3~g}} at {amount(place)}<extra></extra>",
            showlegend=False,
        )


def _given_away(figure: go.Figure, answers: Array, name: str, world: OneWorld, palette: Palette) -> None:
    """Shade the stretch that this world alone can give, and fill its part of the density."""
    if world.only_here is None:
        return
    start, end = world.only_here
    look = {"fillcolor": palette.attacker, "opacity": 0.14, "line_width": 0, "layer": "below"}
    figure.add_vrect(x0=start, x1=end, **look)
    middle = float(answers[0] + answers[-1]) / 2.0
    right = start > middle
    inside = np.where((answers >= start) & (answers <= end), world.density, 0.0)
    filled = {"fill": "tozeroy", "fillcolor": palette.attacker, "line": {"width": 0}, "mode": "lines"}
    figure.add_scatter(x=answers, y=inside, hoverinfo="skip", showlegend=False, **filled)
    words = "<b>only<br>" + name.replace(" ", "<br>") + "</b>"
    far = abs(start - middle) > float(answers[-1] - middle) / 2.0
    side = "right" if right == far else "left"
    edge = end if right == far else start
    look = {"yref": "paper", "yanchor": "top", "xanchor": side, "align": side}
    note(figure, words, x=edge, y=0.97, color=palette.attacker, **look)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """A named line of natural logarithms of delta, one for each cut, and how it looks."""

    label: str
    log_deltas: Array
    color: str
    dash: str = "solid"


def costs(*, cuts: Array, drawn: Sequence[CostLine], here: float, unit: str, palette: Palette) -> Chart:
    """The delta that a cut costs, on a scale of powers of ten that reaches below all machine numbers."""
    lowest = min(float(line.log_deltas[-1]) for line in drawn) / np.log(10.0)
    powers = _powers(lowest)
    figure = blank(
        palette,
        x_title=f"noise is cut off at ±, {unit}",
        y_title="δ",
        height=LESSON_HEIGHT + 20,
        left=76,
        x={"range": [0.0, float(cuts[-1]) * 1.02], "nticks": 6},
        y={
            "range": [1.06 * powers[-1], -0.04 * powers[-1]],
            "tickvals": list(powers),
            "ticktext": [f"10<sup>−{-power}</sup>" if power else "1" for power in powers],
        },
    )
    numbers: dict[str, Array] = {f"cut, {unit}": cuts}
    for line in drawn:
        look = {"color": line.color, "width": 2.6, "dash": line.dash}
        tens = line.log_deltas / np.log(10.0)
        hover = f"%{{x:,.4~g}}: 10 to the %{{y:.1f}}, {line.label}<extra></extra>"
        figure.add_scatter(x=cuts, y=tens, mode="lines", name=line.label, line=look, hovertemplate=hover)
        numbers[f"log10 of delta, {line.label}"] = tens
    upright(figure, x=here, line={"color": palette.text, "width": 1.4, "dash": "dot"})
    name_lines(figure, palette)
    least = "; ".join(f"{line.label} {tiny_from_log(_at(here, cuts, line.log_deltas))}" for line in drawn)
    return Chart(figure=figure, alt=f"Cut at {amount(here)} {unit}, delta is: {least}.", numbers=numbers)


def _at(here: float, cuts: Array, logarithms: Array) -> float:
    return float(np.interp(here, cuts, logarithms))


def _powers(lowest: float) -> list[int]:
    """Round powers of ten from 1 down to below the lowest."""
    step = next(step for step in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 10**4, 10**6) if step * 6 >= -lowest)
    return [-step * place for place in range(int(np.ceil(-lowest / step)) + 1)]


def leaning(
    *, answers: Array, means: Array, here: tuple[float, float], limit: float, unit: str, palette: Palette
) -> Chart:
    """The mean of what is published for each exact answer, beside what it ought to be."""
    figure = blank(
        palette,
        x_title=f"exact answer, {unit}",
        y_title=f"published on average, {unit}",
        height=LESSON_HEIGHT + 20,
        left=66,
        x={"range": [-0.02 * float(answers[-1]), float(answers[-1])], "nticks": 7, **PLAIN_NUMBERS},
        y={
            "range": [-0.03 * float(np.max(means)), 1.05 * float(np.max(means))],
            "nticks": 6,
            "automargin": True,
            **PLAIN_NUMBERS,
        },
    )
    ideal = {"color": palette.muted, "width": 1.4, "dash": "dot"}
    line = {"color": palette.text, "width": 2.6}
    figure.add_scatter(x=answers, y=answers, mode="lines", name="unchanged", line=ideal, hoverinfo="skip")
    hover = "exact %{x:.3~g}: %{y:.3~g} on average<extra></extra>"
    name = f"below {amount(limit)}: set to {amount(limit)}"
    figure.add_scatter(x=answers, y=means, mode="lines", name=name, line=line, hovertemplate=hover)
    gap = {"color": palette.without_person, "width": 5}
    exact, mean = here
    figure.add_scatter(
        x=[exact, exact],
        y=[exact, mean],
        mode="lines+markers",
        line=gap,
        marker={"size": 9},
        showlegend=False,
        hoverinfo="skip",
    )
    words = f"exact {amount(exact)}: <b>{amount(mean - exact)} too much</b>"
    place = {"xref": "paper", "yref": "paper", "xanchor": "right", "yanchor": "bottom"}
    note(figure, words, x=0.98, y=0.04, color=palette.without_person, **place)
    name_lines(figure, palette)
    alt = f"An exact {amount(exact)} {unit} is published as {amount(mean)} on average."
    return Chart(figure=figure, alt=alt, numbers={f"exact, {unit}": answers, f"published on average, {unit}": means})
