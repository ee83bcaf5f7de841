"""Why noise on several counts is sized for all changes added up: what each count reveals, in its share of epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from dpengine.charts.drawing.theme import Chart, Palette, blank, note, upright
from dpengine.formatting.numbers import amount

HEIGHT, HALF, ALL = 340, 0.3, "All together"
"""The height in pixels, half a frame's height in rows, and the name of the last row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountLoss:
    """One count, the privacy loss of what is published of it, and the largest loss that it can have either way."""

    name: str
    loss: float
    most: float


def shares(counts: Sequence[CountLoss], *, epsilon: float, palette: Palette) -> Chart:
    """A frame for each count that its bar cannot leave; the last one holds all frames, and is no wider than epsilon."""
    together = CountLoss(name=ALL, loss=sum(one.loss for one in counts), most=sum(one.most for one in counts))
    rows = [*counts, together]
    figure = blank(
        palette,
        x_title="privacy loss of what is published",
        y_title="",
        height=HEIGHT,
        left=122,
        x={"range": [-1.2 * epsilon, 1.2 * epsilon], "tickvals": [-epsilon, 0.0, epsilon]},
        y={"type": "category", "range": [len(counts) + 0.6, -1.0], "showgrid": False},
    )
    figure.layout.xaxis.ticktext = [f"−ε = −{amount(epsilon)}", "0", f"ε = {amount(epsilon)}"]
    figure.add_bar(
        x=[one.loss for one in rows],
        y=[f"{one.name}<br>{signed(one.loss)} of ±{amount(one.most)}" for one in rows],
        orientation="h",
        width=HALF,
        marker={"color": [palette.with_person if one.loss > 0.0 else palette.without_person for one in rows]},
        hovertemplate="%{y}<extra></extra>",
    )
    _frames(figure, counts, palette)
    for place in (-epsilon, 0.0, epsilon):
        upright(figure, x=place, line={"color": palette.muted, "width": 1, "dash": "dot"})
    for words, color, anchor in (
        ("you are out", palette.without_person, "right"),
        ("you are in", palette.with_person, "left"),
    ):
        note(figure, words, x=0.0, y=-0.7, color=color, xanchor=anchor, xshift=8 if anchor == "left" else -8)
    alt = f"Privacy loss of each count: {'; '.join(f'{one.name} {signed(one.loss)}' for one in rows)}."
    numbers: dict[str, list[object]] = {
        "count": [one.name for one in rows],
        "privacy loss": [one.loss for one in rows],
        "at most, either way": [one.most for one in rows],
    }
    return Chart(figure=figure, alt=f"{alt} Never above ε = {amount(epsilon)}.", numbers=numbers)


def signed(loss: float) -> str:
    """A loss with its sign as it is printed.

    >>> signed(-0.25), signed(0.25)
    ('−0.25', '0.25')
    """
    return amount(loss).replace("-", "−")


def _frames(figure: go.Figure, counts: Sequence[CountLoss], palette: Palette) -> None:
    """One around each bar, and in the last row all of them, from the middle outward, on both sides."""
    look = {"type": "rect", "fillcolor": palette.band, "line": {"color": palette.muted, "width": 1.4}, "layer": "below"}
    start = 0.0
    for row, one in enumerate(counts):
        figure.add_shape(x0=-one.most, x1=one.most, y0=row - HALF, y1=row + HALF, **look)
        for side in (-1.0, 1.0):
            ends = {"x0": side * start, "x1": side * (start + one.most)}
            figure.add_shape(**ends, y0=len(counts) - HALF, y1=len(counts) + HALF, **look)
        start += one.most
