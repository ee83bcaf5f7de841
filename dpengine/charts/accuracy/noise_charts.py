"""How wrong an answer may be: likely answers, the tail, and privacy noise beside sampling error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.accuracy import ErrorLaw
from dpengine.charts.drawing.theme import Chart, Palette, blank, note, upright
from dpengine.formatting.measured import Measure, error_in, unit_after
from dpengine.formatting.numbers import amount, at_most
from dpengine.privacy import Neighbors

Array = NDArray[np.float64]
WORLDS = {
    Neighbors.ADD_REMOVE: ("without", "with one person"),
    Neighbors.REPLACE_ONE: ("one value", "another value of one person"),
}
"""The names of the two curves of answers, the left one first."""
CURVES = {
    Neighbors.ADD_REMOVE: "Two curves: answers without one person, and with one person.",
    Neighbors.REPLACE_ONE: "Two curves: answers with one value of one person, and with another value.",
}
DOTS = 100
POINTS = 151


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView:
    """What the picture of likely answers needs besides the law, in the answer's unit.

    `shift` is how far one person moves the answer, `center` the exact answer, or None to draw errors around 0.
    """

    law: ErrorLaw
    shift: float
    confidence: float
    center: float | None
    measure: Measure
    neighbors: Neighbors


def likely_answers(view: AnswerView, palette: Palette) -> Chart:
    """One hundred equally likely answers as dots, under the laws of the answer in both worlds of its relation."""
    measure, law, half_width = view.measure, view.law, view.law.quantile(view.confidence)
    times, middle = measure.times, measure.times * (view.center or 0.0)
    reach = max(float(law.quantile(0.985)), 1.3 * half_width, 2.5 * view.shift, 3 * (law.grid_step or 0.0)) or 1.0
    errors, grid = law.likely_errors(DOTS), np.linspace(-reach, reach, POINTS)
    inside = times * errors[np.abs(errors) <= reach]
    x, y, width = stacked_dots(inside + middle, span=2 * times * reach, least=times * (law.grid_step or 0.0))
    heights = np.asarray(law.density(grid)) * DOTS * width / times
    top = max(float(y.max(initial=1.0)), float(heights.max()))
    axis = f"answer, {measure.answers}" if view.center is not None else f"error, {measure.errors}"
    figure = blank(
        palette,
        x_title=axis,
        y_title="dots in a column",
        x={"range": [middle - times * reach, middle + times * reach], "exponentformat": "none", "nticks": 6},
        y={"range": [0, top * 1.22], "showgrid": False, "nticks": 4},
    )
    _band(figure, middle, times * half_width, palette)
    _name(figure, WORLDS[view.neighbors], palette)
    figure.add_scatter(
        x=x,
        y=y - 0.5,
        mode="markers",
        hoverinfo="skip",
        marker={"size": float(np.clip(140.0 / max(top, 1.0), 2.5, 9.0)), "color": palette.answers},
    )
    _two_worlds(figure, times * grid + middle, heights, times * view.shift, palette)
    share = f"{view.confidence * 100:g}"
    lie = f"{share}% of likely answers lie within {error_in(measure, half_width)} of the exact one."
    numbers = {f"one of {DOTS} likely, {axis}": np.sort(times * errors + middle)}
    return Chart(figure=figure, alt=f"{lie} {CURVES[view.neighbors]}", numbers=numbers)


def _band(figure: go.Figure, middle: float, half_width: float, palette: Palette) -> None:
    figure.add_shape(
        type="rect",
        x0=middle - half_width,
        x1=middle + half_width,
        y0=0,
        y1=1,
        yref="paper",
        fillcolor=palette.band,
        line_width=0,
        layer="below",
    )
    line = {"color": palette.text, "dash": "dot", "width": 1}
    figure.add_shape(type="line", x0=middle, x1=middle, y0=0, y1=0.9, yref="paper", line=line)


def _name(figure: go.Figure, worlds: tuple[str, str], palette: Palette) -> None:
    colors = palette.without_person, palette.with_person
    for words, side, color in zip(worlds, (0.02, 0.98), colors, strict=True):
        anchor = "left" if side < 0.5 else "right"
        note(figure, words, x=side, y=1.0, xref="paper", yref="paper", xanchor=anchor, yanchor="top", color=color)


def _two_worlds(figure: go.Figure, x: Array, heights: Array, shift: float, palette: Palette) -> None:
    for name, moved, color in (("without", -shift, palette.without_person), ("with", 0.0, palette.with_person)):
        figure.add_scatter(
            x=(x + moved).astype(np.float32),
            y=heights.astype(np.float32),
            mode="lines",
            name=name,
            line={"color": color, "width": 2.2, "shape": "linear"},
            hoverinfo="skip",
        )


def stacked_dots(values: Array, *, span: float, columns: int = 41, least: float = 0.0) -> tuple[Array, Array, float]:
    """Positions of a dot plot: each value moves to the middle of its column and stands on those below it.

    No column is narrower than `least`, the distance between possible values. Returns x, y (1 for the lowest dot) and
    the width of a column.
    """
    width = max(round_width(span / columns), least)
    column = np.floor(values / width + 0.5)
    order = np.argsort(column, kind="stable")
    rank = np.empty(len(values))
    _, starts, counts = np.unique(column[order], return_index=True, return_counts=True)
    rank[order] = np.arange(len(values)) - np.repeat(starts, counts)
    return column * width, rank + 1.0, width


def round_width(width: float) -> float:
    """The next 1, 2 or 5 times a power of ten, so that a label can say it."""
    power = 10.0 ** np.floor(np.log10(max(width, 1e-300)))
    return float(next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= width * (1 - 1e-9)))


def tail(
    *, tolerances: Array, probabilities: Array, tolerance: float, probability: float, measure: Measure, palette: Palette
) -> Chart:
    """How often the error exceeds each tolerance, on a logarithmic scale, with the chosen one marked."""
    shown = np.maximum(probabilities, 1e-12)
    drawn_at, tolerances = measure.times * tolerance, measure.times * tolerances
    figure = blank(
        palette,
        x_title=f"tolerated error, {measure.errors}",
        y_title="chance of a larger error",
        y={"type": "log", "range": [-4, 0.1], "exponentformat": "none", "tickformat": ".2~%", "dtick": 1},
        x={"range": [0, float(tolerances[-1])]},
    )
    figure.add_scatter(
        x=tolerances.astype(np.float32),
        y=shown,
        mode="lines",
        line={"color": palette.with_person, "width": 2.4},
        hovertemplate=f"error above %{{x:.3~g}}{unit_after(measure.errors)}: %{{y:.2%}}<extra></extra>",
    )
    drawn = min(max(probability, 1e-4), 1.0)
    figure.add_scatter(
        x=[drawn_at, drawn_at],
        y=[1e-4, drawn],
        mode="lines",
        line={"color": palette.muted, "dash": "dot", "width": 1.4},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=[drawn_at], y=[drawn], mode="markers", marker={"size": 11, "color": palette.text}, hoverinfo="skip"
    )
    alt = f"The error exceeds {error_in(measure, tolerance, amount)} in {amount(100 * probability)}% of answers."
    return Chart(
        figure=figure,
        alt=alt,
        numbers={f"tolerated error, {measure.errors}": tolerances, "chance of a larger error": probabilities},
    )


def intervals(
    *, sampling: float, noise: float, combined: float, confidence: float, measure: Measure, palette: Palette
) -> Chart:
    """Three intervals around the answer: sampling error, privacy noise, and both together."""
    combined, noise, sampling = (measure.times * one for one in (combined, noise, sampling))
    rows = (
        ("both together", combined, palette.with_person),
        ("privacy noise alone", noise, palette.answers),
        ("sampling error alone", sampling, palette.sampling),
    )
    reach = max(combined, noise, sampling) * 1.35 or 1.0
    figure = blank(
        palette,
        x_title=f"error, {measure.errors}",
        y_title="",
        left=172,
        x={"range": [-reach, reach]},
        y={"showgrid": False, "tickfont": {"size": 14, "color": palette.text}},
    )
    for label, half, color in rows:
        figure.add_scatter(
            x=[-half, half],
            y=[label, label],
            mode="lines+markers",
            line={"color": color, "width": 7},
            marker={"size": 9, "color": color},
            hoverinfo="skip",
        )
        note(figure, f"±{at_most(half)}", x=half, y=label, xanchor="left", xshift=10, color=palette.text)  # type: ignore[arg-type]
    upright(figure, x=0, line={"color": palette.muted, "width": 1, "dash": "dot"})
    alt = (
        f"In {confidence * 100:g}% of cases: sampling error within {at_most(sampling)}{unit_after(measure.errors)}, "
        f"privacy noise within {at_most(noise)}, both together within {at_most(combined)}."
    )
    numbers: dict[str, Sequence[object]] = {
        "part": [label for label, _, _ in rows],
        f"half-width, {measure.errors}": [half for _, half, _ in rows],
    }
    return Chart(figure=figure, alt=alt, numbers=numbers)
