"""Two worlds side by side: the chances of the same outputs with one person's data and without it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import LESSON_HEIGHT, legend_above
from dpengine.charts.drawing.theme import Chart, Palette, blank, note
from dpengine.formatting.numbers import amount
from dpengine.losses.definitions import TwoLaws

Array = NDArray[np.float64]
MOST_NAMES, LONGEST_NAME = 9, 8
FADED, GAP = 0.25, 0.15


def two_worlds(
    *,
    outputs: Sequence[str],
    laws: TwoLaws,
    axis: str,
    palette: Palette,
    worlds: tuple[str, str] = ("with you", "without you"),
    chosen: int | None = None,
    up_to: float | None = None,
) -> Chart:
    """Two bars for each output, blue with the person, orange without; all but the first `chosen` outputs faded.

    Where the axis ends at `up_to` per cent, higher bars are cut off, and every bar has its number beside it.
    """
    pairs = (
        (worlds[0], laws.with_person, palette.with_person),
        (worlds[1], laws.without_person, palette.without_person),
    )
    count = len(outputs)
    every = -(-count // MOST_NAMES)
    places = np.arange(count)
    figure = blank(
        palette,
        x_title=axis,
        y_title="chance, %",
        height=LESSON_HEIGHT,
        x={
            "tickvals": places[count // 2 % every :: every],
            "ticktext": [broken(name) for name in outputs[count // 2 % every :: every]],
            "tickangle": 0,
            "range": [-0.7, count - 0.3],
        },
        y={"rangemode": "tozero", "nticks": 5},
    )
    shown = np.where(places < (count if chosen is None else chosen), 1.0, FADED)
    for name, chances, color in pairs:
        figure.add_bar(
            x=places,
            y=100.0 * chances,
            name=name,
            customdata=list(outputs),
            marker={"color": color, "opacity": shown},
            hovertemplate=f"%{{customdata}}, {name}: %{{y:.3~g}}%<extra></extra>",
        )
    figure.layout.bargap, figure.layout.bargroupgap = GAP, 0.0
    if any("<br>" in broken(name) for name in outputs):
        figure.layout.margin.b = 64
    if up_to is not None:
        _cut(figure, laws, up_to, palette)
    legend_above(figure, palette)
    least, most = laws.ratio_range
    alt = (
        f"{count} outputs, each with its chance in two worlds; {worlds[0]}, an output is from "
        f"{amount(least)} to {amount(most)} times as likely as {worlds[1]}."
    )
    return Chart(figure=figure, alt=alt, numbers={axis: list(outputs)} | {name: chances for name, chances, _ in pairs})


def _cut(figure: go.Figure, laws: TwoLaws, up_to: float, palette: Palette) -> None:
    """End the axis there, and write each chance above its bar; into a pair of which one is cut off, both chances."""
    figure.layout.yaxis.range = (0.0, up_to)
    aside = (1.0 - GAP) / 4.0
    for place, pair in enumerate(100.0 * np.stack([laws.with_person, laws.without_person], axis=1)):
        said = [f"{amount(chance)}%" for chance in pair]
        if max(pair) > up_to:
            inside = {"yanchor": "top", "bgcolor": palette.background}
            words = f"{' and '.join(dict.fromkeys(said))}<br>(cut off)"
            note(figure, words, x=place, y=0.96 * up_to, color=palette.text, **inside)
            continue
        for shift, chance, words in zip((-aside, aside), pair, said, strict=True):
            note(figure, words, x=place + shift, y=float(chance), color=palette.text, yanchor="bottom")


def broken(name: str) -> str:
    """A long name on two lines, broken at the space nearest to its middle.

    >>> broken("40"), broken("somebody else's row")
    ('40', "somebody<br>else's row")
    """
    spaces = [place for place, sign in enumerate(name) if sign == " "]
    if len(name) <= LONGEST_NAME or not spaces:
        return name
    middle = min(spaces, key=lambda place: abs(place - len(name) / 2))
    return f"{name[:middle]}<br>{name[middle + 1 :]}"
