"""A room in pictures: how often all together guess right, and which epsilons people would choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.theme import FONT_SIZE, Chart, Palette, blank, level, note
from dpengine.deployments import DEPLOYMENTS
from dpengine.formatting.numbers import amount, nearest_of_100, out_of_100, upper_of_100
from dpengine.frames import EPSILONS

Array = NDArray[np.float64]
HEIGHT, MOST_POINTS, FEWEST_GUESSES, ROOM_FOR_WORDS = 320, 400, 20, 1.3
_DECADES = (1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0, 1e3, 1e4)
_DOTS, _WORDS = 0.78, 0.88
"""Of a row's height: up to where its dots lie, and where its words stand."""
_LEFT = {"xref": "paper", "xanchor": "left"}
_COLUMNS, _LEAST_ROW, _LARGEST_DOT, _SMALLEST_DOT, _AROUND = 60, 6, 11.0, 5.0, 60


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomTrack:
    """Shares of right guesses after so many guesses of the room, with the ends of their intervals; one shape.

    `chance` is how often one is right who does not look, `bound` the most that anybody is in the long run; `before`
    has the bounds of earlier rounds, by their names.
    """

    guesses: NDArray[np.int64]
    shares: Array
    lower: Array
    upper: Array
    chance: float
    bound: float
    before: Sequence[tuple[str, float]] = ()

    @property
    def last(self) -> int:
        """How many guesses there are in all."""
        return int(self.guesses[-1]) if len(self.guesses) else 0


def room_track(track: RoomTrack, palette: Palette) -> Chart:
    """How the share of right guesses settles below the bound, in the band in which the true one may lie."""
    figure = blank(
        palette,
        x_title="guesses of the whole room",
        y_title="right so far, out of 100",
        height=HEIGHT,
        x={"range": [0, max(track.last, FEWEST_GUESSES) * ROOM_FOR_WORDS], "nticks": 6},
        y={"range": [0, 106], "tickvals": [0, 25, 50, 75, 100]},
    )
    _settling(figure, track, palette)
    for name, bound in track.before:
        _level(figure, bound, f"{name}: at most {upper_of_100(bound)}", palette.muted, dash="dash")
    limit = f"in the long run at most {upper_of_100(track.bound)}"
    _level(figure, track.bound, limit, palette.text, dash="dash")
    _level(figure, track.chance, f"tossing a coin: {out_of_100(track.chance)}", palette.muted, dash="dot", below=True)
    columns = {"guesses": track.guesses, "right so far": track.shares, "at least": track.lower, "at most": track.upper}
    numbers = columns if track.last else {name: np.full(1, np.nan) for name in columns}
    return Chart(figure=figure, alt=_track_words(track), numbers=numbers)


def _settling(figure: go.Figure, track: RoomTrack, palette: Palette) -> None:
    edge = {"mode": "lines", "line": {"width": 0.0}, "hoverinfo": "skip", "showlegend": False}
    figure.add_scatter(x=track.guesses, y=100.0 * track.upper, **edge)
    band = {"fill": "tonexty", "fillcolor": palette.band, "name": "where the true share may lie"}
    figure.add_scatter(x=track.guesses, y=100.0 * track.lower, **edge | band)
    if track.last:
        note(figure, "shaded: where our long-run rate may lie", x=0.0, y=6.0, color=palette.muted, **_LEFT)
    figure.add_scatter(
        x=track.guesses,
        y=100.0 * track.shares,
        mode="lines+markers",
        name="right so far",
        line={"color": palette.attacker, "width": 3},
        marker={"size": 7.0 * (track.guesses == track.last), "color": palette.attacker},
        hovertemplate="guess %{x}: %{y:.0f} out of 100 right so far<extra></extra>",
    )


def _level(figure: go.Figure, share: float, words: str, color: str, *, dash: str, below: bool = False) -> None:
    """A level line with its words at its right end."""
    level(figure, y=100.0 * share, line={"color": color, "width": 1.6, "dash": dash})
    look = {"xref": "paper", "xanchor": "right", "yanchor": "top" if below else "bottom"}
    note(figure, words, x=1.0, y=100.0 * share, color=color, **look)


