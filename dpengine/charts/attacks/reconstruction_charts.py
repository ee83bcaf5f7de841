"""Reconstruction drawn: who is in which group, which secret bits were recovered, and how that depends on the noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import LESSON_HEIGHT, legend_above
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import FONT_SIZE, Chart, Palette, blank, note, upright
from dpengine.formatting.numbers import amount
from dpengine.queries.sensitivity.sentences import agreeing

Array = NDArray[np.float64]
Bits = NDArray[np.bool_]
SHOWN_GROUPS, SHOWN_PEOPLE, FAINT, NEARLY_NONE = 9, 32, 0.3, 5.0


def groups(*, members: Bits, answers: Array, palette: Palette) -> Chart:
    """The first groups as rows of people, those in the group dark, and what was published about each at its end.

    `members` has a row for each group and a column for each person; `answers` are the published counts.
    """
    asked, people = min(len(members), SHOWN_GROUPS), min(members.shape[1], SHOWN_PEOPLE)
    figure = blank(
        palette,
        x_title=f"the first {people} of {members.shape[1]} people → published",
        y_title="group",
        height=LESSON_HEIGHT + 20,
        left=46,
        x={"range": [-0.6, 1.14 * people], "showticklabels": False, "ticks": ""},
        y={"range": [asked + 0.6, 0.4], "dtick": 1, "showgrid": False},
    )
    figure.add_heatmap(
        x=np.arange(people),
        y=np.arange(1, asked + 1),
        z=members[:asked, :people].astype(np.float64),
        zmin=0.0,
        zmax=1.0,
        colorscale=[(0.0, palette.line), (0.5, palette.line), (0.5, palette.with_person), (1.0, palette.with_person)],
        showscale=False,
        xgap=2,
        ygap=6,
        hoverinfo="skip",
    )
    for name, color in (("in the group", palette.with_person), ("not in it", palette.line)):
        marker = {"size": 11, "color": color, "symbol": "square"}
        figure.add_scatter(x=[None], y=[None], mode="markers", name=name, marker=marker)
    font = {"size": FONT_SIZE, "color": palette.attacker}
    told = [amount(answer, 4) for answer in answers[:asked]]
    figure.add_scatter(
        x=np.full(asked, float(people)),
        y=np.arange(1, asked + 1),
        mode="text",
        text=[f"<b>{one}</b>" for one in told],
        textposition="middle right",
        textfont=font,
        hoverinfo="skip",
        showlegend=False,
    )
    legend_above(figure, palette)
    alt = f"Random groups among {members.shape[1]} people; published of the first {asked}: {', '.join(told)}."
    numbers = {"group": np.arange(1, len(members) + 1), "people": members.sum(axis=1), "published": answers}
    return Chart(figure=figure, alt=alt, numbers=numbers)


def recovered(*, secret: Bits, guessed: Bits, palette: Palette, height: int = LESSON_HEIGHT) -> Chart:
    """Every person as a square: recovered ones in the attacker's color, dark for yes and light for no; × if wrong."""
    people, right = len(secret), secret == guessed
    columns = _columns(people)
    rows = -(-people // columns)
    kinds = np.where(right, np.where(secret, 2.0, 1.0), 0.0)
    tint = _faint(palette.attacker)
    colors = (palette.line, tint, palette.attacker)
    scale = [(step / 3, color) for place, color in enumerate(colors) for step in (place, place + 1)]
    figure = blank(
        palette,
        x_title=f"{people} people, one square each",
        y_title="",
        height=height,
        left=14,
        x={"showticklabels": False, "ticks": "", "range": [-0.5, columns - 0.5], "showgrid": False},
        y={"visible": False, "range": [rows - 0.5, -0.5]},
    )
    figure.add_heatmap(
        x=np.arange(columns),
        y=np.arange(rows),
        z=_grid(kinds, np.nan, columns),
        text=_grid(np.where(right, "", "×"), "", columns),
        texttemplate="%{text}",
        textfont={"size": 18 if people <= 256 else 12, "color": palette.text},
        zmin=0.0,
        zmax=2.0,
        colorscale=scale,
        showscale=False,
        xgap=2,
        ygap=2,
        hovertext=_grid(np.where(secret, "secret: yes", "secret: no"), "", columns),
        hoverinfo="text",
    )
    for name, color, symbol in (
        ("yes, recovered", palette.attacker, "square"),
        ("no, recovered", tint, "square"),
        ("guessed wrong", palette.text, "x-thin"),
    ):
        marker = {"size": 11, "color": color, "symbol": symbol, "line": {"color": color, "width": 2}}
        figure.add_scatter(x=[None], y=[None], mode="markers", name=name, marker=marker)
    legend_above(figure, palette)
    recovered, wrong = int(right.sum()), int((~right).sum())
    alt = f"Of {people} yes/no secrets, {recovered} {agreeing(recovered, 'are')} recovered and {wrong} "
    alt += f"{agreeing(wrong, 'are')} wrong."
    return Chart(
        figure=figure, alt=alt, numbers={"person": np.arange(1, people + 1), "secret": secret, "guessed": guessed}
    )


def _columns(people: int) -> int:
    """About twice as wide as high; a power of two where it can be."""
    return (
        people if people <= 8 else int(2 ** math.ceil(math.log2(people) / 2 + 0.3)) if people > 24 else -(-people // 2)
    )


def _grid(values: NDArray[np.generic], beyond: object, columns: int) -> NDArray[np.generic]:
    """In rows from the left, filled up."""
    missing = -len(values) % columns
    return np.concatenate([values, np.full(missing, beyond, dtype=values.dtype)]).reshape(-1, columns)


def _faint(color: str) -> str:
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red},{green},{blue},{FAINT})"


