"""Hints that wander: what many answers give away, walk by walk, in the band that holds most of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.theme import Chart, Palette, blank, note
from dpengine.formatting.numbers import amount, at_most

Array = NDArray[np.float64]
HEIGHT = 330
MOST_POINTS = 420


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkView:
    """Walks (one a row) and their band at some numbers of answers, two rules' epsilon there, and epsilon of one."""

    answers: NDArray[np.int64]
    walks: Array
    lower: Array
    upper: Array
    exact: Array
    advanced: Array
    each: float

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Which walks end in the band."""
        ends = self.walks[:, -1]
        room = 1e-9 * self.each * float(self.answers[-1])
        return np.asarray((self.lower[-1] - room <= ends) & (ends <= self.upper[-1] + room))


def walks(view: WalkView, palette: Palette) -> Chart:
    """Each gray line adds up one row of hints; the dots at its end are counted inside and outside of the band."""
    last, naive = int(view.answers[-1]), view.each * float(view.answers[-1])
    top = 1.12 * max(float(view.advanced[-1]), float(view.exact[-1]), float(view.upper[-1]))
    bottom = 1.1 * min(float(view.lower.min()), float(view.walks.min()), -0.06 * top)
    figure = blank(
        palette,
        x_title="answers published",
        y_title="hints added up",
        height=HEIGHT,
        x={"range": [0, 1.03 * last], "tickformat": ",d", "nticks": 6},
        y={"range": [bottom, top], "nticks": 6},
    )
    _add_band(figure, view, palette)
    _add_walks(figure, view, palette)
    look = {"mode": "lines", "hoverinfo": "skip"}
    figure.add_scatter(x=[0, last], y=[0.0, naive], line={"color": palette.spent, "width": 2.6}, name="naive", **look)
    figure.add_scatter(x=view.answers, y=view.exact, line={"color": palette.exact, "width": 3.4}, name="exact", **look)
    advanced = {"color": palette.advanced, "width": 2.6}
    figure.add_scatter(x=view.answers, y=view.advanced, line=advanced, name="advanced", **look)
    leaves = min(0.9 * top / view.each, 0.8 * last)
    note(figure, "naive", x=leaves, y=leaves * view.each, color=palette.spent, xanchor="left", xshift=8)
    ends = (
        ("advanced", view.advanced, palette.advanced, "bottom", 3),
        ("exact", view.exact, palette.exact, "top", -16),
    )
    for name, curve, color, side, shift in ends:
        at, words = float(curve[-1]), f"{name} {at_most(float(curve[-1]))}"
        note(figure, words, x=last, y=at, color=color, xanchor="right", yanchor=side, yshift=shift)
    held = int(view.inside.sum())
    alt = (
        f"{len(view.walks)} walks of {last} hints of plus or minus {amount(view.each)}; {held} of them end between "
        f"{amount(float(view.lower[-1]))} and {amount(float(view.upper[-1]))}. Naive gives {amount(naive)}."
    )
    numbers = {"answers": view.answers, "band from": view.lower, "band to": view.upper, "exact": view.exact}
    numbers["advanced"] = view.advanced
    return Chart(figure=figure, alt=alt, numbers=numbers)


def _add_band(figure: go.Figure, view: WalkView, palette: Palette) -> None:
    """Around the walks, with its name on its upper edge."""
    edge = {"mode": "lines", "line": {"width": 1.2, "color": palette.with_person}, "hoverinfo": "skip"}
    figure.add_scatter(x=view.answers, y=view.lower, name="band from", **edge)
    figure.add_scatter(x=view.answers, y=view.upper, name="band to", fill="tonexty", fillcolor=palette.band, **edge)
    place = int(0.6 * (len(view.answers) - 1))
    note(
        figure,
        "95% of lines",
        x=int(view.answers[place]),
        y=float(view.upper[place]),
        color=palette.with_person,
        yanchor="bottom",
        yshift=2,
    )


def _add_walks(figure: go.Figure, view: WalkView, palette: Palette) -> None:
    """Several walks in one trace, with gaps between them."""
    gap = np.full((len(view.walks), 1), np.nan)
    rows = np.hstack([view.walks, gap])
    at = np.append(view.answers.astype(np.float64), np.nan)
    together = max(MOST_POINTS // rows.shape[1], 1)
    for first in range(0, len(rows), together):
        some = rows[first : first + together]
        line = {"color": palette.answers, "width": 0.9}
        figure.add_scatter(
            x=np.tile(at, len(some)), y=some.ravel(), mode="lines", line=line, opacity=0.4, hoverinfo="skip"
        )
    for chosen, color, name in (
        (view.inside, palette.with_person, "walks in the band"),
        (~view.inside, palette.attacker, "walks outside"),
    ):
        ends = view.walks[chosen, -1]
        dot = {"size": 5, "color": color}
        figure.add_scatter(
            x=np.full(len(ends), view.answers[-1]), y=ends, mode="markers", marker=dot, hoverinfo="skip", name=name
        )
    _name_outside(figure, view, palette)


def _name_outside(figure: go.Figure, view: WalkView, palette: Palette) -> None:
    """Beside the highest end outside the band, how many there are."""
    ends = view.walks[~view.inside, -1]
    if ends.size:
        words = f"{ends.size} outside"
        look = {"xanchor": "right", "yanchor": "middle", "xshift": -8, "bgcolor": palette.background}
        note(figure, words, x=int(view.answers[-1]), y=float(ends.max()), color=palette.attacker, **look)
