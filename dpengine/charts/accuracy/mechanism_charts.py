"""One kind of noise, or two side by side: the noise, its privacy losses, its deltas, and its attackers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import LESSON_HEIGHT
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import PLAIN_NUMBERS, Chart, Palette, blank, note, upright
from dpengine.formatting.numbers import amount, at_most, tiny
from dpengine.losses import LossDistribution, delta_of, false_negative_rate, loss_distribution
from dpengine.mechanisms.additive.families import Noise

Array = NDArray[np.float64]
POINTS, BINS, MOST_STEPS, LEAST_DELTA = 201, 31, 120, 1e-12
_REACHES = np.geomspace(1e-6, 1e6, 600)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedMechanism:
    """A mechanism under its name, drawn in its color."""

    label: str
    mechanism: Noise
    color: str


def noises(entries: Sequence[NamedMechanism], *, unit: str, palette: Palette) -> Chart:
    """How likely each error is: a line for a density, steps for noise that only adds whole numbers."""
    reach = max(1.0, 1.15 * max(entry.mechanism.error_quantile(0.98) for entry in entries))
    figure = _figure(palette, f"error, {unit}; dotted: 95% interval", "chance per 1, %", reach=(-reach, reach))
    numbers: dict[str, Array] = {}
    for entry in entries:
        errors, heights, shape = _heights(entry.mechanism, reach)
        look = {"color": entry.color, "width": 2.4, "shape": shape, "simplify": False}
        figure.add_scatter(x=errors, y=100.0 * heights, mode="lines", name=entry.label, line=look, hoverinfo="skip")
        numbers |= {f"error, {entry.label}": errors, f"chance or density, {entry.label}": heights}
        half = entry.mechanism.error_quantile(0.95)
        for end in (-half, half):
            upright(figure, x=end, line={"color": entry.color, "width": 1.4, "dash": "dot"})
    halves = "; ".join(f"{entry.label} ±{at_most(entry.mechanism.error_quantile(0.95))}" for entry in entries)
    return _chart(figure, f"95% of errors lie within: {halves} {unit}.", numbers, palette)


def _heights(mechanism: Noise, reach: float) -> tuple[Array, Array, str]:
    """Errors, their chance or density, and the shape of the line between them."""
    if _is_continuous(mechanism):
        errors = np.linspace(-reach, reach, POINTS)
        return errors, np.asarray(mechanism.density(errors)), "linear"  # type: ignore[union-attr]
    stride = -(-int(reach) // MOST_STEPS) or 1
    steps = np.arange(-(int(reach) // stride + 1), int(reach) // stride + 2.0) * stride
    return steps, np.asarray(mechanism.probability(steps)), "hvh"  # type: ignore[union-attr]


def _is_continuous(mechanism: Noise) -> bool:
    return hasattr(mechanism, "density") and not hasattr(mechanism, "probability")


def losses(entries: Sequence[NamedMechanism], *, epsilon: float, palette: Palette) -> Chart:
    """What share of answers suggest how strongly that the person is there: the privacy-loss distribution."""
    laws = [loss_distribution(entry.mechanism.event) for entry in entries]
    reach = max(epsilon * 1.3, *(_reach(law) for law in laws))
    figure = _figure(palette, "privacy loss of the answer", "% of answers", reach=(-reach, reach))
    numbers: dict[str, Array] = {}
    for entry, law in zip(entries, laws, strict=True):
        at, chances = bars_of(law, reach)
        width = 2.0 * reach / BINS * 0.92
        look = {"color": entry.color, "opacity": 0.75 if len(entries) > 1 else 1.0}
        hover = "loss about %{x:.3~g}: %{y:.3~g}%<extra></extra>"
        figure.add_bar(x=at, y=100.0 * chances, name=entry.label, width=width, marker=look, hovertemplate=hover)
        numbers |= {f"loss, {entry.label}": at, f"chance, {entry.label}": chances}
    figure.layout.barmode, figure.layout.bargap = "overlay", 0.05
    _mark_epsilon(figure, (-epsilon, epsilon), palette)
    beyond = "; ".join(f"{entry.label} {_share(law, epsilon)}%" for entry, law in zip(entries, laws, strict=True))
    alt = f"The privacy loss is above epsilon {amount(epsilon)} in this share of answers: {beyond}."
    return _chart(figure, alt, numbers, palette)


def bars_of(law: LossDistribution, reach: float) -> tuple[Array, Array]:
    """Middles of equally wide stretches between -reach and reach, and the chance of a loss in each, ends excluded."""
    edges = np.linspace(-reach, reach, BINS + 1)
    return (edges[1:] + edges[:-1]) / 2.0, np.maximum(np.diff(np.asarray(law.cumulative(edges))), 0.0)


def _reach(law: LossDistribution) -> float:
    """Where all but one finite loss of 500 lie."""
    outside = np.asarray(law.exceedance(_REACHES)) - law.infinite + np.asarray(law.cumulative(-_REACHES))
    return float(_REACHES[min(int(np.argmax(outside <= 2e-3)), len(_REACHES) - 1)]) * 1.1


def _share(law: LossDistribution, epsilon: float) -> str:
    """How often the loss is above epsilon; what is a mere last digit above it is not."""
    share = 100.0 * float(law.exceedance(epsilon * (1.0 + 1e-9)))
    return "0" if share == 0.0 else at_most(share) if share >= 0.01 else tiny(float(f"{share:.2g}"))


def _mark_epsilon(figure: go.Figure, places: Sequence[float], palette: Palette) -> None:
    for place in places:
        upright(figure, x=place, line={"color": palette.text, "width": 1.4, "dash": "dot"})
        words = "ε" if place > 0 else "−ε"
        note(figure, words, x=place, y=1.0, yref="paper", yanchor="top", xshift=-12, color=palette.text)


def profiles(entries: Sequence[NamedMechanism], *, epsilon: float, palette: Palette) -> Chart:
    """The delta that is left at each epsilon, on a logarithmic scale; the line ends where none is left."""
    points = np.linspace(0.0, 2.0 * epsilon, POINTS)
    figure = _figure(palette, "ε", "δ left at that ε", reach=(0.0, 2.0 * epsilon))
    powers = [-12, -9, -6, -3, 0]
    figure.update_yaxes(
        type="log",
        range=[-12.4, 0.3],
        tickvals=[10.0**p for p in powers],
        ticktext=[f"10<sup>−{-p}</sup>" if p else "1" for p in powers],
    )
    numbers: dict[str, Array] = {"epsilon": points}
    for entry in entries:
        deltas = np.asarray(delta_of(entry.mechanism.event, epsilon=points))
        drawn = np.where(deltas >= LEAST_DELTA, deltas, np.nan)
        look = {"color": entry.color, "width": 2.6, "simplify": False}
        hover = "ε %{x:.3~g}: δ %{y:.2~g}<extra></extra>"
        figure.add_scatter(x=points, y=drawn, mode="lines", name=entry.label, line=look, hovertemplate=hover)
        numbers[f"delta, {entry.label}"] = deltas
    _mark_epsilon(figure, (epsilon,), palette)
    left = "; ".join(f"{entry.label} {delta_left(entry.mechanism, epsilon)}" for entry in entries)
    return _chart(figure, f"Delta left at epsilon {amount(epsilon)}: {left}.", numbers, palette)


def delta_left(mechanism: Noise, epsilon: float) -> str:
    """The delta at this epsilon in words; what is smaller than rounding is 0."""
    delta = float(delta_of(mechanism.event, epsilon=epsilon * (1.0 + 1e-9)))
    return "0" if delta < 1e-200 else tiny(float(f"{delta:.2g}"))


def trade_offs(entries: Sequence[NamedMechanism], *, palette: Palette) -> Chart:
    """What the best attacker misses at each rate of false alarms, with the line of blind guessing."""
    alarms = np.concatenate([np.linspace(0.0, 0.02, 41), np.linspace(0.025, 1.0, 160)])
    figure = _figure(palette, "false alarms, % of people not in", "misses, % of people in", reach=(0.0, 100.0))
    figure.layout.yaxis.range = [0.0, 102.0]
    blind = {"color": palette.muted, "width": 1.2, "dash": "dot"}
    figure.add_scatter(x=[0, 100], y=[100, 0], mode="lines", name="blind guessing", line=blind, hoverinfo="skip")
    numbers: dict[str, Array] = {"false alarms": alarms}
    for entry in entries:
        misses = np.asarray(false_negative_rate(entry.mechanism.event, false_positive_rate=alarms))
        look = {"color": entry.color, "width": 2.6, "simplify": False}
        hover = "%{x:.3~g}% false alarms: %{y:.3~g}% misses<extra></extra>"
        line = {"mode": "lines", "name": entry.label, "line": look, "hovertemplate": hover}
        figure.add_scatter(x=100.0 * alarms, y=100.0 * misses, **line)
        numbers[f"misses, {entry.label}"] = misses
    at_five = "; ".join(f"{entry.label} {amount(missed_of_100(entry.mechanism, 0.05))}%" for entry in entries)
    return _chart(figure, f"With 5% false alarms, the best possible attacker misses: {at_five}.", numbers, palette)


def missed_of_100(mechanism: Noise, false_alarms: float) -> float:
    """Of 100 people who are there, how many the best attacker misses at this rate of false alarms."""
    return 100.0 * false_negative_rate(mechanism.event, false_positive_rate=false_alarms)


def _figure(palette: Palette, x_title: str, y_title: str, *, reach: tuple[float, float]) -> go.Figure:
    return blank(
        palette,
        x_title=x_title,
        y_title=y_title,
        height=LESSON_HEIGHT + 20,
        left=66,
        x={"range": list(reach), "nticks": 7, **PLAIN_NUMBERS},
        y={"rangemode": "tozero", "nticks": 5, "automargin": True, **PLAIN_NUMBERS},
    )


def _chart(figure: go.Figure, alt: str, numbers: dict[str, Array], palette: Palette) -> Chart:
    """Columns are filled up to one length."""
    if figure.layout.yaxis.range is None:
        figure.layout.yaxis.range = [
            0.0,
            1.08 * max(float(np.nanmax(trace.y)) for trace in figure.data if len(trace.y)),
        ]
    name_lines(figure, palette)
    rows = max(len(column) for column in numbers.values())
    full = {name: np.pad(column, (0, rows - len(column)), constant_values=np.nan) for name, column in numbers.items()}
    return Chart(figure=figure, alt=alt, numbers=full)
