"""A chart as a whole room sees it: the same picture with letters, lines and marks that are read from ten meters."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import plotly.graph_objects as go

from dpengine.charts.theme import FONT_SIZE, Chart
from dpengine.errors import require_positive

TIMES = 2
"""How many times as large as on a laptop: 28 pixels of a projector's 1,080, 2.6 of 100."""
HEIGHT = 640


def for_projector(chart: Chart, *, height: int = HEIGHT, share: float = 1.0) -> Chart:
    """The chart in large, so many pixels high; its words and numbers stay, and nothing answers to a pointer.

    `share` is the window's height as a share of 1,080 pixels: everything is so much larger or smaller.
    """
    require_positive("share of the height", share)
    times = TIMES * share
    figure = go.Figure(chart.figure)
    letters = times * FONT_SIZE
    margin = figure.layout.margin
    figure.update_layout(
        height=round(height * share),
        font={"size": letters},
        legend={"font": {"size": letters}},
        margin={side: times * (margin[side] or 0) for side in ("l", "r", "t", "b")},
        hovermode=False,
    )
    axis = {"tickfont": {"size": letters}, "title": {"font": {"size": letters}, "standoff": 6 * times}}
    figure.update_xaxes(axis)
    figure.update_yaxes(axis)
    figure.for_each_annotation(partial(_larger_note, times))
    figure.for_each_shape(partial(_larger_shape, times))
    figure.for_each_trace(partial(_larger_trace, times))
    return replace(chart, figure=figure)


def _larger_note(times: float, note: go.layout.Annotation) -> None:
    shift = {"xshift": times * (note.xshift or 0), "yshift": times * (note.yshift or 0)}
    note.update(font={"size": times * (note.font.size or FONT_SIZE)}, **shift)


def _larger_shape(times: float, shape: go.layout.Shape) -> None:
    if shape.line.width:
        shape.line.width = times * shape.line.width


def _larger_trace(times: float, trace: go.Scatter) -> None:
    """Lines and marks, of whatever kind of trace has them."""
    if "line" in trace and trace.line.width:
        trace.line.width = times * trace.line.width
    if "marker" not in trace:
        return
    size = getattr(trace.marker, "size", None)
    if size is not None:
        trace.marker.size = times * size if isinstance(size, int | float) else [times * one for one in size]
    if trace.marker.line.width:
        trace.marker.line.width = times * trace.marker.line.width
