"""How large an error hides people, drawn: against every possible table, and beside the error of a sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import LESSON_HEIGHT
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import Chart, Palette, blank, level, note
from dpengine.formatting.numbers import amount

Array = NDArray[np.float64]


def worst_tables(*, people: int, worst: Mapping[str, Array], palette: Palette) -> Chart:
    """People wrong in the worst table left, against the largest error E = 0, 1, ..., below the proved 4E.

    `worst` holds one number for each E, by the kind of errors.
    """
    errors = np.arange(len(next(iter(worst.values()))), dtype=np.float64)
    figure = blank(
        palette,
        x_title="largest error E of a count, people",
        y_title="people wrong, at worst",
        height=LESSON_HEIGHT + 30,
        x={"range": [-0.3, errors[-1] + 0.3], "dtick": 1},
        y={"range": [-0.08 * people, 1.25 * people], "nticks": 6},
    )
    level(figure, y=people, line={"color": palette.muted, "width": 1.4, "dash": "dot"})
    note(figure, f"all {people}", x=-0.25, y=people, xanchor="left", yanchor="bottom", color=palette.muted)
    look = {"color": palette.exact, "width": 2.4, "dash": "dash"}
    figure.add_scatter(x=errors, y=4.0 * errors, mode="lines", line=look, hoverinfo="skip")
    end = {"x": errors[-1] + 0.25, "xanchor": "right"}
    note(figure, "proved: at most 4E", y=0.28 * people, color=palette.exact, **end)
    for (name, wrong), (color, symbol, beside) in zip(worst.items(), _marks(palette), strict=True):
        marker = {"size": 12, "color": color, "symbol": symbol}
        hover = f"E = %{{x}}: %{{y}} people wrong, {name}<extra></extra>"
        figure.add_scatter(x=errors, y=wrong, mode="markers", marker=marker, hovertemplate=hover)
        note(figure, name, x=errors[-2], y=float(wrong[-2]), yanchor="bottom", color=color, **beside)
    told = "; ".join(f"{name}: {', '.join(amount(float(one)) for one in wrong)}" for name, wrong in worst.items())
    alt = (
        f"People wrong in the worst table left, of {people}, at E from 0 to {errors[-1]:g}: {told}; proved at most 4E."
    )
    return Chart(figure=figure, alt=alt, numbers={"E": errors, "proved": 4.0 * errors, **worst})


def _marks(palette: Palette) -> tuple[tuple[str, str, dict[str, object]], ...]:
    """Color and shape of both kinds of errors, and where their names stand beside a mark."""
    return (
        (palette.attacker, "circle", {"xanchor": "right", "xshift": -6, "yshift": 4}),
        (palette.without_person, "diamond", {"xanchor": "center", "yshift": 8}),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseAndSample:
    """For each number of people: the noise that stops the attack, the error of a sample, and the noise as measured.

    All are standard deviations, in people; `measured` goes with `measured_at`.
    """

    people: Array
    noise: Array
    sampling: Array
    measured_at: Array
    measured: Array


def noise_and_sample(view: NoiseAndSample, palette: Palette) -> Chart:
    """Both errors on one axis, from the smallest table to the largest; both axes are logarithmic."""
    low, high = (float(np.log10(end)) for end in (view.people[0], view.people[-1]))
    both = np.concatenate([view.noise, view.sampling])
    bottom, top = (float(np.log10(end)) for end in (both.min(), both.max()))
    figure = blank(
        palette,
        x_title="people in the table (n)",
        y_title="standard deviation, people",
        height=LESSON_HEIGHT + 50,
        left=66,
        x=_decades(low - 0.1, high + 0.1, every=2),
        y=_decades(bottom - 0.2, top + 0.2),
    )
    lines = (
        ("the sample's own error", view.sampling, palette.sampling, "dash"),
        ("noise that stops the attack", view.noise, palette.attacker, "solid"),
    )
    for name, errors, color, dash in lines:
        look = {"color": color, "width": 2.6, "dash": dash}
        hover = f"%{{x:,}} people: ±%{{y:.3~g}}, {name}<extra></extra>"
        figure.add_scatter(x=view.people, y=errors, mode="lines", line=look, name=name, hovertemplate=hover)
    hover = "%{x:,} people: ±%{y:.3~g}, measured<extra></extra>"
    marker = {"size": 9, "color": palette.attacker}
    figure.add_scatter(
        x=view.measured_at, y=view.measured, mode="markers", marker=marker, name="measured", hovertemplate=hover
    )
    figure.layout.margin.r = 34
    name_lines(figure, palette)
    told = "; ".join(f"{name} from {amount(errors[0])} to {amount(errors[-1])}" for name, errors, *_ in lines)
    alt = f"Standard deviations in people, from {view.people[0]:,.0f} to {view.people[-1]:,.0f} people: {told}."
    numbers = {"people": view.people, **{f"{name}, people": errors for name, errors, *_ in lines}}
    return Chart(figure=figure, alt=alt, numbers=numbers)


def _decades(low: float, high: float, every: int = 1) -> dict[str, object]:
    """A logarithmic axis with a number at each power of ten, or at every second one: long numbers need room."""
    ticks = [10.0**power for power in range(int(np.ceil(low)), int(np.floor(high)) + 1, every)]
    return {"type": "log", "range": [low, high], "tickvals": ticks, "ticktext": [amount(tick) for tick in ticks]}