def tables_left(*, wrong: NDArray[np.int64], people: int, guarantee: int | None, palette: Palette) -> Chart:
    """How many tables contradict no count, by the number of people whom they get wrong, and the proved end of them."""
    places = np.arange(people + 1)
    counts = np.bincount(wrong, minlength=people + 1)
    figure = blank(
        palette,
        x_title="people a table gets wrong",
        y_title="tables left",
        height=LESSON_HEIGHT - 80,
        x={"range": [-0.7, people + 0.7], "dtick": 1 if people <= 12 else 2},
        y={"rangemode": "tozero", "nticks": 4, "tickformat": ",d", "range": [0, 1.22 * float(counts.max())]},
    )
    hover = "%{y:,} tables get %{x} wrong<extra></extra>"
    figure.add_bar(x=places, y=counts, marker={"color": palette.attacker}, hovertemplate=hover)
    if guarantee is not None and guarantee < people:
        upright(figure, x=guarantee + 0.5, line={"color": palette.exact, "width": 2, "dash": "dash"})
        words = f"proved: at most 4E = {guarantee}"
        side = {"xanchor": "left", "xshift": 6} if guarantee <= people / 2 else {"xanchor": "right", "xshift": -6}
        note(figure, words, x=guarantee + 0.5, y=0.98, yref="paper", yanchor="top", color=palette.exact, **side)
    alt = (
        f"{len(wrong):,} of {2**people:,} tables {agreeing(len(wrong), 'contradict')} no count; the farthest gets "
        f"{int(wrong.max())} of {people} people wrong."
    )
    return Chart(figure=figure, alt=alt, numbers={"people wrong": places, "tables left": counts})


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareLine:
    """Shares at some places; `least` and `most` of several runs where there are any."""

    label: str
    shares: Array
    color: str
    dash: str = "solid"
    least: Array | None = None
    most: Array | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareView:
    """What the shares are drawn over (a logarithmic axis), both titles, and the marks on it (place, words, color).

    `chance` is the share that is right without looking, None where there is none to draw.
    """

    at: Array
    x_title: str
    y_title: str
    marks: Sequence[tuple[float, str, str]] = ()
    chance: float | None = None
    ticks: Sequence[float] = ()
    top: float = 104.0


