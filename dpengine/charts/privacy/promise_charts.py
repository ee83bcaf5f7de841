"""What a promise comes to: a range of epsilons for each stretch of time and each person, on one scale with the odds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go

from dpengine.beliefs import odds_out_of_100
from dpengine.charts.drawing.theme import Chart, Palette, blank, note
from dpengine.formatting.numbers import amount, at_least, at_most, tiny_at_most
from dpengine.privacy import Guarantee
from dpengine.promises import Total

ROW, DIGITS = 21, 4
"""Pixels of one line; digits of an epsilon, which people state in up to four."""
EDGES = (0.1, 1.0, 5.0)
"""Where the bands of odds meet."""
NO_LIMIT, NOTHING = "no limit", "promises nothing"
_LEFT, _STAIR, _BELOW = 150, 18, 46
_SYMBOLS = ("circle", "square", "diamond")
_FURTHEST = 1e12


@dataclass(frozen=True, slots=True, kw_only=True)
class LossRow:
    """One stretch of time: the totals by whom they are for, or in `untold` words why there are none."""

    heading: str
    totals: Mapping[str, Total] = field(default_factory=dict)
    untold: str = ""


def between(total: Total) -> str:
    """The epsilons of a total: one, a range that is never narrower than the truth, or in words.

    A total whose most is infinite has no upper limit; one whose least is promises nothing.
    """
    if total.promises_nothing:
        return NOTHING
    if math.isinf(total.most):
        return f"{at_least(total.least, DIGITS)} to {NO_LIMIT}"
    if total.least == total.most:
        return at_most(total.most, DIGITS)
    ends = at_least(total.least, DIGITS), at_most(total.most, DIGITS)
    return ends[1] if ends[0] == ends[1] else " to ".join(ends)


def ranges(rows: Sequence[LossRow], palette: Palette) -> Chart:
    """Each row's heading, and below it a line a person: from the least epsilon that can be told to the most.

    An open end is an arrow at the right; at the edge of each band stands how often an attacker can be right there.
    """
    lines = list(_lines(rows))
    ends = _ends([total for _, _, total in lines if total is not None])
    above = _STAIR * (_stairs(ends) + 1) + 6
    figure = blank(
        palette,
        x_title="ε in all",
        y_title="",
        height=ROW * len(lines) + above + _BELOW,
        left=_LEFT,
        x=_scale(ends),
        y={"range": [len(lines) - 0.4, -0.6], "visible": False},
    )
    figure.update_layout(margin={"t": above})
    _bands(figure, ends, palette, pixels=ROW * len(lines))
    whom = list(dict.fromkeys(words for _, words, total in lines if total is not None))
    for position, one in enumerate(whom):
        color = palette.text if position else palette.with_person
        _marks(figure, [(place, total) for place, words, total in lines if words == one and total], ends, one, color)
        figure.data[-1].marker.symbol = _SYMBOLS[position % len(_SYMBOLS)]
    for place, words, total in lines:
        left: dict[str, object] = {"xref": "paper", "xanchor": "left", "xshift": (4 if total is None else 14) - _LEFT}
        if total is None:
            left["bgcolor"] = palette.background
        note(figure, words, x=0.0, y=place, color=palette.text if total is None else palette.muted, **left)
        if total is not None:
            _named(figure, place, total, ends, palette)
    return Chart(figure=figure, alt=_alt(rows), numbers=_numbers(rows))


def _lines(rows: Sequence[LossRow]) -> Iterator[tuple[int, str, Total | None]]:
    """Each line of the picture: its place from the top, its words, and its total; headings have none."""
    place = 0
    for row in rows:
        yield place, f"<b>{row.heading}</b>" + (f": {row.untold}" if row.untold else ""), None
        for whom, total in row.totals.items():
            place += 1
            yield place, whom, total
        place += 1


def _ends(totals: Sequence[Total]) -> tuple[float, float]:
    """The powers of ten between which all that is finite lies, with room at the right."""
    known = [end for one in totals for end in (one.least, one.most) if 0.0 < end < _FURTHEST]
    least, most = min([*known, EDGES[0]]), max([*known, EDGES[-1]])
    return 10.0 ** math.floor(math.log10(least)), 10.0 ** (math.floor(math.log10(most)) + 1)


def _scale(ends: tuple[float, float]) -> dict[str, object]:
    powers = range(round(math.log10(ends[0])), round(math.log10(ends[1])) + 1)
    shown = [power for power in powers[:-1] if power % (1 + len(powers) // 7) == 0]
    return {
        "type": "log",
        "range": [powers[0], powers[-1]],
        "tickvals": [10.0**power for power in shown],
        "ticktext": [amount(10.0**power) for power in shown],
        "tickangle": 0,
    }


def _edges(ends: tuple[float, float]) -> list[float]:
    return [edge for edge in EDGES if ends[0] < edge < ends[1]]


def _stairs(ends: tuple[float, float]) -> int:
    """Lines of words above the bands: one for each edge, and one more where the last has no room beside the first."""
    edges = _edges(ends)
    return len(edges) + (edges[0] ** 2 >= ends[0] * ends[1])


def _bands(figure: go.Figure, ends: tuple[float, float], palette: Palette, *, pixels: int) -> None:
    """Up to which epsilon each band goes, and what that means as odds, with a delta of 0: a stair up its edge each."""
    edges = _edges(ends)
    for left, right in list(pairwise([ends[0], *edges, ends[1]]))[::2]:
        figure.add_shape(
            type="rect", x0=left, x1=right, y0=0, y1=1, yref="y domain", fillcolor=palette.band, line={"width": 0}
        )
    above = partial(note, figure, y=1.0, yref="y domain", yanchor="bottom", color=palette.muted)
    for stair, edge in enumerate(edges):
        top = 1.0 + _STAIR * (stair + 1) / pixels
        line = {"color": palette.muted, "width": 1}
        figure.add_shape(type="line", x0=edge, x1=edge, y0=1, y1=top, yref="y domain", line=line)
        words = f"ε up to {amount(edge)}: {at_most(odds_out_of_100(Guarantee(epsilon=edge)).with_data)}"
        above(words, x=math.log10(edge), xanchor="right", xshift=-3, yshift=_STAIR * stair)
    stairs = _stairs(ends)
    rest = _STAIR * (stairs - 1) if stairs > len(edges) else 0
    last: dict[str, Any] = {"xref": "paper", "xanchor": "right", "bgcolor": palette.background, "yshift": rest}
    above(f"above {amount(edges[-1])}: 100", x=1.0, **last)
    said: dict[str, Any] = {"xref": "paper", "xanchor": "left", "xshift": 4 - _LEFT, "yshift": _STAIR * stairs}
    above("attackers right at most, out of 100 (δ: 0)", x=0.0, **said)


def _marks(
    figure: go.Figure, totals: Sequence[tuple[int, Total]], ends: tuple[float, float], name: str, color: str
) -> None:
    """A line from the least to the most of each total, with a mark at both; an arrow where there is no end."""
    told = [(place, one) for place, one in totals if not one.promises_nothing]
    at: list[float | None] = []
    for _, one in told:
        at += [max(one.least, ends[0]), min(max(one.most, ends[0]), ends[1]), None]
    figure.add_scatter(
        x=[ends[1] for _, one in totals if math.isinf(one.most)],
        y=[place for place, one in totals if math.isinf(one.most)],
        mode="markers",
        marker={"size": 13, "symbol": "triangle-right", "color": color},
        cliponaxis=False,
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=at,
        y=[one for place, _ in told for one in (place, place, None)],
        mode="lines+markers",
        name=name,
        line={"width": 4, "color": color},
        marker={"size": [0 if one is None or one >= ends[1] else 10 for one in at], "color": color, "opacity": 1.0},
        hoverinfo="skip",
    )


def _named(figure: go.Figure, place: int, total: Total, ends: tuple[float, float], palette: Palette) -> None:
    """The epsilons beside their mark, on the side that has more room."""
    span = math.log10(ends[1]) - math.log10(ends[0])
    least, most = (math.log10(min(max(end / ends[0], 1.0), 10.0**span)) / span for end in (total.least, total.most))
    left = total.promises_nothing or least > 0.5
    look: dict[str, object] = {"bgcolor": palette.background} if math.isinf(total.most) and not left else {}
    at = math.log10(ends[0]) + span * (least if left or math.isinf(total.most) else most)
    side: dict[str, object] = {"xanchor": "right" if left else "left", "xshift": -11 if left else 11}
    note(figure, f"<b>{between(total)}</b>", x=at, y=place, color=palette.text, **look, **side)


def _alt(rows: Sequence[LossRow]) -> str:
    """Every range in words."""
    said = []
    for row in rows:
        found = "; ".join(f"{whom} {between(total)}" for whom, total in row.totals.items())
        said.append(f"{row.heading}: {row.untold or found}")
    return f"ε in all, by time and by whom it is for. {'. '.join(said)}."


def _numbers(rows: Sequence[LossRow]) -> dict[str, list[object]]:
    flat = [(row.heading, whom, total) for row in rows for whom, total in row.totals.items()]
    ends = [
        [NO_LIMIT if math.isinf(end) else write(end, DIGITS) for end in ends]
        for write, ends in (
            (at_least, [total.least for _, _, total in flat]),
            (at_most, [total.most for _, _, total in flat]),
        )
    ]
    return {
        "time": [heading for heading, _, _ in flat],
        "for": [whom for _, whom, _ in flat],
        "ε at least": list(ends[0]),
        "ε at most": list(ends[1]),
        "δ in all": [tiny_at_most(total.delta, 3) for _, _, total in flat],
    }
