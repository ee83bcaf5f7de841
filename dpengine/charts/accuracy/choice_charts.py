"""Which candidate is reported: the chance of each, beside its score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import LESSON_HEIGHT, legend_above
from dpengine.charts.drawing.theme import FONT_SIZE, Chart, Palette, blank
from dpengine.formatting.numbers import amount, out_of_100

Array = NDArray[np.float64]
LEAST_SHOWN = 1e-4
Way = tuple[str, Array, str]


def choices(*, labels: Sequence[str], axis: str, ways: Sequence[Way], palette: Palette) -> Chart:
    """A bar for each candidate and each way to choose (its name, its chances, its color), the number above."""
    figure = blank(
        palette,
        x_title=axis,
        y_title="reported, % of times",
        height=LESSON_HEIGHT + 20,
        x={"type": "category", "tickangle": 0},
        y={"range": [0, 112], "tickvals": [0, 25, 50, 75, 100]},
    )
    for name, chances, color in ways:
        hover = f"%{{x}}, {name}: %{{y:.3~g}}%<extra></extra>"
        texts = [_above(chance) if len(ways) == 1 else "" for chance in chances]
        figure.add_bar(
            x=list(labels),
            y=100.0 * chances,
            name=name,
            text=texts,
            textposition="outside",
            constraintext="none",
            textfont={"size": FONT_SIZE},
            cliponaxis=False,
            marker={"color": color},
            hovertemplate=hover,
        )
    figure.layout.bargap, figure.layout.bargroupgap, figure.layout.margin.b = 0.25, 0.0, 68
    if len(ways) > 1:
        legend_above(figure, palette)
    first = "; ".join(f"{name} {amount(100.0 * float(chances[0]))}%" for name, chances, _ in ways)
    alt = f"{labels[0].replace('<br>', ', ')} is reported this often: {first}."
    numbers: dict[str, Sequence[object] | Array] = {"candidate": [label.replace("<br>", ", ") for label in labels]}
    return Chart(figure=figure, alt=alt, numbers=numbers | {name: chances for name, chances, _ in ways})


def _above(chance: float) -> str:
    return out_of_100(chance) if chance >= LEAST_SHOWN else "≈ 0"
