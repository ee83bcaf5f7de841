"""Whom the noise hurts: its size as a share of each group's own answer, the smallest groups on top."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from dpengine.charts.drawing.labels import on_axis
from dpengine.charts.drawing.theme import FONT_SIZE, Chart, Palette, blank
from dpengine.formatting.numbers import amount, at_most

MOST_DRAWN = 10
_TENTH, _ITSELF, _EDGE, _END = 10.0, 100.0, 150.0, 221.0
_ROW, _AROUND = 42, 120


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """A group with its size, the error that its answer stays within as a share of it, and that share when coarser.

    `coarser` is None where nothing coarser is looked at, or where the group would be left out.
    """

    label: str
    size: float
    relative: float
    coarser: float | None = None

    @property
    def changes(self) -> bool:
        """Whether the coarser grouping makes a difference that can be seen."""
        return self.coarser is not None and _placed(self.coarser) < 0.995 * _placed(self.relative)


def by_group(rows: Sequence[GroupRow], *, axis: str, palette: Palette) -> Chart:
    """A dot for each of the first groups on a logarithmic axis, cut where the noise is larger than the answer itself.

    A second mark tells the share in a coarser grouping; a line stands at a tenth. All groups are among the numbers.
    """
    drawn = rows[:MOST_DRAWN]
    figure = blank(
        palette,
        x_title=axis.replace(", ", ",<br>", 1),
        y_title="",
        height=_AROUND + _ROW * len(drawn),
        left=16,
        x=_scale(drawn),
        y={"visible": False, "range": [len(drawn) - 0.6, -0.8]},
    )
    moved = [(place, row) for place, row in enumerate(drawn) if row.changes]
    for place, row in moved:
        ends = [_placed(row.coarser or 0.0), _placed(row.relative)]
        line = {"color": palette.muted, "width": 1.4}
        figure.add_scatter(x=ends, y=[place, place], mode="lines", line=line, hoverinfo="skip")
    _marks(figure, [(place, row.relative) for place, row in enumerate(drawn)], "circle", palette.answers)
    _marks(figure, [(place, row.coarser or 0.0) for place, row in moved], "diamond", palette.text)
    words = [*_above(palette, legend=bool(moved)), *_beside(drawn, palette)]
    figure.update_layout(
        shapes=_lines(len(drawn), palette), annotations=words, margin_t=64 if moved else 42, margin_b=66
    )
    return Chart(figure=figure, alt=_alt(rows), numbers=_numbers(rows, axis))


def _marks(figure: go.Figure, shares: Sequence[tuple[int, float]], symbol: str, color: str) -> None:
    figure.add_scatter(
        x=[_placed(share) for _, share in shares],
        y=[place for place, _ in shares],
        mode="markers",
        name=symbol,
        marker={"size": 13, "symbol": symbol, "color": color},
        text=[in_percent(share) for _, share in shares],
        hovertemplate="%{text}<extra></extra>",
    )


def _lines(many: int, palette: Palette) -> list[dict[str, object]]:
    """A guide for each group, the line at a tenth, and the strip beyond 100%."""
    across = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "layer": "below"}
    guides = [
        {**across, "y0": place, "y1": place, "line": {"color": palette.line, "width": 1}} for place in range(many)
    ]
    up = {"yref": "paper", "y0": 0, "y1": 1}
    tenth = {**up, "type": "line", "x0": _TENTH, "x1": _TENTH, "line": {"color": palette.muted, "dash": "dash"}}
    strip = {**up, "type": "rect", "x0": _ITSELF, "x1": _END, "fillcolor": palette.line, "opacity": 0.5}
    return [*guides, tenth, {**strip, "line": {"width": 0}, "layer": "below"}]


def _above(palette: Palette, *, legend: bool) -> list[dict[str, object]]:
    """What the line and the strip stand for, and above them what the marks do; nothing collides on a phone."""
    top = {"yref": "paper", "yanchor": "bottom", "y": 1.0, "showarrow": False}
    quiet = {**top, "font": {"size": FONT_SIZE, "color": palette.muted}}
    words: list[dict[str, object]] = [
        {**quiet, "text": "a tenth", "x": math.log10(_TENTH)},
        {**quiet, "text": "larger<br>than itself", "x": math.log10(_END), "xanchor": "right", "align": "right"},
    ]
    marks = f'<span style="color:{palette.answers}">●</span> as asked  ◆ coarser'
    left = {**_written(palette), "xref": "paper", "x": 0.0, "xanchor": "left", "yshift": 38}
    return [*words, {**top, **left, "text": marks}] if legend else words


def _beside(rows: Sequence[GroupRow], palette: Palette) -> list[dict[str, object]]:
    """The name and size of each group above its guide, and its share to the left of its mark."""
    words: list[dict[str, object]] = []
    left = {**_written(palette), "xref": "paper", "x": 0.0, "xanchor": "left", "yanchor": "bottom", "yshift": 8}
    for place, (name, row) in enumerate(zip(on_axis(_labels(rows)), rows, strict=True)):
        share = row.coarser if row.coarser is not None and row.changes else row.relative
        at = {"x": math.log10(_placed(share)), "y": place, "xanchor": "right", "xshift": -9, "borderpad": 1}
        ground = {"bgcolor": palette.background} if share <= 1.0 else {}
        words.append({**left, "y": place, "text": f"{name} <b>{amount(row.size, 6)}</b>"})
        words.append({**_written(palette), **at, **ground, "text": in_percent(share)})
    return words


def _written(palette: Palette) -> dict[str, object]:
    return {"showarrow": False, "font": {"size": FONT_SIZE, "color": palette.text}}


def _labels(rows: Sequence[GroupRow]) -> list[str]:
    return [row.label for row in rows]


def _scale(rows: Sequence[GroupRow]) -> dict[str, object]:
    """From a little below the smallest share to the strip beyond 100%."""
    shares = [100.0 * share for row in rows for share in (row.relative, row.coarser) if share]
    low = math.floor(math.log10(max(min([*shares, 5.0]), 1e-4)) - 0.15)
    ticks = [10.0**power for power in range(low, 3)]
    return {
        "type": "log",
        "range": [low, math.log10(_END)],
        "tickvals": ticks,
        "ticktext": [f"{tick:g}%" for tick in ticks],
        "showgrid": True,
    }


def _placed(share: float) -> float:
    """In percent, where it is drawn: all that is larger than the answer itself at the edge."""
    return min(max(100.0 * share, 1e-4), _EDGE if share > 1.0 else _ITSELF)


def in_percent(share: float) -> str:
    """A share of an answer, rounded up; beyond ten times in words.

    >>> in_percent(0.0541), in_percent(2.34), in_percent(12.0), in_percent(math.inf)
    ('5.5%', '240%', 'over 10 times', 'all of it')
    """
    if math.isinf(share):
        return "all of it"
    return "over 10 times" if share > 10.0 else f"{at_most(100.0 * share, 2)}%"


def _alt(rows: Sequence[GroupRow]) -> str:
    first, last = rows[0], rows[-1]
    paying = sum(row.relative > _TENTH / 100.0 for row in rows)
    return (
        f"{len(rows)} groups, the smallest first. From {first.label}, {amount(first.size, 6)} rows: "
        f"{in_percent(first.relative)}, to {last.label}, {amount(last.size, 6)} rows: {in_percent(last.relative)}; "
        f"{paying} above a tenth."
    )


def _numbers(rows: Sequence[GroupRow], axis: str) -> dict[str, Sequence[object]]:
    numbers: dict[str, Sequence[object]] = {
        "group": _labels(rows),
        "size": [row.size for row in rows],
        f"{axis}, %": [100.0 * row.relative for row in rows],
    }
    if any(row.coarser is not None for row in rows):
        numbers["the same, coarser, %"] = [None if row.coarser is None else 100.0 * row.coarser for row in rows]
    return numbers
