"""A chart as a whole room sees it: the same picture with letters, lines and marks that are read from ten meters."""

from __future__ import annotations

from dataclasses import replace

import plotly.graph_objects as go

from dpengine.charts.theme import FONT_SIZE, Chart

TIMES = 2
"""How many times as large as on a laptop: 28 pixels of a projector's 1,080, 2.6 of 100."""
HEIGHT = 640


def for_projector(chart: Chart, *, height: int = HEIGHT) -> Chart:
    """The chart in large, so many pixels high; its words and numbers stay, and nothing answers to a pointer."""
    figure = go.Figure(chart.figure)
    letters = TIMES * FONT_SIZE
    margin = figure.layout.margin
    figure.update_layout(
        height=height,
        font={"size": letters},
        legend={"font": {"size": letters}},
        margin={side: TIMES * (margin[side] or 0) for side in ("l", "r", "t", "b")},
        hovermode=False,
    )
    axis = {"tickfont": {"size": letters}, "title": {"font": {"size": letters}, "standoff": 6 * TIMES}}
    figure.update_xaxes(axis)
    figure.update_yaxes(axis)
    figure.for_each_annotation(_larger_note)
    figure.for_each_shape(_larger_shape)
    figure.for_each_trace(_larger_trace)
    return replace(chart, figure=figure)


def _larger_note(note: go.layout.Annotation) -> None:
    shift = {"xshift": TIMES * (note.xshift or 0), "yshift": TIMES * (note.yshift or 0)}
    note.update(font={"size": TIMES * (note.font.size or FONT_SIZE)}, **shift)


def _larger_shape(shape: go.layout.Shape) -> None:
    if shape.line.width:
        shape.line.width = TIMES * shape.line.width


def _larger_trace(trace: go.Scatter) -> None:
    """Lines and marks, of whatever kind of trace has them."""
    if "line" in trace and trace.line.width:
        trace.line.width = TIMES * trace.line.width
    if "marker" not in trace:
        return
    size = getattr(trace.marker, "size", None)
    if size is not None:
        trace.marker.size = TIMES * size if isinstance(size, int | float) else [TIMES * one for one in size]
    if trace.marker.line.width:
        trace.marker.line.width = TIMES * trace.marker.line.width
