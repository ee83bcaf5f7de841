"""One survey, many counts: the share in every group with its interval, one group marked."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from dpengine.accuracy.lessons.one_survey import GroupCount
from dpengine.charts.drawing.legends import legend_above
from dpengine.charts.drawing.theme import PLAIN_NUMBERS, Chart, Palette, blank
from dpengine.formatting.numbers import amount

_ROW, _LABELS, _AROUND = 22, 132, 84
"""Pixels of one group's row, of the names beside the rows, and of what stands around them."""
_LEAST, _MOST = -10.0, 60.0


def groups(counts: Sequence[GroupCount], chosen: GroupCount, palette: Palette) -> Chart:
    """One row for each group, the largest first: the interval around its estimated share, and the true share."""
    rows = sorted(counts, key=lambda one: -one.people)
    names = [one.name for one in rows]
    ends = [one.percent(end) for one in rows for end in (one.lower, one.upper)]
    figure = blank(
        palette,
        x_title="smokers, % of the group",
        y_title="",
        height=_ROW * len(rows) + _AROUND,
        left=_LABELS,
        x={
            "range": [1.04 * min(_LEAST, *ends), 1.04 * max(_MOST, *ends)],
            "nticks": 6,
            "showgrid": True,
            **PLAIN_NUMBERS,
        },
        y={
            "type": "category",
            "categoryorder": "array",
            "categoryarray": names[::-1],
            "range": [-0.6, len(rows) - 0.3],
            "tickvals": names,
            "ticktext": [f"<b>{name}</b>" if name == chosen.name else name for name in names],
            "showgrid": False,
        },
    )
    others = [one for one in rows if one is not chosen]
    _intervals(figure, others, "estimate, 95% interval", palette.muted)
    _intervals(figure, [chosen], "the same, chosen group", palette.with_person)
    marker = {"size": 10, "symbol": "diamond", "color": palette.left}
    truths = [one.percent(one.truth) for one in rows]
    hover = "truth %{x:.3~g}%<extra></extra>"
    figure.add_scatter(x=truths, y=names, mode="markers", name="truth", marker=marker, hovertemplate=hover)
    legend_above(figure, palette)
    alt = (
        f"{len(rows)} groups from one survey. {chosen.name}: {amount(chosen.estimate)} smokers estimated, between "
        f"{chosen.lower:,} and {chosen.upper:,}; in truth {chosen.truth:,} of {chosen.people:,}."
    )
    return Chart(figure=figure, alt=alt, numbers=_numbers(rows))


def _intervals(figure: go.Figure, shown: Sequence[GroupCount], name: str, color: str) -> None:
    """A dot at each estimate, and a bar from end to end of its interval."""
    at = [one.percent(one.estimate) for one in shown]
    figure.add_scatter(
        x=at,
        y=[one.name for one in shown],
        mode="markers",
        name=name,
        marker={"size": 8, "color": color},
        error_x={
            "array": [one.percent(one.upper) - middle for one, middle in zip(shown, at, strict=True)],
            "arrayminus": [middle - one.percent(one.lower) for one, middle in zip(shown, at, strict=True)],
            "color": color,
            "thickness": 2.6,
            "width": 5,
        },
        customdata=[[one.name, one.people, one.lower, one.upper] for one in shown],
        hovertemplate="%{customdata[0]}: %{customdata[2]:,} to %{customdata[3]:,} of %{customdata[1]:,}<extra></extra>",
    )


def _numbers(rows: Sequence[GroupCount]) -> dict[str, list[object]]:
    return {
        "group": [one.name for one in rows],
        "people": [one.people for one in rows],
        "smokers in truth": [one.truth for one in rows],
        "estimate": [one.estimate for one in rows],
        "lower": [one.lower for one in rows],
        "upper": [one.upper for one in rows],
    }
