"""Crowds that people hide in: how fast they shrink, how large they are, and what coarser columns buy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpengine.charts.drawing.labels import on_axis
from dpengine.charts.drawing.legends import LESSON_HEIGHT
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import FONT_SIZE, Chart, Palette, blank, note
from dpengine.formatting.numbers import amount, out_of_100

Array = NDArray[np.float64]
BINS = ((1, 1), (2, 4), (5, 9), (10, 99), (100, 10**18))
LEAST_BAR = 0.6
"""Where bars on a logarithmic scale begin, so that a bar of 1 is seen."""


def filters(*, labels: Sequence[str], left: Sequence[int], palette: Palette) -> Chart:
    """How many people are left after each filter, on a logarithmic scale; one alone in the attacker's color."""
    most = float(np.log10(max(left)))
    figure = blank(
        palette,
        x_title="people left",
        y_title="",
        height=LESSON_HEIGHT - 30,
        left=132,
        x={"type": "log", "range": [float(np.log10(LEAST_BAR)), most + 1.7], **_powers(most)},
        y=_listed(palette),
    )
    figure.add_bar(
        y=on_axis(labels),
        x=list(left),
        orientation="h",
        marker={"color": [palette.attacker if count == 1 else palette.answers for count in left]},
        text=[f"<b>{count:,}</b>" for count in left],
        textposition="outside",
        constraintext="none",
        textfont={"color": palette.text, "size": FONT_SIZE},
        hovertemplate="%{y}: %{x:,} people<extra></extra>",
    )
    steps = "; ".join(f"{label}: {count:,}" for label, count in zip(labels, left, strict=True))
    return Chart(
        figure=figure, alt=f"People left after each filter. {steps}.", numbers={"filter": labels, "left": list(left)}
    )


def _powers(most: float) -> dict[str, object]:
    ticks = [10**power for power in range(0, int(most) + 1, 2 if most > 2.0 else 1)]
    return {"tickvals": ticks, "ticktext": [f"{tick:,}" for tick in ticks], "tickangle": 0}


def _listed(palette: Palette) -> dict[str, object]:
    """An axis of names, the first on top."""
    return {"showgrid": False, "autorange": "reversed", "tickfont": {"size": FONT_SIZE, "color": palette.text}}


def crowd_sizes(people: Mapping[int, int], palette: Palette, *, axis: str, whose: str = "people") -> Chart:
    """The share of people (or records) in crowds of each size, crowds of 1 in the attacker's color.

    `people` counts them by the size of their crowd; size 0 stands for those whom nobody fits.
    """
    total = max(sum(people.values()), 1)
    shares = [100.0 * sum(many for size, many in people.items() if low <= size <= high) / total for low, high in BINS]
    names = ["1", *(f"{low}–{high}" for low, high in BINS[1:-1]), f"{BINS[-1][0]}+"]
    colors = [palette.attacker, *[palette.answers] * (len(BINS) - 1)]
    if people.get(0):
        names, shares, colors = ["none", *names], [100.0 * people[0] / total, *shares], [palette.muted, *colors]
    figure = blank(
        palette,
        x_title=axis,
        y_title=f"{whose}, %",
        height=LESSON_HEIGHT - 50,
        x={"type": "category", "tickangle": 0},
        y={"range": [0, 1.22 * max(*shares, 1.0)], "nticks": 5},
    )
    _columns(figure, names, shares, colors, palette)
    said = "; ".join(f"{name}: {amount(share)}%" for name, share in zip(names, shares, strict=True))
    alt = f"Share of {whose} in a crowd of each size. {said}."
    return Chart(figure=figure, alt=alt, numbers={axis: names, f"{whose}, %": shares})


def _columns(figure: object, names: Sequence[str], shares: Sequence[float], colors: object, palette: Palette) -> None:
    figure.add_bar(  # type: ignore[attr-defined]
        x=list(names),
        y=list(shares),
        marker={"color": colors},
        text=[out_of_100(share / 100.0) for share in shares],
        textposition="outside",
        constraintext="none",
        textfont={"color": palette.text, "size": FONT_SIZE},
        cliponaxis=False,
        hovertemplate="%{x}: %{y:.3~g}%<extra></extra>",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """After each column that is added: the shares of people who are alone, and in crowds of fewer than `few`."""

    columns: Sequence[str]
    alone: Sequence[float]
    in_few: Sequence[float]
    few: int


def uniqueness(view: Telling, palette: Palette) -> Chart:
    """Two lines that climb as columns are added, the most telling column first."""
    names = on_axis(view.columns)
    shown = [names[0], *(f"+ {name}" for name in names[1:])]
    figure = blank(
        palette,
        x_title="columns known, one more each",
        y_title="% of people",
        height=LESSON_HEIGHT,
        x={"tickvals": list(range(len(shown))), "ticktext": shown, "range": [-0.4, len(shown) - 0.6]},
        y={"range": [-4, 118], "tickvals": [0, 25, 50, 75, 100]},
    )
    lines = (
        (f"fewer than {view.few} look alike", view.in_few, palette.answers, "dash"),
        ("nobody looks alike", view.alone, palette.attacker, "solid"),
    )
    for name, shares, color, dash in lines:
        figure.add_scatter(
            x=list(range(len(shown))),
            y=[100.0 * share for share in shares],
            mode="lines+markers",
            name=name,
            line={"color": color, "width": 2.6, "dash": dash},
            marker={"size": 10, "color": color},
            hovertemplate=f"%{{y:.3~g}}%, {name}<extra></extra>",
        )
    for place, share in enumerate(view.alone):
        note(figure, f"<b>{out_of_100(share)}%</b>", x=place, y=100.0 * share, color=palette.attacker, yshift=16)
    name_lines(figure, palette)
    last = out_of_100(view.alone[-1])
    alt = f"With {', '.join(view.columns)} together {last}% of people are alone; with only the first, "
    alt += f"{out_of_100(view.alone[0])}%."
    numbers: dict[str, Sequence[object]] = {
        "column added": list(view.columns),
        "alone": list(view.alone),
        f"below {view.few}": list(view.in_few),
    }
    return Chart(figure=figure, alt=alt, numbers=numbers)


def bought(*, labels: Sequence[str], shares: Sequence[float], chosen: int, title: str, palette: Palette) -> Chart:
    """A bar for each way to publish, the chosen one in the attacker's color."""
    figure = blank(
        palette,
        x_title=title,
        y_title="",
        height=LESSON_HEIGHT + 40,
        left=190,
        x={"range": [0, 112], "tickvals": [0, 25, 50, 75, 100]},
        y=_listed(palette),
    )
    figure.add_bar(
        y=on_axis(labels),
        x=[100.0 * share for share in shares],
        orientation="h",
        marker={"color": [palette.attacker if i == chosen else palette.answers for i in range(len(labels))]},
        text=[out_of_100(share) for share in shares],
        textposition="outside",
        constraintext="none",
        textfont={"color": palette.text, "size": FONT_SIZE},
        cliponaxis=False,
        hovertemplate="%{y}: %{x:.3~g}%<extra></extra>",
    )
    said = "; ".join(f"{label}: {out_of_100(share)}%" for label, share in zip(labels, shares, strict=True))
    numbers: dict[str, Sequence[object]] = {"published": list(labels), title: [100.0 * share for share in shares]}
    return Chart(figure=figure, alt=f"{title}. {said}.", numbers=numbers)
