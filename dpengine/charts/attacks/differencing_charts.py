"""Two counts beside each other, and what is left when one is taken from the other."""

from __future__ import annotations

import numpy as np

from dpengine.charts.drawing.theme import HEIGHT, PLAIN_NUMBERS, Chart, Palette, blank, note

ROOM = 1.45


def subtraction(*, everybody: int, others: int, person: str, subtracted: bool, palette: Palette) -> Chart:
    """Both exact answers as bars, in people; once subtracted, with the difference beside them."""
    names = ["first count", "second count"]
    figure = blank(
        palette,
        x_title="people counted",
        y_title="",
        height=HEIGHT,
        left=124,
        x={"range": [0.0, ROOM * max(everybody, 1)], "nticks": 6, **PLAIN_NUMBERS},
        y={"autorange": "reversed", "type": "category", "showgrid": False},
    )
    figure.add_bar(
        x=[everybody, others],
        y=names,
        orientation="h",
        text=[f"<b>{everybody:,}</b>", f"<b>{others:,}</b>"],
        textposition="outside",
        constraintext="none",
        cliponaxis=False,
        marker={"color": [palette.with_person, palette.without_person]},
        hovertemplate="%{y}: %{x:,}<extra></extra>",
    )
    if subtracted:
        words = f"{everybody:,} − {others:,} = <b>{everybody - others}</b>"
        note(figure, words, x=0.99, y=0.5, color=palette.attacker, xref="paper", yref="paper", xanchor="right")
    told = f"; the difference is {everybody - others}" if subtracted else ""
    alt = f"{everybody:,} people have the trait, {others:,} without counting {person}{told}."
    return Chart(figure=figure, alt=alt, numbers={"asked about": names, "people": np.array([everybody, others])})
