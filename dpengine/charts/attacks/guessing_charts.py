"""The guessing game in pictures: who is counted, how often players win, what an attacker believes after each answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import LESSON_HEIGHT, legend_above
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import Chart, Palette, blank, level, note
from dpengine.formatting.numbers import nearest_of_100, out_of_100, upper_of_100

Array = NDArray[np.float64]
ROWS, MOST_DOTS, MOST_POINTS, FEWEST_ROUNDS = 8, 240, 400, 20


def counted(*, without: int, person: str, unit: str, palette: Palette, step: int = 1) -> Chart:
    """All that is counted as dots, and the person, whose `step` units are in question; many stand for several each."""
    each = max(1, -(-(without + 1) // MOST_DOTS))
    dots = -(-without // each)
    places = np.arange(dots + 1)
    column, row = places // ROWS, ROWS - 1 - places % ROWS
    figure = blank(
        palette,
        x_title=f"each small dot: {'one' if each == 1 else f'{each:,}'} of the {unit} counted",
        y_title="",
        left=22,
        height=LESSON_HEIGHT,
        x={"showticklabels": False, "range": [-1.0, max(float(column[-1]), 8.0) + 1.0]},
        y={"visible": False, "range": [-0.8, ROWS - 0.2]},
    )
    groups = (
        (f"others: {without:,}", slice(0, dots), palette.answers, 10),
        (f"{person}: in or not?", slice(dots, dots + 1), palette.with_person, 17),
    )
    for name, chosen, color, size in groups:
        marker = {"size": size, "color": color, "symbol": "circle"}
        figure.add_scatter(x=column[chosen], y=row[chosen], mode="markers", name=name, marker=marker, hoverinfo="skip")
    legend_above(figure, palette)
    alt = f"{without:,} {unit} are counted without {person}, {without + step:,} with {person}."
    return Chart(figure=figure, alt=alt, numbers={"counted": ["without", "with"], unit: [without, without + step]})


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """Right or wrong of each player, round by round, beside the chance line and the most that anybody wins."""

    players: Sequence[tuple[str, Sequence[bool]]]
    chance: float
    bound: float


def score_track(track: Track, palette: Palette) -> Chart:
    """The share of rounds won so far, one line for each player; it settles towards what is possible."""
    rounds = max(len(wins) for _, wins in track.players)
    figure = blank(
        palette,
        x_title="rounds played",
        y_title="won so far, out of 100",
        height=LESSON_HEIGHT + 10,
        x={"range": [0, max(rounds, FEWEST_ROUNDS) + 0.5], "nticks": 8},
        y={"range": [0, 108], "tickvals": [0, 25, 50, 75, 100]},
    )
    _level(figure, track.bound, f"at most {upper_of_100(track.bound)}", palette.text, "dash")
    _level(figure, track.chance, f"pure chance: {out_of_100(track.chance)}", palette.muted, "dot", below=True)
    numbers: dict[str, Array] = {"round": np.arange(1.0, max(rounds, 1) + 1.0)}
    looks = ({"color": palette.attacker, "width": 3}, {"color": palette.exact, "width": 2.2, "dash": "dash"})
    for (name, wins), look in zip(track.players, looks, strict=True):
        shares = np.cumsum(np.asarray(wins, dtype=np.float64)) / np.arange(1.0, len(wins) + 1.0)
        numbers[name] = np.concatenate([shares, np.full(max(rounds, 1) - len(shares), np.nan)])
        _shares(figure, name, shares, look)
    name_lines(figure, palette)
    return Chart(figure=figure, alt=_track_words(track, rounds), numbers=numbers)


def _shares(figure: go.Figure, name: str, shares: Array, look: dict[str, object]) -> None:
    places = np.unique(np.linspace(0, max(len(shares) - 1, 0), MOST_POINTS).astype(int))[: len(shares)]
    last = [7.0 if place == len(shares) - 1 else 0.0 for place in places]
    figure.add_scatter(
        x=places + 1.0,
        y=100.0 * shares[places],
        mode="lines+markers",
        name=name,
        line=look,
        marker={"size": last, "color": look["color"]},
        hovertemplate=f"round %{{x}}: {name} %{{y:.0f}} out of 100<extra></extra>",
    )


def _track_words(track: Track, rounds: int) -> str:
    won = "; ".join(f"{name} won {sum(wins)}" for name, wins in track.players)
    bound = f"in the long run any player wins at most {upper_of_100(track.bound)} out of 100"
    return f"After {rounds} rounds: {won}; {bound}, pure chance {out_of_100(track.chance)}."


def _level(figure: go.Figure, share: float, words: str, color: str, dash: str, *, below: bool = False) -> None:
    """A level line with its words at its right end."""
    level(figure, y=100.0 * share, line={"color": color, "width": 1.6, "dash": dash})
    look = {"xref": "paper", "xanchor": "right", "yanchor": "top" if below else "bottom"}
    note(figure, words, x=1.0, y=100.0 * share, color=color, **look)


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefPath:
    """Beliefs before any answer and after each, and how far answers could have moved them at most; one shape."""

    beliefs: Array
    lower: Array
    upper: Array
    person: str
    edge: str = "upper limit for any attacker"


def belief_path(path: BeliefPath, palette: Palette) -> Chart:
    """What the best attacker believes after each answer, within what the promise allows."""
    seen = np.arange(float(len(path.beliefs)))
    figure = blank(
        palette,
        x_title="answers seen",
        y_title=f"belief that {path.person} is in, out of 100",
        height=LESSON_HEIGHT + 10,
        x={"range": [-0.1, float(seen[-1]) + 0.35], "tickvals": seen, "dtick": 1},
        y={"range": [-3, 108], "tickvals": [0, 25, 50, 75, 100]},
    )
    edge = {"mode": "lines", "line": {"color": palette.text, "width": 1.2, "dash": "dash"}, "hoverinfo": "skip"}
    figure.add_scatter(x=seen, y=100.0 * path.upper, name=path.edge, **edge)
    figure.add_scatter(x=seen, y=100.0 * path.lower, fill="tonexty", fillcolor=palette.band, showlegend=False, **edge)
    level(figure, y=50.0, line={"color": palette.muted, "width": 1, "dash": "dot"})
    figure.add_scatter(
        x=seen,
        y=100.0 * path.beliefs,
        mode="lines+markers",
        name="best possible attacker",
        line={"color": palette.attacker, "width": 3},
        marker={"size": 9},
        hovertemplate="after %{x} answers: %{y:.3~g} out of 100<extra></extra>",
    )
    last, first = float(path.beliefs[-1]), float(path.beliefs[0])
    words, look = f"<b>{nearest_of_100(last, first)}</b>", {"xanchor": "left", "xshift": 9}
    note(figure, words, x=float(seen[-1]), y=100.0 * last, color=palette.attacker, **look)
    name_lines(figure, palette)
    alt = (
        f"Belief that {path.person} is in: {nearest_of_100(first, 0.0)} out of 100 before any answer, "
        f"{nearest_of_100(last, first)} after {len(seen) - 1}."
    )
    numbers = {"answers seen": seen, "belief": path.beliefs, "at least": path.lower, "at most": path.upper}
    return Chart(figure=figure, alt=alt, numbers=numbers)
