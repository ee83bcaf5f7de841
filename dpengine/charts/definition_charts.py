"""Two worlds side by side: the chances of the same outputs with one person's data and without it."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from dpengine.charts.numbers import amount
from dpengine.charts.theme import FONT_SIZE, Chart, Palette, blank
from dpengine.losses.definitions import TwoLaws

BAR_HEIGHT = 300
MOST_NAMES = 12


def two_worlds(
    *,
    outputs: Sequence[str],
    laws: TwoLaws,
    axis: str,
    palette: Palette,
    worlds: tuple[str, str] = ("with you", "without you"),
    height: int = BAR_HEIGHT,
) -> Chart:
    """Two bars for each output, blue with the person, orange without."""
    figure = blank(
        palette,
        x_title=axis,
        y_title="chance, of 100",
        height=height,
        x={"type": "category", "tickangle": 0, "nticks": MOST_NAMES},
        y={"rangemode": "tozero", "nticks": 5},
    )
    pairs = (
        (worlds[0], laws.with_person, palette.with_person),
        (worlds[1], laws.without_person, palette.without_person),
    )
    for name, chances, color in pairs:
        figure.add_bar(
            x=list(outputs),
            y=100.0 * chances,
            name=name,
            marker={"color": color},
            hovertemplate=f"%{{x}}, {name}: %{{y:.3~g}} of 100<extra></extra>",
        )
    figure.update_layout(bargap=0.15, bargroupgap=0.0)
    _legend(figure, palette)
    least, most = laws.ratio_range
    alt = (
        f"{len(outputs)} outputs, each with its chance in two worlds; {worlds[0]}, an output is between "
        f"{amount(least)} and {amount(most)} times as likely as {worlds[1]}."
    )
    return Chart(figure=figure, alt=alt, numbers={axis: list(outputs)} | {name: chances for name, chances, _ in pairs})


def _legend(figure: go.Figure, palette: Palette) -> None:
    """The names of the two worlds, above the picture."""
    place = {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "itemclick": False, "itemdoubleclick": False}
    font = {"size": FONT_SIZE, "color": palette.text}
    figure.update_layout(showlegend=True, legend={**place, "font": font, "bgcolor": "rgba(0,0,0,0)"})
    figure.update_layout(margin_t=34)
