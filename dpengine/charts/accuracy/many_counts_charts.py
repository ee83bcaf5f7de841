"""What each way to answer many counts errs by, side by side, and what no way can do better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from dpengine.charts.drawing.theme import Chart, Palette, blank, note
from dpengine.formatting.numbers import at_least, at_most

_ROOM, _ROW, _AROUND, _HEADED = 1.3, 30, 82, 1.6
_THICK, _LABELS = 0.66, 186


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One measure of all ways: its name, the error of each in the unit, and one below which no way at all can stay."""

    measure: str
    errors: Sequence[float]
    least: float = 0.0


def side_by_side(ways: Sequence[str], compared: Sequence[Compared], *, unit: str, palette: Palette) -> Chart:
    """A bar for each way in the order of `ways`, below a heading for each measure; the best has the stronger color.

    A line marks the least possible error, where it is known.
    """
    longest, block = max(error for one in compared for error in one.errors), len(ways) + _HEADED
    figure = blank(
        palette,
        x_title=f"off by at most,<br>{unit}",
        y_title="",
        height=int(_AROUND + _ROW * block * len(compared)),
        left=_LABELS,
        x={"range": [0, _ROOM * longest], "nticks": 5},
        y={"visible": False, "range": [block * len(compared) - _HEADED / 2, -_HEADED]},
    )
    figure.update_layout(margin_b=66)
    for group, one in enumerate(compared):
        _draw(figure, one, top=block * group, palette=palette)
        for place, way in enumerate(ways):
            note(figure, way, x=0, y=block * group + place, xanchor="right", xshift=-8, color=palette.text)
    named = (f"{one.measure}: {ways[_best(one)]}, {at_most(min(one.errors))}" for one in compared)
    numbers = {"way": [*ways]} | {f"{one.measure}, {unit}": [*one.errors] for one in compared}
    return Chart(figure=figure, alt=f"Errs least in {unit}, for {'; '.join(named)}.", numbers=numbers)


def _best(one: Compared) -> int:
    return list(one.errors).index(min(one.errors))


def _draw(figure: go.Figure, one: Compared, *, top: float, palette: Palette) -> None:
    """One measure: its name above, the bars below, and the line before which no way ends."""
    places, best = [top + place for place in range(len(one.errors))], min(one.errors)
    figure.add_bar(
        x=[*one.errors],
        y=places,
        width=_THICK,
        orientation="h",
        text=[at_most(error) for error in one.errors],
        textposition="outside",
        cliponaxis=False,
        marker={"color": [palette.with_person if error == best else palette.answers for error in one.errors]},
        hoverinfo="skip",
    )
    note(figure, f"<b>{one.measure}</b>", x=0, y=top - 0.85, xanchor="left", color=palette.text)
    if one.least:
        line = {"color": palette.text, "width": 2}
        figure.add_shape(type="line", x0=one.least, x1=one.least, y0=top - 0.45, y1=places[-1] + 0.45, line=line)
        words = f"no noise stays below {at_least(one.least)}"
        note(figure, words, x=0, y=places[-1] + 0.66, xanchor="left", xshift=-_LABELS // 2, color=palette.text)