def shares(view: ShareView, lines: Sequence[ShareLine], palette: Palette) -> Chart:
    """Shares of people, in per cent, with whiskers from the least to the most of the runs at each place."""
    low, high = (float(np.log10(end)) for end in (view.at[0], view.at[-1]))
    room = 0.06 * (high - low)
    ticks = list(view.ticks) or [float(one) for one in view.at]
    figure = blank(
        palette,
        x_title=view.x_title,
        y_title=view.y_title,
        height=LESSON_HEIGHT + 30,
        x={
            "type": "log",
            "range": [low - room, high + room],
            "tickvals": ticks,
            "ticktext": [amount(tick, 7) for tick in ticks],
        },
        y={"range": [_floor(view, lines), view.top], "nticks": 6},
    )
    for line in lines:
        _add(figure, view, line)
    if view.chance is not None:
        look = {"color": palette.muted, "width": 1.8, "dash": "dot"}
        places, both = [float(view.at[0]), float(view.at[-1])], [100.0 * view.chance] * 2
        name = f"pure chance: {amount(both[0])}"
        figure.add_scatter(x=places, y=both, mode="lines", line=look, name=name, hoverinfo="skip")
    for height, mark in zip((0.0, 0.11, 0.22), view.marks, strict=False):
        _mark(figure, mark, span=(low - room, high + room), height=height, palette=palette)
    name_lines(figure, palette)
    told = "; ".join(
        f"{line.label} from {amount(100 * line.shares[0])} to {amount(100 * line.shares[-1])}%" for line in lines
    )
    ends = f"{amount(float(view.at[0]))} to {amount(float(view.at[-1]))}"
    numbers: dict[str, Array] = {view.x_title: view.at}
    for line in lines:
        numbers |= {line.label: line.shares} | _whiskers(line)
    return Chart(figure=figure, alt=f"{view.y_title}, over {ends} ({view.x_title}): {told}.", numbers=numbers)


def _mark(
    figure: go.Figure, mark: tuple[float, str, str], *, span: tuple[float, float], height: float, palette: Palette
) -> None:
    """A named line down to the axis; an arrow where its place lies beyond the picture."""
    place, words, color = mark
    at = float(np.log10(place))
    words = f"{words} →" if at > span[1] else f"← {words}" if at < span[0] else words
    if span[0] <= at <= span[1]:
        upright(figure, x=place, line={"color": color, "width": 1.6, "dash": "dash"})
    left = at > sum(span) / 2
    side: dict[str, object] = {"xanchor": "right", "xshift": -5} if left else {"xanchor": "left", "xshift": 5}
    x = min(max(at, span[0]), span[1])
    note(figure, words, x=x, y=height, yref="paper", yanchor="bottom", color=color, bgcolor=palette.background, **side)


def _floor(view: ShareView, lines: Sequence[ShareLine]) -> float:
    """0, or somewhat below chance where nothing lies below; never a little above 0."""
    if view.chance is None:
        return 0.0
    lowest = min([view.chance, *(float(np.min(line.shares if line.least is None else line.least)) for line in lines)])
    floor = 100.0 * lowest - (12.0 if view.marks else 6.0)
    return floor if floor > NEARLY_NONE else 0.0


def _add(figure: go.Figure, view: ShareView, line: ShareLine) -> None:
    whiskers = {}
    if line.least is not None and line.most is not None:
        up, down = 100.0 * (line.most - line.shares), 100.0 * (line.shares - line.least)
        whiskers = {"error_y": {"array": up, "arrayminus": down, "thickness": 1.2, "width": 4, "color": line.color}}
    figure.add_scatter(
        x=view.at,
        y=100.0 * line.shares,
        mode="lines+markers" if whiskers else "lines",
        name=line.label,
        line={"color": line.color, "width": 2.4, "dash": line.dash},
        marker={"size": 7},
        hovertemplate=f"%{{x:,.3~g}}: %{{y:.3~g}}%, {line.label}<extra></extra>",
        **whiskers,
    )


def _whiskers(line: ShareLine) -> dict[str, Array]:
    if line.least is None or line.most is None:
        return {}
    return {f"{line.label}, least": line.least, f"{line.label}, most": line.most}
