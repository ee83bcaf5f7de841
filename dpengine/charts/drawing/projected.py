"""A chart as a whole room sees it: the same picture with letters, lines and marks that are read from ten meters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import plotly.graph_objects as go

from dpengine.charts.drawing.theme import FONT_SIZE, Chart
from dpengine.errors import require_positive

Plain = dict[str, Any]
TIMES = 2
"""How many times as large as on a laptop: 28 pixels of a projector's 1,080, 2.6%."""
HEIGHT = 640


def for_projector(chart: Chart, *, height: int = HEIGHT, share: float = 1.0) -> Chart:
    """The chart in large, so many pixels high; its words and numbers stay, and nothing answers to a pointer.

    `share` is the window's height as a share of 1,080 pixels: everything is so much larger or smaller. What is changed
    is the plain copy of a figure: plotly checks it once at the end, not at each change.
    """
    require_positive("share of the height", share)
    times = TIMES * share
    layout = chart.figure.layout.to_plotly_json()
    traces = [trace.to_plotly_json() for trace in chart.figure.data]
    margin, letters = layout.get("margin", {}), {"size": times * FONT_SIZE}
    layout["height"], layout["hovermode"] = round(height * share), False
    layout["margin"] = margin | {side: times * margin.get(side, 0) for side in ("l", "r", "t", "b")}
    for written in (layout, _part(layout, "legend")):
        _part(written, "font").update(letters)
    for axis in (layout[name] for name in layout if name.startswith(("xaxis", "yaxis"))):
        _part(axis, "tickfont").update(letters)
        _part(axis, "title")["standoff"] = 6 * times
        _part(axis["title"], "font").update(letters)
    for note in layout.get("annotations", ()):
        _enlarge_note(note, times)
    for drawn in (*layout.get("shapes", ()), *traces, *(trace["marker"] for trace in traces if "marker" in trace)):
        _enlarge_line(drawn, times)
    for trace in traces:
        _enlarge_marks(trace, times)
    return replace(chart, figure=go.Figure(data=traces, layout=layout))


def _part(plain: Plain, name: str) -> Plain:
    """What a figure says about this part of it; so far nothing, if it says nothing."""
    part: Plain = plain.setdefault(name, {})
    return part


def _enlarge_note(note: Plain, times: float) -> None:
    _part(note, "font")["size"] = times * note["font"].get("size", FONT_SIZE)
    note["xshift"], note["yshift"] = (times * note.get(shift, 0) for shift in ("xshift", "yshift"))


def _enlarge_line(drawn: Plain, times: float) -> None:
    """That of a shape, a trace or a mark, of whatever kind of trace has them."""
    if "width" in drawn.get("line", {}):
        drawn["line"]["width"] *= times


def _enlarge_marks(trace: Plain, times: float) -> None:
    size = trace.get("marker", {}).get("size")
    if size is not None:
        trace["marker"]["size"] = times * size if isinstance(size, int | float) else [times * one for one in size]