def _track_words(track: RoomTrack) -> str:
    bound = f"in the long run anybody is right in at most {upper_of_100(track.bound)} out of 100"
    if not track.last:
        return f"No guess yet; {bound}, a coin {out_of_100(track.chance)}."
    right = nearest_of_100(float(track.shares[-1]), track.chance)
    return f"After {track.last:,} guesses {right}% were right; {bound}, a coin {out_of_100(track.chance)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """One round: the epsilons of everybody, their median and their middle half, under a name."""

    name: str
    epsilons: Sequence[float]
    median: float
    lower: float
    upper: float


def choices(rounds: Sequence[Chosen], palette: Palette, *, height: int = HEIGHT) -> Chart:
    """A dot for each choice on the dial's scale, stacked where they are alike; a row for each round, last on top."""
    rows = max(len(rounds), 1)
    figure = blank(
        palette,
        x_title="ε, from more private to more exact  (▲ what agencies and companies chose)",
        y_title="",
        height=height,
        left=22,
        x=_scale([epsilon for one in rounds for epsilon in one.epsilons]),
        y={"visible": False, "range": [-0.09 * rows, rows]},
    )
    for place, one in enumerate(rounds):
        color = palette.with_person if place == len(rounds) - 1 else palette.muted
        _row(figure, one, place, palette, color=color, pixels=(height - _AROUND) / (1.09 * rows))
    _others(figure, -0.05 * rows, palette)
    return Chart(figure=figure, alt=_choices_words(rounds), numbers=_columns(rounds))


def _column(epsilon: float) -> int:
    """Choices in one column of the picture would lie over one another."""
    decades = np.log10(EPSILONS[-1] / EPSILONS[0])
    return int(np.floor(_COLUMNS * np.log10(epsilon / EPSILONS[0]) / decades + 0.5))


def _stacked(epsilons: Sequence[float]) -> Counter[int]:
    return Counter(_column(epsilon) for epsilon in epsilons)


def _row(figure: go.Figure, one: Chosen, ground: float, palette: Palette, *, color: str, pixels: float) -> None:
    """The dots of a round above its own ground line, the middle half behind them, the median through them.

    A row is 1 high, and so many pixels.
    """
    top = ground + _DOTS
    each = _DOTS / (max([_LEAST_ROW, *_stacked(one.epsilons).values()]) + 0.5)
    level(figure, y=ground, line={"color": palette.line, "width": 1})
    if one.upper > one.lower:
        place = {"x0": one.lower, "x1": one.upper, "y0": ground, "y1": top}
        figure.add_shape(type="rect", **place, line={"width": 0}, fillcolor=palette.band, layer="below")
    median = {"x0": one.median, "x1": one.median, "y0": ground, "y1": top}
    figure.add_shape(type="line", **median, line={"color": color, "width": 2, "dash": "dash"})
    heights: Counter[int] = Counter()
    stack = []
    for epsilon in sorted(one.epsilons):
        stack.append(ground + each * (heights[_column(epsilon)] + 0.6))
        heights[_column(epsilon)] += 1
    figure.add_scatter(
        x=sorted(one.epsilons),
        y=stack,
        mode="markers",
        name=one.name,
        marker={"size": min(_LARGEST_DOT, max(_SMALLEST_DOT, each * pixels)), "color": color, "symbol": "circle"},
        hovertemplate="ε %{x}<extra></extra>",
    )
    right = one.median > np.sqrt(EPSILONS[0] * EPSILONS[-1])
    side = {"xanchor": "right" if right else "left", "yanchor": "middle", "xshift": -6 if right else 6}
    words = f"{one.name}, middle choice <b>ε {amount(one.median)}</b>"
    note(figure, words, x=float(np.log10(one.median)), y=ground + _WORDS, color=color, **side)


def _others(figure: go.Figure, y: float, palette: Palette) -> None:
    """Small marks below the dots where real deployments stand."""
    figure.add_scatter(
        x=[one.epsilon for one in DEPLOYMENTS],
        y=[y] * len(DEPLOYMENTS),
        mode="markers",
        name="what others chose",
        marker={"size": FONT_SIZE / 2.0, "color": palette.sampling, "symbol": "triangle-up"},
        customdata=[[one.short, one.unit] for one in DEPLOYMENTS],
        hovertemplate="%{customdata[0]}: ε %{x} for %{customdata[1]}<extra></extra>",
    )


def _scale(epsilons: Sequence[float]) -> dict[str, object]:
    ends = min([EPSILONS[0], *epsilons]), max([EPSILONS[-1], *epsilons])
    return {
        "type": "log",
        "range": [float(np.log10(ends[0])) - 0.06, float(np.log10(ends[1])) + 0.06],
        "tickvals": _DECADES,
        "ticktext": [amount(decade) for decade in _DECADES],
        "showgrid": True,
    }


def _choices_words(rounds: Sequence[Chosen]) -> str:
    said = "; ".join(
        f"{one.name}: {len(one.epsilons)} chose, median ε {amount(one.median)}, "
        f"from {amount(min(one.epsilons))} to {amount(max(one.epsilons))}"
        for one in rounds
    )
    return f"{said}." if said else f"No choices yet on the scale of ε from {EPSILONS[0]:g} to {EPSILONS[-1]:g}."


def _columns(rounds: Sequence[Chosen]) -> dict[str, list[object]]:
    rows = [(one.name, epsilon) for one in rounds for epsilon in sorted(one.epsilons)] or [("none", np.nan)]
    return {"round": [name for name, _ in rows], "ε": [epsilon for _, epsilon in rows]}
