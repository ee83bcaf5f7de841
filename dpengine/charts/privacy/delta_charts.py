"""What delta allows: single answers held against a whole set of them, and events from common to very rare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpengine.charts.drawing.legends import LESSON_HEIGHT
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import Chart, Palette, blank, level, note, upright
from dpengine.formatting.numbers import amount, at_most, tiny
from dpengine.losses.arrays import Array

MOST_NAMES, LEAST_ROOM, ROOM_OF_SET, TOP = 9, 1.6, 0.36, 1.25
LEAST_TOP, BEYOND = 3.0, 3.0
SUBTRACTED, ADDED = "δ subtracted first", "δ added to ε"


@dataclass(frozen=True, slots=True, kw_only=True)
class OneByOne:
    """A number for each single answer, and for all of them as one set, under the limits that a promise sets.

    `limits` are said in words beside their lines.
    """

    names: Sequence[str]
    singles: Array
    together: float
    limits: Mapping[str, float]
    unit: str = ""


def one_by_one(view: OneByOne, *, axis: str, quantity: str, palette: Palette) -> Chart:
    """A bar for each answer, and apart from them a broad one for the set, with its number above it."""
    count = len(view.names)
    room = max(LEAST_ROOM, ROOM_OF_SET * count)
    place, every = count - 0.5 + 0.5 * room, -(-count // MOST_NAMES)
    top = TOP * max(view.together, float(np.max(view.singles)), *view.limits.values())
    figure = blank(
        palette,
        x_title=axis,
        y_title=quantity,
        height=LESSON_HEIGHT,
        x={
            "tickvals": [*range(0, count, every)],
            "ticktext": list(view.names[::every]),
            "tickangle": 0,
            "range": [-0.7, place + 0.5 * room],
        },
        y={"range": [0.0, top], "nticks": 5},
    )
    figure.add_bar(
        x=np.arange(count),
        y=view.singles,
        name="single answers",
        marker={"color": palette.with_person},
        customdata=list(view.names),
        hovertemplate=f"%{{customdata}}: %{{y:.3~g}}{view.unit}<extra></extra>",
    )
    together = f"{amount(view.together)}{view.unit}"
    figure.add_bar(
        x=[place],
        y=[view.together],
        width=[0.5 * room],
        name="together",
        marker={"color": palette.attacker},
        hovertemplate=f"together: {together}<extra></extra>",
    )
    note(figure, f"<b>together<br>{together}</b>", x=place, y=view.together, color=palette.attacker, yanchor="bottom")
    for words, limit in view.limits.items():
        level(figure, y=limit, line={"color": palette.text, "width": 1.6, "dash": "dash"})
        look = {"xanchor": "left", "yanchor": "bottom", "yshift": 2, "bgcolor": palette.background}
        note(figure, words, x=-0.5, y=limit, color=palette.text, **look)
    said = " and ".join(f"{words} ({amount(limit)}{view.unit})" for words, limit in view.limits.items())
    alt = (
        f"{count} single answers, the largest with {amount(float(np.max(view.singles)))}{view.unit}; "
        f"together {together}. The promise: {said}."
    )
    numbers = {axis: [*view.names, "together"], quantity: [*view.singles, view.together]}
    return Chart(figure=figure, alt=alt, numbers=numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRatios:
    """What two promises allow of the logarithm of a ratio, for events from rare to common; one of them is marked.

    `lower` and `upper` are the ends where delta is subtracted first, `added` both ends where it is added to epsilon.
    """

    chances: Array
    lower: Array
    upper: Array
    added: tuple[Array, Array]
    marked: tuple[float, float]
    delta: float


def log_ratios(view: LogRatios, palette: Palette) -> Chart:
    """A band that opens for rare events, and dashed inside it the one that stays narrow; a dot on the marked event."""
    top = max(LEAST_TOP, 1.08 * float(view.upper[0]))
    powers = range(round(np.log10(view.chances[0])), 1, 2)
    figure = blank(
        palette,
        x_title="chance of the event without you",
        y_title="logarithm of with / without",
        height=LESSON_HEIGHT,
        x={
            "type": "log",
            "range": [powers[0], 0.0],
            "tickvals": [10.0**power for power in powers],
            "ticktext": [tiny(10.0**power) for power in powers],
        },
        y={"range": [-top, top], "nticks": 7},
    )
    solid = {"color": palette.with_person, "width": 2.6}
    dashed = {"color": palette.attacker, "width": 2.6, "dash": "dash"}
    lines = (
        ("", np.maximum(view.lower, -BEYOND * top), {"line": solid}),
        (SUBTRACTED, view.upper, {"line": solid, "fill": "tonexty", "fillcolor": palette.band}),
        ("", view.added[0], {"line": dashed}),
        (ADDED, view.added[1], {"line": dashed}),
    )
    for name, end, look in lines:
        figure.add_scatter(
            x=view.chances, y=end, name=name, mode="lines", hoverinfo="skip", showlegend=bool(name), **look
        )
    chance, marked = view.marked
    dot = {"size": 11, "color": palette.with_person, "line": {"width": 1.5, "color": palette.background}}
    figure.add_scatter(x=[chance], y=[marked], mode="markers", name="this event", marker=dot, hoverinfo="skip")
    figure.data[-1].showlegend = False
    if view.delta:
        upright(figure, x=view.delta, line={"color": palette.muted, "width": 1.4, "dash": "dot"})
        note(figure, "δ", x=float(np.log10(view.delta)), y=-0.97 * top, color=palette.muted, yanchor="bottom", xshift=9)
    name_lines(figure, palette)
    alt = (
        f"An event of chance {tiny(chance)} without the person may have a logarithm of the ratio of up to "
        f"{at_most(marked)} when delta {tiny(view.delta)} is subtracted first."
    )
    numbers = {"chance without": view.chances, "from": view.lower, "to": view.upper}
    numbers |= {"from, delta added to epsilon": view.added[0], "to, delta added to epsilon": view.added[1]}
    return Chart(figure=figure, alt=alt, numbers=numbers)
